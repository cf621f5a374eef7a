"""Owns how a running event looks in the terminal: standings that are redrawn, or a line now and then."""

import time

import typer
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from fourfall.arena.cores import waiting_warning
from fourfall.arena.record import GameRecord
from fourfall.arena.report import Grid, ratio_of, tournament_grids
from fourfall.arena.schedule import count
from fourfall.arena.spec import Spec
from fourfall.arena.sprt import Walk
from fourfall.arena.standings import Standing, standings_by_group

_PLAIN_EVERY_S = 10.0
_LOAD_EVERY_S = 5.0
_RANK_EVERY_S = 1.0  # ranking thousands of games takes a tenth of a second
_LEADERS = 3  # named on a plain line


def screen_of(console: Console, progress: "Progress") -> "Live | Plain":
    """Choose how progress is shown: in place on a terminal, as plain lines elsewhere."""
    if not console.is_terminal:
        return Plain(progress)
    return Live(progress, console=console, refresh_per_second=2, transient=True)


class Progress:
    """What has been played, and how fast."""

    def __init__(self, spec: Spec, records: list[GameRecord]) -> None:
        self.spec = spec
        self.records = records
        self.total = count(spec)
        self.walk = None if spec.sprt is None else Walk(spec.sprt, ((game.number, game.winner) for game in records))
        self._before = len(records)
        self._started = time.monotonic()
        self._warned_at = 0.0
        self._warning: str | None = None
        self._ranked_at = 0.0
        self._grids: list[Grid] = []

    @property
    def warning(self) -> str | None:
        """What is wrong with the clock right now, looked up now and then."""
        if time.monotonic() >= self._warned_at + _LOAD_EVERY_S:
            self._warned_at = time.monotonic()
            self._warning = waiting_warning()
        return self._warning

    @property
    def is_complete(self) -> bool:
        """Whether every scheduled game has been played, or the test is decided."""
        return len(self.records) == self.total or (self.walk is not None and self.walk.accepted is not None)

    @property
    def most(self) -> str:
        """How many games there will be; of a test, at most."""
        return f"{self.total}" if self.walk is None else f"at most {self.total}"

    def add(self, record: GameRecord) -> None:
        """Count a game."""
        self.records.append(record)
        if self.walk is not None:
            self.walk.add(record.number, record.winner)

    def line(self) -> str:
        """Write how far it is, at which rate, how long it will take, and where a test stands."""
        done, now = len(self.records), len(self.records) - self._before
        words = f"{done} of {self.most} games" + ("" if self.walk is None else f", {ratio_of(self.walk)}")
        if now == 0:
            return words
        rate = now / (time.monotonic() - self._started)
        pace = f"{rate:.1f} games/s" if rate >= 1 else f"{60 * rate:.1f} games/min"
        at_most = "" if self.walk is None else "at most "
        left = "" if self.is_complete else f", {at_most}{_duration((self.total - done) / rate)} left"
        return f"{words}, {pace}{left}"

    def __rich__(self) -> RenderableType:
        lines = [Text(self.line())]
        if (warning := self.warning) is not None:
            lines.append(Text(f"warning: {warning}", style="yellow"))
        now = time.monotonic()
        if now >= self._ranked_at + _RANK_EVERY_S:
            self._grids = tournament_grids(self.records, self.spec.members)
            self._ranked_at = now
        return Group(*(grid.table() for grid in self._grids), *lines)

    def leaders(self) -> str:
        """Write who is ahead in each group, with the score in per cent."""
        groups = standings_by_group(self.records, self.spec.members)
        return "; ".join(", ".join(_ahead(line) for line in lines[:_LEADERS]) for lines in groups.values())


def _ahead(line: Standing) -> str:
    total = line.tally.total
    return f"{line.name} {100 * total.points / total.games:.1f} %" if total.games else line.name


def _duration(seconds: float) -> str:
    """Write a duration in the two units that matter.

    >>> _duration(59), _duration(75), _duration(7384)
    ('59 s', '1 min 15 s', '2 h 3 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


class Plain:
    """Progress as a line now and then, where there is no terminal to redraw."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._due = time.monotonic() + _PLAIN_EVERY_S

    def __enter__(self) -> "Plain":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def refresh(self) -> None:
        """Write a line if it is time for one."""
        now = time.monotonic()
        if now < self._due:
            return
        self._due = now + _PLAIN_EVERY_S
        progress = self._progress
        typer.echo(f"{progress.line()}; {progress.leaders()}")
        if progress.warning is not None:
            typer.echo(f"warning: {progress.warning}", err=True)
