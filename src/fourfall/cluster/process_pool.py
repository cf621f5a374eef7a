"""Runs tasks on worker processes of this machine; a worker that dies is replaced, and its task is run again."""

import contextlib
import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from typing import Any, Generic, TypeVar

from fourfall.cluster.errors import WorkerError
from fourfall.cluster.outcome import Outcome
from fourfall.cluster.worker_process import WorkerProcess
from fourfall.system.cores import count_cores

T = TypeVar("T")
R = TypeVar("R")

MAX_TRIES = 3
"""If as many workers die in one task, the run fails."""


def run_in_processes(function: Callable[[T], R], tasks: Iterable[T], workers: int | None) -> Iterator[tuple[T, R]]:
    """Yield tasks with their results in the order of completion; closing the generator ends the processes at once."""
    queue = iter(tasks)
    first = list(itertools.islice(queue, workers or count_cores()))
    queue = itertools.chain(first, queue)
    slots: list[_Slot[T, R]] = [_Slot(function) for _ in first]  # no more processes than tasks
    try:
        while True:
            for slot in slots:
                if not slot.has_task:
                    slot.start_next(queue)
            busy = {slot.process.connection: slot for slot in slots if slot.has_task}
            if not busy:
                return
            for connection in wait(list(busy)):
                yield from busy[connection].collect()  # type: ignore[index]
    finally:
        for slot in slots:
            slot.process.close()


@dataclass
class _Slot(Generic[T, R]):
    """A place for one worker process, and the task that it runs."""

    function: Callable[[T], R]
    process: WorkerProcess[Any, Outcome[R]] = field(init=False)
    tasks: list[T] = field(default_factory=list)  # at most one
    tries: int = 0

    def __post_init__(self) -> None:
        self._start_process()

    @property
    def has_task(self) -> bool:
        return bool(self.tasks)

    def start_next(self, queue: Iterator[T]) -> None:
        for task in queue:
            self.tasks, self.tries = [task], 1
            self._send(task)
            return

    def collect(self) -> Iterator[tuple[T, R]]:
        """Yield the task with its result, or nothing if the process died and the task was started again."""
        [task] = self.tasks
        try:
            outcome = self.process.connection.recv()
        except (EOFError, OSError):
            self._start_again(task)
            return
        self.tasks = []
        yield task, outcome.get()

    def _start_again(self, task: T) -> None:
        how = self.process.close()
        if self.tries >= MAX_TRIES:
            raise WorkerError(f"{self.tries} worker processes died in one task ({task!r:.200}); the last one {how}")
        self.tries += 1
        self._start_process()
        self._send(task)

    def _start_process(self) -> None:
        self.process = WorkerProcess("fourfall.cluster.task_worker")
        self._send(self.function)

    def _send(self, message: object) -> None:
        with contextlib.suppress(BrokenPipeError):  # a dead process is detected when its outcome is received
            self.process.connection.send(message)
