"""Everything a report shows, as plain data: the HTML file, ``--json`` and the figures are made from it.

docs/report.md describes the fields. Infinite bounds are None, because JSON has no infinity.
"""

from dataclasses import dataclass
from typing import Any, Literal

from fourfall.arena.event_summary import EventState, SprtSummary
from fourfall.report.boards import BoardResult
from fourfall.report.conditions import GameConditions
from fourfall.report.failures import Failure, FailureCount
from fourfall.report.move_times import MoveTimes
from fourfall.report.report_game import ReportGame
from fourfall.report.results import GroupReport

FORMAT_VERSION = 1
FocusReason = Literal["option", "challenger", "all"]


@dataclass(frozen=True)
class EventFacts:
    """The event: `games` are stored, of which `damaged` could not be read; `planned` is None for imported games."""

    database: str
    id: int
    name: str
    state: EventState
    games: int
    planned: int | None
    created: str
    damaged: int
    damaged_examples: list[int]
    spec_error: str | None


@dataclass(frozen=True)
class Focus:
    """The agent whose lost games and boards are reported; None for all agents. `reason` says how it was chosen."""

    agent: str | None
    reason: FocusReason


@dataclass(frozen=True)
class LengthCount:
    """Number of games that ended with this number of stones, by the winner."""

    stones: int
    first_won: int
    drawn: int
    second_won: int


@dataclass(frozen=True)
class EmbeddedGames:
    """The games on the replayable board. `lost` counts the lost games of the focus in the event, shown or not.

    `analysed` counts the games whose turning point was searched, `wanted` those for which it should be.
    """

    games: list[ReportGame]
    total: int
    lost: int
    wanted: int
    analysed: int


@dataclass(frozen=True)
class Settings:
    """How the event was set up, and how to play it again; without a spec (imported games) only the conditions.

    `quick_games` is the number of games of a quick gauntlet. It has no spec file, because `fourfall tournament` would
    play all games of the spec.
    """

    spec: dict[str, Any] | None
    quick_games: int | None
    spec_file: str | None
    repeat_command: str | None
    conditions: GameConditions


@dataclass(frozen=True)
class Report:
    """A whole report; `version` and `created` belong to the report, not to the games."""

    format_version: int
    version: str
    created: str
    event: EventFacts
    focus: Focus
    groups: list[GroupReport]
    sprt: SprtSummary | None
    sprt_line: str | None
    endings: dict[str, int]
    first_player: tuple[int, int, int]
    sizes: list[BoardResult]
    holes: list[BoardResult]
    lengths: list[LengthCount]
    times: list[MoveTimes]
    failures_total: int
    failure_counts: list[FailureCount]
    failures: list[Failure]
    games: EmbeddedGames
    settings: Settings

    @property
    def read_games(self) -> int:
        """Number of games that could be read."""
        return self.event.games - self.event.damaged
