"""Cores that this process may use, and pinning to them."""

import os
import sys
from collections.abc import Iterable


def list_cores() -> list[int]:
    """Return the numbers of the cores that this process may use, in ascending order.

    >>> len(list_cores()) >= 1
    True
    """
    if sys.platform == "linux":
        cores = sorted(os.sched_getaffinity(0))
    else:
        cores = list(range(os.cpu_count() or 1))
    return cores


def count_cores() -> int:
    """Return how many cores this process may use.

    >>> count_cores() == len(list_cores())
    True
    """
    return len(list_cores())


def can_pin() -> bool:
    """Whether a process can be pinned to cores; `pin_to_cores` does nothing on other systems."""
    return sys.platform == "linux"


def pin_to_cores(cores: Iterable[int]) -> None:
    """Let this thread and the threads that it starts run only on these cores, where the system supports it."""
    if sys.platform == "linux":
        os.sched_setaffinity(0, cores)
