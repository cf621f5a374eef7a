"""Progress of a running event in the terminal: redrawn standings, or a line every ten seconds."""

import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from fourfall.cli.cluster_display import ClusterDisplay

_PLAIN_EVERY_S = 10.0
_LOAD_EVERY_S = 5.0
_RANK_EVERY_S = 1.0
_RANK_SHARE = 0.05  # of the time, for ranking: a million games take 10 s
_LEADERS = 3  # agents named on a plain line


def create_display(console: Console, progress: "Progress") -> "Live | PlainDisplay":
    """Return a display that redraws in place on a terminal, or one that prints plain lines elsewhere."""
    if not console.is_terminal:
        return PlainDisplay(progress, is_error_stream=console.stderr)
    return Live(progress, console=console, refresh_per_second=2, transient=True)


class Progress:
    """Games played so far, their rate and the standings.

    `planned` is the number of games if it is smaller than that of the spec. `describe` replaces the standings; it gets
    whole records. Otherwise the moves of games without a failure are not kept, because a million games take 3 GB.
    """

    def __init__(
        self,
        spec: Spec,
        records: Iterable[GameRecord],
        planned: int | None = None,
        describe: Callable[[Sequence[GameRecord]], str] | None = None,
    ) -> None:
        self.spec = spec
        self.cluster: ClusterDisplay | None = None
        self._describe = describe
        self.records = [self._shorten(record) for record in records]
        self.total = count_games(spec) if planned is None else planned
        self.sprt_state = (
            None if spec.sprt is None else SprtState(spec.sprt, ((game.number, game.winner) for game in self.records))
        )
        self._before = len(self.records)
        self._started = time.monotonic()
        self._warned_at = 0.0
        self._warning: str | None = None
        self._rank_due = 0.0
        self._grids: list[Grid] = []
        self._leaders_due = 0.0
        self._leaders = ""

    @property
    def warning(self) -> str | None:
        """Warning about a machine too busy for fair timing, or None; updated every five seconds.

        The workers of a cluster are watched by the executor.
        """
        if self.cluster is not None:
            return None
        if time.monotonic() >= self._warned_at + _LOAD_EVERY_S:
            self._warned_at = time.monotonic()
            self._warning = describe_cpu_pressure()
        return self._warning

    @property
    def is_complete(self) -> bool:
        """Whether all scheduled games are played or the sequential test has ended."""
        return len(self.records) == self.total or (self.sprt_state is not None and self.sprt_state.accepted is not None)

    @property
    def new_records(self) -> list[GameRecord]:
        """The games of this run."""
        return self.records[self._before :]

    @property
    def planned(self) -> str:
        """Number of games as text; with a sequential test, the maximum."""
        return f"{self.total}" if self.sprt_state is None else f"at most {self.total}"

    def add(self, record: GameRecord) -> None:
        """Add a finished game."""
        self.records.append(self._shorten(record))
        if self.sprt_state is not None:
            self.sprt_state.add(record.number, record.winner)

    def summarise(self) -> str:
        """Return games played, rate, time left, the state of the sequential test and the workers in one line."""
        return self._summarise_games() + (f"; {self.cluster.describe()}" if self.cluster is not None else "")

    def _summarise_games(self) -> str:
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
        lines: list[RenderableType] = [Text(self._summarise_games())]
        if self.cluster is not None:
            lines.append(self.cluster)
        if (warning := self.warning) is not None:
            lines.append(Text(f"warning: {warning}", style="yellow"))
        if self._describe is not None:
            return Group(Text(self._describe(self.records)), *lines)
        start = time.monotonic()
        if start >= self._rank_due:
            self._grids = format_groups(self.records, self.spec.members)
            self._rank_due = _find_due_time(start)
        return Group(*(grid.to_rich() for grid in self._grids), *lines)

    def list_leaders(self) -> str:
        """Return the leaders of each group with their scores in per cent, or the line that replaces the standings."""
        if self._describe is not None:
            return self._describe(self.records)
        start = time.monotonic()
        if start >= self._leaders_due:
            groups = rank_groups(self.records, self.spec.members)
            lists = (", ".join(_format_leader(line) for line in lines[:_LEADERS]) for lines in groups.values())
            self._leaders = replace_control_characters("; ".join(lists))
            self._leaders_due = _find_due_time(start)
        return self._leaders

    def _shorten(self, record: GameRecord) -> GameRecord:
        return record.without_moves() if self._describe is None and record.culprit is None else record


def _find_due_time(start: float) -> float:
    """Return when to rank again after a ranking that began at `start`, so that it takes little time."""
    now = time.monotonic()
    return now + max(_RANK_EVERY_S, (now - start) / _RANK_SHARE)


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
