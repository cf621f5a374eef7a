"""Runs tasks in processes of this machine."""

import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def run_tasks(
    function: Callable[[T], R], tasks: Iterable[T], *, cluster: str | None = None, workers: int | None = None
) -> Iterator[tuple[T, R]]:
    """Yield each task with its result."""
    count = workers or os.cpu_count() or 1
    queue = iter(tasks)
    running: dict[Future[R], T] = {}
    with ProcessPoolExecutor(count, multiprocessing.get_context("forkserver")) as pool:
        while True:
            while len(running) < 2 * count and (task := next(queue, None)) is not None:
                running[pool.submit(function, task)] = task
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()
