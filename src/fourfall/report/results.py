"""Counts the results of a group game by game, and makes its standings and its cross table."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from fourfall.arena.event_summary import (
    ELO_DIGITS,
    EloKind,
    Estimate,
    StandingSummary,
    WinsDrawsLosses,
    round_interval,
    summarise_standing,
)
from fourfall.arena.judge import Ending
from fourfall.arena.level_estimate import LevelPosterior
from fourfall.arena.rating_input import RatingInput
from fourfall.arena.ratings import ResultCounts, Tally
from fourfall.arena.standings import Standing, list_unconnected, rank_tallies
from fourfall.report.game_rows import GameRow

_ENDINGS = frozenset(ending.value for ending in Ending)


@dataclass(frozen=True)
class Pairing:
    """Results of an agent against one opponent, and its pairs by points: 0, 1/2, 1, 3/2, 2."""

    agent: str
    opponent: str
    first: WinsDrawsLosses
    second: WinsDrawsLosses
    pairs: tuple[int, int, int, int, int]
    unpaired: int
    failures: dict[str, int]

    @property
    def results(self) -> ResultCounts:
        """Results of both sides together."""
        return ResultCounts(*self.first) + ResultCounts(*self.second)


@dataclass(frozen=True)
class LevelSummary:
    """The level of an agent with its 95 % confidence interval, and its Elo difference to random play.

    The number 0 is below the weakest level, 102 above the strongest.
    """

    agent: str
    level: int
    low: int
    high: int
    elo: Estimate


@dataclass(frozen=True)
class GroupReport:
    """A group: format ("round-robin", "gauntlet" or "" if unknown), standings (best first) and all pairings.

    `elo_kind` and `unconnected` are those of `GroupSummary`. `levels` has the challengers that played only levels.
    """

    name: str
    format: str
    challengers: list[str]
    standings: list[StandingSummary]
    elo_kind: EloKind
    unconnected: list[list[str]]
    pairings: list[Pairing]
    levels: list[LevelSummary]


class GroupResults:
    """Results of one group of an event.

    Memory grows with the number of pairings, and of pairs whose second game is missing, but not with the games.
    """

    def __init__(self, members: Iterable[str] = ()) -> None:
        self._counts = RatingInput(members)
        self._failures: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)

    def add(self, row: GameRow) -> None:
        """Count a game."""
        first, second = row.names
        self._counts.add(first, second, row.winner, row.pair)
        if row.culprit is not None and row.ending in _ENDINGS:
            self._failures[row.names[row.culprit], row.names[1 - row.culprit]][row.ending] += 1

    def summarise(
        self, name: str, form: str, challengers: Sequence[str], level_of_name: Mapping[str, str]
    ) -> GroupReport:
        """Return the standings and the pairings; `level_of_name` has the agents that are levels."""
        tallies = self._tally_pairings()
        pairings = [_make_pairing(tally, opponent) for (_, opponent), tally in tallies.items()]
        ranked = self._rank(tallies)
        standings = [summarise_standing(rank, row) for rank, row in enumerate(ranked, 1)]
        kind: EloKind = "difference" if len(ranked) == 2 else "rating"
        levels = [estimate_level(agent, pairings, level_of_name) for agent in challengers]
        return GroupReport(
            name=name,
            format=form,
            challengers=list(challengers),
            standings=standings,
            elo_kind=kind,
            unconnected=list_unconnected(ranked),
            pairings=pairings,
            levels=[level for level in levels if level is not None],
        )

    def rank(self) -> list[Standing]:
        """Rank the agents, best first."""
        return self._rank(self._tally_pairings())

    def _rank(self, tallies: dict[tuple[str, str], Tally]) -> list[Standing]:
        totals = {name: Tally(name) for name in self._counts.names}
        for (agent, _), tally in tallies.items():
            totals[agent] = _add_tallies(totals[agent], tally)
        return rank_tallies(totals, self._counts)

    def _tally_pairings(self) -> dict[tuple[str, str], Tally]:
        tallies = {}
        for (one, other), counts in self._counts.get_pairings().items():
            for agent, opponent, is_first_name in ((one, other, True), (other, one, False)):
                failures = Counter({Ending(end): count for end, count in self._failures[agent, opponent].items()})
                tallies[agent, opponent] = make_tally(agent, counts, is_first_name, failures)
        return tallies


def estimate_level(agent: str, pairings: Iterable[Pairing], level_of_name: Mapping[str, str]) -> LevelSummary | None:
    """Estimate the level of an agent; None if it has not played, or also against other agents than levels."""
    posterior = LevelPosterior()
    own = [pairing for pairing in pairings if pairing.agent == agent]
    if not own or any(pairing.opponent not in level_of_name for pairing in own):
        return None
    for pairing in own:
        for results, is_first in ((pairing.first, True), (pairing.second, False)):
            for count, points in zip(results, (1.0, 0.5, 0.0), strict=True):
                for _ in range(count):
                    posterior.add(level_of_name[pairing.opponent], is_first=is_first, points=points)
    estimate = posterior.estimate()
    return LevelSummary(agent, estimate.level, estimate.low, estimate.high, round_interval(estimate.elo, ELO_DIGITS))


def make_tally(agent: str, counts: Sequence[int], is_first_name: bool, failures: Counter[Ending]) -> Tally:
    """Return the results of one agent of a pairing from the 15 counts of `RatingInput`.

    >>> results = RatingInput()
    >>> results.add("a", "b", 0, pair_key=1)
    >>> results.add("b", "a", None, pair_key=1)
    >>> tally = make_tally("b", results.get_pairings()["a", "b"], False, Counter())
    >>> tally.first, tally.second, tally.pairs
    (ResultCounts(wins=0, draws=1, losses=0), ResultCounts(wins=0, draws=0, losses=1), (0, 1, 0, 0, 0))
    """
    moved_first, moved_second, pairs = [0, 0, 0], [0, 0, 0], [0] * 5  # by the result: loss, draw, win
    for straight in range(3):
        for reverse in range(3):
            count = counts[3 * straight + reverse]
            mine, other = (straight, 2 - reverse) if is_first_name else (reverse, 2 - straight)
            moved_first[mine] += count
            moved_second[other] += count
            pairs[mine + other] += count
    for result in range(3):
        straight, reverse = counts[9 + result], counts[12 + result]
        moved_first[result] += straight if is_first_name else reverse
        moved_second[2 - result] += reverse if is_first_name else straight
    zero, half, one, three_halves, two = pairs
    first, second = (ResultCounts(side[2], side[1], side[0]) for side in (moved_first, moved_second))
    return Tally(agent, first, second, (zero, half, one, three_halves, two), sum(counts[9:15]), failures)


def _add_tallies(one: Tally, other: Tally) -> Tally:
    zero, half, whole, three_halves, two = (a + b for a, b in zip(one.pairs, other.pairs, strict=True))
    return Tally(
        one.agent,
        one.first + other.first,
        one.second + other.second,
        (zero, half, whole, three_halves, two),
        one.unpaired + other.unpaired,
        one.failures + other.failures,
    )


def _make_pairing(tally: Tally, opponent: str) -> Pairing:
    return Pairing(
        agent=tally.agent,
        opponent=opponent,
        first=(tally.first.wins, tally.first.draws, tally.first.losses),
        second=(tally.second.wins, tally.second.draws, tally.second.losses),
        pairs=tally.pairs,
        unpaired=tally.unpaired,
        failures={ending.value: count for ending, count in tally.failures.items()},
    )
