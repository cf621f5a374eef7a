"""Runs a long task in a thread, while the calling thread shows its progress and handles Ctrl-C."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar

Result = TypeVar("Result")


def run_watched(
    work: Callable[[], Result], stop: Callable[[], None], show: Callable[[], None], interval_s: float = 0.1
) -> Result:
    """Run `work` in a thread and return its result.

    Args:
        work: the task.
        stop: makes the task end soon and return its result so far. It is called on Ctrl-C, or the interrupt of a
            notebook's kernel, and again in every interval until the task ends.
        show: shows the progress of the task; called once in every interval.
        interval_s: length of an interval in seconds.

    >>> run_watched(lambda: 42, stop=lambda: None, show=lambda: None)
    42
    """
    is_stopping = False
    with ThreadPoolExecutor(1) as pool:
        try:
            running = pool.submit(work)
        except BaseException:
            stop()  # the interrupt came after the task had begun
            raise
        while True:
            try:
                wait([running], timeout=interval_s)
                if running.done():
                    return running.result()
                if is_stopping:
                    stop()
                show()
            except KeyboardInterrupt:
                is_stopping = True
                stop()
            except BaseException:
                stop()
                raise
