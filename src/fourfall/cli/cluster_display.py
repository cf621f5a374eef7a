"""Shows in the terminal what the workers of a cluster do while games are played."""

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Protocol

from rich.console import Console, Group, RenderableType
from rich.text import Text

from fourfall.arena.record import GameRecord
from fourfall.arena.tables import replace_control_characters
from fourfall.cli.worker_changes import WorkerChanges
from fourfall.cli.worker_tables import count_states, describe_timing, format_live_workers, format_worker_summary
from fourfall.cluster.status import ClusterStatus

_EVERY_S = 0.5


class HasStatus(Protocol):
    """An executor of a cluster."""

    @property
    def status(self) -> ClusterStatus:
        """The state of all workers that were seen so far."""
        ...


class ClusterDisplay:
    """Prints changes of the workers while its context is open, also when no game ends.

    `on_tick` is called twice a second in the thread of the display.
    """

    def __init__(self, executor: HasStatus, console: Console) -> None:
        self.on_tick: Callable[[], None] | None = None
        self._executor = executor
        self._console = console
        self._changes = WorkerChanges()
        self._has_ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> "ClusterDisplay":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._has_ended.set()
        self._thread.join()
        self._print_changes()

    def describe(self) -> str:
        """Count the workers in one line."""
        status = self._executor.status
        return status.message or count_states(status.workers)

    def __rich__(self) -> RenderableType:
        status = self._executor.status
        grid = format_live_workers(status)
        line = Text(replace_control_characters(status.message or count_states(status.workers)))
        return line if grid is None else Group(line, grid.to_rich())

    def print_summary(self, records: Sequence[GameRecord]) -> None:
        """Print what each machine did, and how many games of the run have a mark because their timing was not fair."""
        marks = describe_timing(records)
        for line in ("", *format_worker_summary(self._executor.status).to_lines(), *([marks] if marks else [])):
            self._console.print(Text(line), soft_wrap=True)

    def _watch(self) -> None:
        while not self._has_ended.wait(_EVERY_S):
            self._print_changes()
            if self.on_tick is not None:
                self.on_tick()

    def _print_changes(self) -> None:
        with suppress(BrokenPipeError):
            for line in self._changes.describe(self._executor.status):
                self._console.print(Text(replace_control_characters(line)), soft_wrap=True)
