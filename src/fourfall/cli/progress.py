"""Progress of a running event in the terminal: redrawn standings, or a line every ten seconds."""

import time
from collections.abc import Callable, Sequence

import typer
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from fourfall.arena.cores import describe_cpu_pressure
from fourfall.arena.record import GameRecord
from fourfall.arena.schedule import count_games
from fourfall.arena.spec import Spec
from fourfall.arena.sprt import SprtState
from fourfall.arena.standings import Standing, rank_groups
from fourfall.arena.tables import Grid, format_groups, format_llr, replace_control_characters

_PLAIN_EVERY_S = 10.0
_LOAD_EVERY_S = 5.0
_RANK_EVERY_S = 1.0  # rating thousands of games takes 0.1 s
_LEADERS = 3  # agents named on a plain line


def create_display(console: Console, progress: "Progress") -> "Live | PlainDisplay":
    """Return a display that redraws in place on a terminal, or one that prints plain lines elsewhere."""
    if not console.is_terminal:
        return PlainDisplay(progress, is_error_stream=console.stderr)
    return Live(progress, console=console, refresh_per_second=2, transient=True)


class Progress:
    """Games played so far, their rate and the standings.

    `planned` is the number of games if it is smaller than that of the spec. `describe` replaces the standings.
    """

    def __init__(
        self,
        spec: Spec,
        records: list[GameRecord],
        planned: int | None = None,
        describe: Callable[[Sequence[GameRecord]], str] | None = None,
    ) -> None:
        self.spec = spec
        self.records = records
        self.total = count_games(spec) if planned is None else planned
        self.sprt_state = (
            None if spec.sprt is None else SprtState(spec.sprt, ((game.number, game.winner) for game in records))
        )
        self._describe = describe
        self._before = len(records)
        self._started = time.monotonic()
        self._warned_at = 0.0
        self._warning: str | None = None
        self._ranked_at = 0.0
        self._grids: list[Grid] = []

    @property
    def warning(self) -> str | None:
        """Warning about a machine too busy for fair timing, or None; updated every five seconds."""
        if time.monotonic() >= self._warned_at + _LOAD_EVERY_S:
            self._warned_at = time.monotonic()
            self._warning = describe_cpu_pressure()
        return self._warning

    @property
    def is_complete(self) -> bool:
        """Whether all scheduled games are played or the sequential test has ended."""
        return len(self.records) == self.total or (self.sprt_state is not None and self.sprt_state.accepted is not None)

    @property
    def planned(self) -> str:
        """Number of games as text; with a sequential test, the maximum."""
        return f"{self.total}" if self.sprt_state is None else f"at most {self.total}"

    def add(self, record: GameRecord) -> None:
        """Add a finished game."""
        self.records.append(record)
        if self.sprt_state is not None:
            self.sprt_state.add(record.number, record.winner)

    def summarise(self) -> str:
        """Return games played, rate, time left and the state of the sequential test in one line."""
        done = len(self.records)
        new = done - self._before
        text = f"{done} of {self.planned} games" + (
            "" if self.sprt_state is None else f", {format_llr(self.sprt_state)}"
        )
        if new == 0:
            return text
        rate = new / (time.monotonic() - self._started)
        at_most = "" if self.sprt_state is None else "at most "
        left = "" if self.is_complete else f", {at_most}{format_duration((self.total - done) / rate)} left"
        return f"{text}, {format_pace(rate)}{left}"

    def __rich__(self) -> RenderableType:
        lines = [Text(self.summarise())]
        if (warning := self.warning) is not None:
            lines.append(Text(f"warning: {warning}", style="yellow"))
        if self._describe is not None:
            return Group(Text(self._describe(self.records)), *lines)
        now = time.monotonic()
        if now >= self._ranked_at + _RANK_EVERY_S:
            self._grids = format_groups(self.records, self.spec.members)
            self._ranked_at = now
        return Group(*(grid.to_rich() for grid in self._grids), *lines)

    def list_leaders(self) -> str:
        """Return the leaders of each group with their scores in per cent, or the line that replaces the standings."""
        if self._describe is not None:
            return self._describe(self.records)
        groups = rank_groups(self.records, self.spec.members)
        leaders = "; ".join(", ".join(_format_leader(line) for line in lines[:_LEADERS]) for lines in groups.values())
        return replace_control_characters(leaders)


def _format_leader(line: Standing) -> str:
    total = line.tally.total
    return f"{line.name} {100 * total.points / total.games:.1f} %" if total.games else line.name


def format_pace(rate: float) -> str:
    """Format a number of games per second, per minute if it is small.

    >>> format_pace(2.5), format_pace(0.5)
    ('2.5 games/s', '30.0 games/min')
    """
    return f"{rate:.1f} games/s" if rate >= 1 else f"{60 * rate:.1f} games/min"


def format_duration(seconds: float) -> str:
    """Format a duration with its two largest units.

    >>> format_duration(59), format_duration(75), format_duration(7384)
    ('59 s', '1 min 15 s', '2 h 3 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


class PlainDisplay:
    """Prints a progress line every ten seconds, for output that is not a terminal."""

    def __init__(self, progress: Progress, *, is_error_stream: bool = False) -> None:
        self._progress = progress
        self._is_error_stream = is_error_stream
        self._due = time.monotonic() + _PLAIN_EVERY_S

    def __enter__(self) -> "PlainDisplay":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def refresh(self) -> None:
        """Print a line if ten seconds have passed since the last one."""
        now = time.monotonic()
        if now < self._due:
            return
        self._due = now + _PLAIN_EVERY_S
        progress = self._progress
        typer.echo(f"{progress.summarise()}; {progress.list_leaders()}", err=self._is_error_stream)
        if progress.warning is not None:
            typer.echo(f"warning: {progress.warning}", err=True)
