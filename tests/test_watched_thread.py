"""Tests tasks that run in a thread and are watched: results, errors and interrupts."""

import threading

import pytest

from fourfall.watched_thread import run_watched


def test_progress_is_shown_until_the_task_ends() -> None:
    """`show` is called in every interval while the task runs."""
    done = threading.Event()
    shown: list[int] = []

    def show() -> None:
        shown.append(1)
        if len(shown) == 3:
            done.set()

    assert run_watched(lambda: done.wait(60), lambda: None, show, 0.001)
    assert len(shown) >= 3


def test_interrupt_stops_the_task_and_keeps_its_result() -> None:
    """The interrupt calls `stop`, again in every interval because the first may come too early for the task."""
    done = threading.Event()
    stops: list[int] = []

    def interrupt() -> None:
        if not stops:
            raise KeyboardInterrupt

    def stop() -> None:
        stops.append(1)
        if len(stops) == 2:
            done.set()

    assert run_watched(lambda: done.wait(60), stop, interrupt, 0.001)
    assert len(stops) >= 2  # the task's thread may need more than one interval to end


def test_error_of_the_drawing_stops_the_task() -> None:
    """An error of `show` is raised; the task does not go on unwatched."""
    done = threading.Event()

    def fail() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run_watched(lambda: done.wait(60), done.set, fail, 0.001)
    assert done.is_set()


def test_error_of_the_task_is_raised() -> None:
    """An error in the thread is raised in the calling thread."""
    with pytest.raises(ValueError, match="wrong"):
        run_watched(lambda: int("wrong"), lambda: None, lambda: None)
