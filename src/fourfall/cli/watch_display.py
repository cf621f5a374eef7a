"""Shows the builds and scores of a bot that is being written: redrawn on a terminal, plain lines elsewhere."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from fourfall.arena.judge import Ending
from fourfall.arena.level_estimate import LevelEstimate
from fourfall.arena.record import GameRecord
from fourfall.arena.tables import clean_lines, replace_control_characters
from fourfall.kits.build import BuildResult
from fourfall.kits.version_score import Version, compare_versions
from fourfall.system.command_line import quote_word

_PLAIN_EVERY_S = 10.0
_ERROR_LINES = 15
_STDERR_LINES = 5
_SHOWN_VERSIONS = 5
_MIN_PAIRS_FOR_HINT = 10
_TIMEOUT_HINT = "  the limit is --time; a bot gets its thinking time from MOVE_TIME_MS (make) or limit.time (Python)"
_ONE_SIDED = 0.9  # a score above it, or below one minus it, says little about the bot


class WatchView:
    """The state of a session as text; lines are printed at once unless `is_live`, when the display is redrawn."""

    def __init__(self, name: str, opponent: str, move_time_s: float, pairs: int, database: Path) -> None:
        self.versions: list[Version] = []
        self.is_live = False
        self._title = f"{name} against {opponent}, {move_time_s:g} s per move, at most {pairs} pairs of games"
        self._database = database
        self._state = ""
        self._build: BuildResult | None = None
        self._due = 0.0

    def set_state(self, state: str) -> None:
        """Say what happens now."""
        self._state = state
        self._echo(state)

    def set_build(self, result: BuildResult) -> None:
        """Show how a build ended."""
        self._build = result
        self._state = "playing" if result.succeeded else "waiting for a change of the source files"
        for line in self._describe_build():
            self._echo(line)

    def add_version(self, version: Version) -> None:
        """Show a new version; the one before it is kept for comparison."""
        self.versions.append(version)
        self._state = "playing"
        self._due = time.monotonic() + _PLAIN_EVERY_S
        self._echo(f"version {version.number}: playing against {version.opponent}")

    def add_record(self, record: GameRecord) -> None:
        """Add a game of the newest version; without a redrawn display, print the score now and then."""
        version = self.versions[-1]
        version.records.append(record)
        if record in version.failures[:1]:
            for line in describe_failure(record):
                self._echo(line)
        if time.monotonic() >= self._due:
            self._due = time.monotonic() + _PLAIN_EVERY_S
            for line in self._describe_scores(1):
                self._echo(line)

    def end_version(self) -> None:
        """Print the score of a version that has played all its games."""
        for line in self._describe_scores(1):
            self._echo(line)

    def summarise(self) -> list[str]:
        """Return the results of all versions, the newest first, and where the games are."""
        if not any(version.records for version in self.versions):
            return [self._title, "no game was finished"]
        database = quote_word(str(self._database))
        return [
            self._title,
            *self._describe_scores(len(self.versions)),
            f"List the lost games: fourfall games {database} --agent {quote_word(self.versions[-1].name)} --lost",
        ]

    def __rich__(self) -> RenderableType:
        lines = [Text(self._title, style="bold")]
        lines += [Text(line) for line in self._describe_scores(_SHOWN_VERSIONS)]
        lines += [Text(line, style="red") for line in self._describe_failures()]
        is_broken = self._build is not None and not self._build.succeeded
        lines += [Text(line, style="red" if is_broken else "green") for line in self._describe_build()]
        lines.append(Text(f"{self._state}; Ctrl-C ends", style="dim"))
        return Group(*lines)

    def _describe_scores(self, count: int) -> list[str]:
        """Return a line for each of the newest versions and the comparison of the last two."""
        shown = self.versions[-count:][::-1]
        lines = [describe_score(version) for version in shown]
        if len(self.versions) > 1:
            new, old = self.versions[-1], self.versions[-2]
            difference = compare_versions(new, old)
            if difference is not None:
                score = difference.score
                lines.append(
                    f"version {new.number} minus version {old.number}, common boards {difference.pairs}: "
                    f"{100 * score.value:+.1f} % ({100 * score.low:+.1f} to {100 * score.high:+.1f}): "
                    f"{difference.verdict}"
                )
        if self.versions and (hint := suggest_opponent(self.versions[-1])) is not None:
            lines.append(hint)
        return lines

    def _describe_failures(self) -> list[str]:
        failures = self.versions[-1].failures if self.versions else []
        return (
            []
            if not failures
            else [f"games lost by failure: {len(failures)}; the last one:", *describe_failure(failures[-1])]
        )

    def _describe_build(self) -> list[str]:
        if self._build is None:
            return []
        lines = clean_lines(self._build.output).rstrip().splitlines()
        if self._build.succeeded:
            warnings = [line for line in lines if "warning:" in line]
            return [f"built in {self._build.seconds:.1f} s", *warnings[:_ERROR_LINES]]
        left_out = len(lines) - _ERROR_LINES
        more = [f"and {left_out} more lines"] if left_out > 0 else []
        return ["the build failed:", *lines[:_ERROR_LINES], *more]

    def _echo(self, line: str) -> None:
        if not self.is_live:
            typer.echo(line)


def describe_score(version: Version) -> str:
    """Describe the score of a version in one line."""
    tally = version.tally
    results = tally.total
    if not results.games:
        return f"version {version.number}: no game yet"
    score = tally.score
    games = f"{results.games} {'game' if results.games == 1 else 'games'}"
    text = (
        f"version {version.number}: {100 * score.value:.1f} % ({100 * score.low:.1f} to {100 * score.high:.1f}) "
        f"in {games}: {results.wins} won, {results.draws} drawn, {results.losses} lost"
    )
    level = version.level
    return text if level is None else f"{text}; {describe_level(level)}"


def describe_level(estimate: LevelEstimate) -> str:
    """Describe an estimated level with its 95 % interval.

    >>> from fourfall.arena.ratings import Interval
    >>> describe_level(LevelEstimate(Interval(1204.0, 1110.2, 1300.0), 46, 42, 50))
    'level 46 (42 to 50)'
    >>> describe_level(LevelEstimate(Interval(1204.0, 1110.2, float("inf")), 88, 42, 102))
    'level 42 or above'
    """
    if estimate.high > 100:
        return f"level {max(estimate.low, 2)} or above"
    if estimate.low < 2:
        return f"level {max(estimate.high, 2)} or below"
    return f"level {estimate.level} ({estimate.low} to {estimate.high})"


def describe_failure(record: GameRecord) -> list[str]:
    """Say how an agent failed, what it wrote last, and how to reproduce it."""
    detail = f": {record.detail}" if record.detail else ""
    stderr = clean_lines(record.stderr.strip()).splitlines()[-_STDERR_LINES:]
    return [
        replace_control_characters(f"{record.ending} after {len(record.moves)} moves{detail}"),
        *(f"  {line}" for line in stderr),
        *([_TIMEOUT_HINT] if record.ending == Ending.TIMEOUT else []),
        f"  reproduce with: {replace_control_characters(record.reproducer)}",
    ]


def suggest_opponent(version: Version) -> str | None:
    """Suggest a level of the bot's strength if the opponent is much weaker or stronger; None if it is not."""
    level, tally = version.level, version.tally
    if level is None or sum(tally.pairs) < _MIN_PAIRS_FOR_HINT or 1 - _ONE_SIDED < tally.score.value < _ONE_SIDED:
        return None
    better = f"level-{min(max(level.level, 2), 100)}"
    is_weak = tally.score.value >= _ONE_SIDED
    if better == version.opponent:
        return None
    return f"{version.opponent} is too {'weak' if is_weak else 'strong'} to show small changes: use --against {better}"


class WatchDisplay:
    """Ends the display of a session with its summary."""

    def __init__(self, view: WatchView, live: Live | None) -> None:
        self._view = view
        self._live = live

    def finish(self) -> None:
        """Remove the redrawn display and print the summary."""
        if self._live is not None:
            self._live.stop()
        typer.echo("\n" + "\n".join(self._view.summarise()))


@contextmanager
def create_watch_display(view: WatchView) -> Iterator[WatchDisplay]:
    """Show a view while the context is open: redrawn on a terminal, as plain lines elsewhere."""
    console = Console(highlight=False)
    view.is_live = console.is_terminal
    if not view.is_live:
        yield WatchDisplay(view, None)
        return
    with Live(view, console=console, refresh_per_second=4, transient=True) as live:
        yield WatchDisplay(view, live)
