"""Summarises events as plain data: state, standings, cross tables, sequential test and games.

The command line (``--json``) and the web page serialise these dataclasses; a field has the same name in both. Infinite
bounds are None, because JSON has no infinity.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from fourfall.arena.event_claims import find_claim_holder
from fourfall.arena.ratings import Interval, ResultCounts
from fourfall.arena.record import GameRecord
from fourfall.arena.sprt import PairCounts, SprtState
from fourfall.arena.standings import Standing, list_unconnected, make_cross_table, rank_groups
from fourfall.arena.store import Event, Store, StoredGame

EventState = Literal["running", "stopped", "complete", "imported"]
EloKind = Literal["difference", "rating"]
WinsDrawsLosses = tuple[int, int, int]

_SCORE_DIGITS, ELO_DIGITS = 4, 1


@dataclass(frozen=True)
class Estimate:
    """An estimate with the bounds of its 95 % confidence interval; an infinite value is None."""

    value: float | None
    low: float | None
    high: float | None

    def to_interval(self, infinite: float = math.inf) -> Interval:
        """Return the interval with infinite bounds; `infinite` replaces a value that is None.

        >>> Estimate(12.3, None, 20.0).to_interval()
        Interval(value=12.3, low=-inf, high=20.0)
        """
        return Interval(
            infinite if self.value is None else self.value,
            -math.inf if self.low is None else self.low,
            math.inf if self.high is None else self.high,
        )


@dataclass(frozen=True)
class StandingSummary:
    """A row of the standings; `first` and `second` are the results as first and as second player."""

    rank: int
    agent: str
    games: int
    won: int
    drawn: int
    lost: int
    first: WinsDrawsLosses
    second: WinsDrawsLosses
    score: Estimate
    elo: Estimate
    failures: dict[str, int]


@dataclass(frozen=True)
class GroupSummary:
    """A group: its standings, best first, and the results of each agent (row) against each (column), in that order.

    `elo_kind` says whether `elo` in the standings is the difference to the opponent, in a group of two agents, or the
    rating relative to the mean. `unconnected` are the sets of agents whose ratings cannot be compared, because no games
    connect them; empty if all can.
    """

    name: str
    standings: list[StandingSummary]
    cross: list[list[WinsDrawsLosses | None]]
    elo_kind: EloKind
    unconnected: list[list[str]]


@dataclass(frozen=True)
class SprtSummary:
    """A sequential test: its hypotheses, the accepted one if decided, the log-likelihood ratio, and pairs by points."""

    elo0: float
    elo1: float
    accepted: float | None
    llr: float
    pairs: PairCounts


@dataclass(frozen=True)
class FinishedGame:
    """A finished game of an event; `id` is its number in the database."""

    id: int
    number: int
    names: tuple[str, str]
    winner: int | None
    ending: str
    moves: int


@dataclass(frozen=True)
class EventSummary:
    """An event without its games; `planned` is None for a ladder and for imported games."""

    id: int
    name: str
    state: EventState
    games: int
    planned: int | None
    created: str
    sprt: SprtSummary | None


def summarise_event(store: Store, event: Event, starting: int | None = None) -> EventSummary:
    """Summarise an event; `starting` is an event that counts as running although its process has not claimed it yet."""
    test = load_sprt_state(store, event)
    return EventSummary(
        id=event.id,
        name=event.name,
        state=find_event_state(store, event, starting),
        games=event.games,
        planned=event.planned,
        created=event.created,
        sprt=None if test is None else summarise_sprt(test),
    )


def find_event_state(store: Store, event: Event, starting: int | None = None) -> EventState:
    """Return whether an event is running, stopped (it can be resumed), complete or imported."""
    if event.planned is None and event.ladder is None:
        return "imported"
    if event.is_complete:
        return "complete"
    is_running = event.id == starting or find_claim_holder(store.path, event.id) is not None
    return "running" if is_running else "stopped"


def load_sprt_state(store: Store, event: Event) -> SprtState | None:
    """Compute the state of an event's sequential test from the stored games; None if it has no test."""
    if event.spec is None or event.spec.sprt is None:
        return None
    return SprtState(event.spec.sprt, store.list_results(event.id))


def summarise_sprt(test: SprtState) -> SprtSummary:
    """Summarise the state of a sequential test."""
    return SprtSummary(test.sprt.elo0, test.sprt.elo1, test.accepted, test.llr, test.pairs)


def summarise_groups(records: Sequence[GameRecord], event: Event) -> list[GroupSummary]:
    """Summarise every group of an event from the records of its games."""
    groups = []
    for name, rows in rank_groups(records, event.spec.members if event.spec else None).items():
        table = make_cross_table(record for record in records if record.group == name)
        cross = [[_get_cell(table.get((row.name, other.name))) for other in rows] for row in rows]
        standings = [summarise_standing(rank, row) for rank, row in enumerate(rows, 1)]
        kind: EloKind = "difference" if len(rows) == 2 else "rating"
        groups.append(GroupSummary(name, standings, cross, kind, list_unconnected(rows)))
    return groups


def summarise_standing(rank: int, row: Standing) -> StandingSummary:
    """Summarise a row of the standings."""
    total = row.tally.total
    return StandingSummary(
        rank=rank,
        agent=row.name,
        games=total.games,
        won=total.wins,
        drawn=total.draws,
        lost=total.losses,
        first=_get_counts(row.tally.first),
        second=_get_counts(row.tally.second),
        score=round_interval(row.tally.score, _SCORE_DIGITS),
        elo=round_interval(row.rating, ELO_DIGITS),
        failures={ending.value: count for ending, count in row.tally.failures.items()},
    )


def summarise_game(game: StoredGame) -> FinishedGame:
    """Summarise a finished game."""
    record = game.record
    return FinishedGame(game.id, record.number, record.names, record.winner, record.ending.value, len(record.moves))


def _get_counts(results: ResultCounts) -> WinsDrawsLosses:
    return results.wins, results.draws, results.losses


def _get_cell(results: ResultCounts | None) -> WinsDrawsLosses | None:
    return None if results is None else _get_counts(results)


def round_interval(interval: Interval, digits: int) -> Estimate:
    """Round an interval; infinite values become None.

    >>> round_interval(Interval(12.34, -math.inf, 20.0), 1)
    Estimate(value=12.3, low=None, high=20.0)
    """
    value, low, high = (
        round(bound, digits) + 0.0 if math.isfinite(bound) else None  # -0.0 becomes 0.0
        for bound in (interval.value, interval.low, interval.high)
    )
    return Estimate(value, low, high)
