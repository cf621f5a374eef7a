"""Reads an event once, game by game, and makes the report from it."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from fourfall import __version__
from fourfall.agents.levels import LEVELS
from fourfall.arena.event_summary import find_event_state, load_sprt_state, summarise_sprt
from fourfall.arena.name_suggestions import suggest_names
from fourfall.arena.quick_gauntlet import find_quick_games
from fourfall.arena.record import GameRecord
from fourfall.arena.standings import Standing
from fourfall.arena.store import Event, Store, StoreError
from fourfall.arena.tables import format_sprt
from fourfall.report.boards import BoardResults
from fourfall.report.conditions import ConditionCollector
from fourfall.report.failures import FailureCollector
from fourfall.report.game_rows import DamagedGames, GameRow, read_records, read_rows
from fourfall.report.game_selection import GameSelection
from fourfall.report.model import (
    FORMAT_VERSION,
    EmbeddedGames,
    EventFacts,
    Focus,
    LengthCount,
    Report,
    Settings,
)
from fourfall.report.move_times import MoveTimeCollector
from fourfall.report.repeat import make_repeat_command, write_spec_file
from fourfall.report.report_game import ReportGame
from fourfall.report.results import GroupReport, GroupResults

_PROGRESS_EVERY = 1_000


@dataclass(frozen=True)
class ReportLimits:
    """How much a report contains: games on the replayable board, and failures with their stderr."""

    games: int = 200
    failures: int = 100


def choose_focus(event: Event, agent: str | None) -> Focus:
    """Choose whose games are reported: the given agent, else the first challenger of a gauntlet, else all agents."""
    if agent is not None:
        return Focus(agent, "option")
    challengers = [name for group in event.spec.groups for name in group.challengers] if event.spec else []
    return Focus(challengers[0], "challenger") if challengers else Focus(None, "all")


class ReportCollector:
    """Collects the statistics of an event game by game."""

    def __init__(self, event: Event, focus: Focus, limits: ReportLimits) -> None:
        self.event, self.focus = event, focus
        self.games = 0
        self.damaged = DamagedGames()
        members = event.spec.members if event.spec else {}
        self._groups = {name: GroupResults(agents) for name, agents in members.items()}
        self._boards = BoardResults(None if focus.agent is None else frozenset({focus.agent}))
        self._lengths: dict[int, list[int]] = {}
        self._times = MoveTimeCollector()
        self._failures = FailureCollector(limits.failures)
        self._conditions = ConditionCollector()
        self._endings: Counter[str] = Counter()
        self._first_player = [0, 0, 0]
        self.selection = GameSelection(focus.agent, limits.games)

    def add(self, row: GameRow) -> None:
        """Count a game."""
        self.games += 1
        group = self._groups.get(row.group)
        if group is None:
            group = self._groups[row.group] = GroupResults()
        group.add(row)
        result = 1 if row.winner is None else 0 if row.winner == 0 else 2
        self._first_player[result] += 1
        self._endings[row.ending] += 1
        self._lengths.setdefault(row.stones, [0, 0, 0])[result] += 1
        self._boards.add(row)
        self._times.add(row)
        self._failures.add(row)
        self._conditions.add(row)
        self.selection.add(row)

    def make_report(self, store: Store, games: list[ReportGame]) -> Report:
        """Return the report with these embedded games."""
        event, spec = self.event, self.event.spec
        test = load_sprt_state(store, event)
        quick_games = None if spec is None else find_quick_games(spec, event.planned)
        first, drawn, second = self._first_player
        lost = [game for game in games if game.analysis in ("found", "none", "lost start", "open")]
        return Report(
            format_version=FORMAT_VERSION,
            version=__version__,
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            event=EventFacts(
                database=store.path.name,
                id=event.id,
                name=event.name,
                state=find_event_state(store, event),
                games=self.games + self.damaged.count,
                planned=event.planned,
                created=event.created,
                damaged=self.damaged.count,
                damaged_examples=self.damaged.examples,
                spec_error=event.spec_error,
            ),
            focus=self.focus,
            groups=self._summarise_groups(),
            sprt=None if test is None else summarise_sprt(test),
            sprt_line=None if test is None or spec is None else format_sprt(test, spec),
            endings=dict(self._endings.most_common()),
            first_player=(first, drawn, second),
            sizes=self._boards.list_sizes(),
            holes=self._boards.list_holes(),
            lengths=[LengthCount(stones, *counts) for stones, counts in sorted(self._lengths.items())],
            times=self._times.summarise(),
            failures_total=self._failures.total,
            failure_counts=self._failures.list_counts(),
            failures=self._failures.choose(),
            games=EmbeddedGames(
                games=games,
                total=self.games,
                lost=self.selection.lost_total,
                wanted=len(lost),
                analysed=sum(game.analysis != "open" for game in lost),
            ),
            settings=Settings(
                spec=None if spec is None else spec.to_dict(),
                quick_games=quick_games,
                spec_file=None if spec is None or quick_games is not None else write_spec_file(spec),
                repeat_command=None if spec is None else make_repeat_command(spec, event.planned),
                conditions=self._conditions.summarise(),
            ),
        )

    def rank_groups(self) -> dict[str, list[Standing]]:
        """Rank the agents of each group, best first."""
        return {name: results.rank() for name, results in self._groups.items()}

    def _summarise_groups(self) -> list[GroupReport]:
        known = {group.name: group for group in self.event.spec.groups} if self.event.spec else {}
        agents = self.event.spec.agents if self.event.spec else ()
        level_of_name = {agent.name: agent.address for agent in agents if agent.address in LEVELS}
        reports = []
        for name, results in self._groups.items():
            group = known.get(name)
            form, challengers = ("", ()) if group is None else (group.format, group.challengers)
            reports.append(results.summarise(name, form, challengers, level_of_name))
        return reports


def read_event(
    store: Store,
    event: Event,
    agent: str | None = None,
    limits: ReportLimits | None = None,
    show_progress: Callable[[int], None] | None = None,
) -> ReportCollector:
    """Read all games of an event; StoreError if the agent has not played in it.

    `show_progress` is called with the number of games read so far.
    """
    focus = choose_focus(event, agent)
    collector = ReportCollector(event, focus, limits or ReportLimits())
    names: set[str] = set()
    for count, row in enumerate(read_rows(store.path, event.id, collector.damaged), 1):
        collector.add(row)
        names.update(row.names)
        if show_progress is not None and count % _PROGRESS_EVERY == 0:
            show_progress(count)
    if agent is not None and agent not in names:
        suggestion = suggest_names(agent, sorted(names))
        raise StoreError(f"{store.path}: no games of agent {agent!r} in event {event.id}{suggestion}")
    return collector


def load_records(store: Store, collector: ReportCollector) -> list[tuple[int, GameRecord]]:
    """Return the games that the report embeds, with their numbers, in the order of the database."""
    return sorted(read_records(store.path, collector.selection.choose()).items())


def is_lost(record: GameRecord, focus: Focus) -> bool:
    """Whether the agent in focus lost a game; without focus, whether anybody did.

    >>> from fourfall.arena.record import EXAMPLE
    >>> is_lost(EXAMPLE, Focus("right", "option")), is_lost(EXAMPLE, Focus("left", "option"))
    (True, False)
    """
    return record.winner is not None and focus.agent in (None, record.names[1 - record.winner])
