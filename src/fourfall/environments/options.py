"""Checks options of environments; errors name the option and its value."""

from collections.abc import Mapping
from typing import Any

import numpy as np

MAX_TIME_S = 86_400
MAX_MEMORY_MB = 2**20


def check_flag(name: str, value: object) -> bool:
    """Return a boolean option.

    >>> check_flag("padded", "no")
    Traceback (most recent call last):
    TypeError: padded = 'no': expected True or False, not str
    """
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} = {value!r}: expected True or False, not {type(value).__name__}")
    return bool(value)


def check_time(name: str, value: object) -> float:
    """Return a time in seconds above 0, at most one day as in the arena.

    >>> check_time("move_time_s", -1)
    Traceback (most recent call last):
    ValueError: move_time_s = -1: expected a number of seconds above 0, at most 86400
    """
    expected = f"expected a number of seconds above 0, at most {MAX_TIME_S}"
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        raise TypeError(f"{name} = {value!r}: {expected}, not {type(value).__name__}")
    if not 0 < value <= MAX_TIME_S:
        raise ValueError(f"{name} = {value!r}: {expected}")
    return float(value)


def check_memory(name: str, value: object) -> int:
    """Return an amount of memory in megabytes, at most 1 TiB as in the arena.

    >>> check_memory("memory_mb", 0.5)
    Traceback (most recent call last):
    TypeError: memory_mb = 0.5: expected an integer from 1 to 1048576, not float
    """
    expected = f"expected an integer from 1 to {MAX_MEMORY_MB}"
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(f"{name} = {value!r}: {expected}, not {type(value).__name__}")
    if not 1 <= value <= MAX_MEMORY_MB:
        raise ValueError(f"{name} = {value!r}: {expected}")
    return int(value)


def check_options(options: object) -> Mapping[str, Any]:
    """Return the options of a reset; None is an empty dictionary.

    >>> check_options(["board"])
    Traceback (most recent call last):
    TypeError: options = ['board']: expected a dictionary, not list
    """
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise TypeError(f"options = {options!r}: expected a dictionary, not {type(options).__name__}")
    return options
