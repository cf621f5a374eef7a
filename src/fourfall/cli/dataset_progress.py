"""Progress of ``fourfall dataset make``: a bar with rate and time left on a terminal, else a line every ten seconds."""

import time
from types import TracebackType

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from fourfall.cli.progress import format_duration

_PLAIN_EVERY_S = 10.0
_REDRAW_EVERY_S = 0.1


class LabelProgress:
    """Shows how many positions are collected and labelled; `collect` and `label` are called on the way."""

    def __init__(self, noun: str) -> None:
        self._noun = noun
        self._console = Console(stderr=True, highlight=False)
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(elapsed_when_finished=True),
            console=self._console,
            disable=not self._console.is_terminal,
            transient=True,
            auto_refresh=False,
        )
        self._task = self._bar.add_task("collecting", total=None, rate="")
        self._due = time.monotonic() + self._interval
        self._started: float | None = None
        self._before = 0
        self.done = 0
        self.total: int | None = None

    @property
    def _interval(self) -> float:
        return _REDRAW_EVERY_S if self._console.is_terminal else _PLAIN_EVERY_S

    def __enter__(self) -> "LabelProgress":
        self._bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._bar.stop()

    def collect(self, found: int) -> None:
        """Show the number of openings found or games read."""
        if self._is_due():
            self._bar.update(self._task, completed=found, refresh=True)
            self._print(f"collecting positions: {found:,} {self._noun}")

    def label(self, done: int, total: int) -> None:
        """Show the number of labelled positions."""
        if self._started is None:
            self._started, self._before = time.monotonic(), done
            self._bar.reset(self._task, description="labelling", total=total, completed=done, rate="")
        self.done, self.total = done, total
        if not self._is_due():
            return
        rate = (done - self._before) / max(time.monotonic() - self._started, 1e-9)
        self._bar.update(self._task, completed=done, rate=f"{rate:,.1f} positions/s", refresh=True)
        left = f", {format_duration((total - done) / rate)} left" if rate > 0 else ""
        self._print(f"{done:,} of {total:,} positions labelled, {rate:,.1f} positions/s{left}")

    def _is_due(self) -> bool:
        if time.monotonic() < self._due:
            return False
        self._due = time.monotonic() + self._interval
        return True

    def _print(self, line: str) -> None:
        if not self._console.is_terminal:
            typer.echo(line, err=True)
