"""Compares two versions of an agent from the games of their match: strength, sides, speed, failures.

All functions are pure. Pairs of games are the observations, as in `arena/ratings.py`.

**Speed.** The two games of a pair are played on the same board. The k-th move of NEW as first player is compared with
the k-th move of OLD as first player, and likewise for the second player. The median of the logarithms of these ratios
is one observation per pair, because moves of one game are not independent. Their median has a distribution-free
interval from order statistics.

**Sides.** The results alone do not show on which side NEW improved: if NEW scores x as first and y as second player,
then NEW as first compared with OLD as first is x - (1 - y), and NEW as second compared with OLD as second is
y - (1 - x), the same number. The evaluation of the positions separates the sides: in each game it says how much win
chance each player lost per move. NEW's gain as first player in a pair is the loss per move of OLD as first player less
that of NEW as first player; likewise as second player. A paired t test says whether the two gains differ.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal, NamedTuple

from fourfall.arena.judge import Ending
from fourfall.arena.ratings import (
    Interval,
    ResultCounts,
    compute_pair_score_interval,
    convert_score_to_elo,
    tally_games,
)
from fourfall.arena.record import GameRecord
from fourfall.arena.sprt import SprtState
from fourfall.arena.student_t import compute_student_quantile

Verdict = Literal["better", "worse", "not better", "not worse", "undecided"]

MIN_SPEED_MS = 0.5
"""Smallest median time per move of the slower version; below it the time of the request itself dominates."""
_MIN_PAIRS = 6  # order statistics of fewer values have no 95 % interval
_NORMAL_QUANTILE = 1.959963984540054


class Pair(NamedTuple):
    """The two games of a pair: NEW moves first in `new_first`, OLD in `old_first`."""

    new_first: GameRecord
    old_first: GameRecord


@dataclass(frozen=True)
class Speed:
    """Time of NEW per time of OLD on comparable moves, and the median times per move in milliseconds."""

    ratio: Interval
    new_ms: float
    old_ms: float
    pairs: int


class SideLosses(NamedTuple):
    """Win chance that each version lost per move in the games of a pair, as first and as second player."""

    new_first: float
    old_first: float
    new_second: float
    old_second: float


@dataclass(frozen=True)
class SideGains:
    """Mean losses per move over the pairs, and by how much NEW gained more as second player than as first."""

    losses: SideLosses
    difference: Interval
    pairs: int

    @property
    def larger(self) -> Literal["first", "second"] | None:
        """The side of the significantly larger gain, or None."""
        if self.difference.low > 0:
            return "second"
        return "first" if self.difference.high < 0 else None


@dataclass(frozen=True)
class Comparison:
    """The result of a match between two versions; strength and pairs are those that count in the sequential test.

    `first` and `second` are NEW's results. `is_identical` says that both played the same moves in all pairs.
    """

    new: str
    old: str
    verdict: Verdict
    elo: Interval
    pairs: int
    games: int
    first: ResultCounts
    second: ResultCounts
    is_identical: bool
    speed: Speed | None
    new_failures: Counter[Ending]
    old_failures: Counter[Ending]


def compare_versions(records: Sequence[GameRecord], test: SprtState, new: str, old: str) -> Comparison:
    """Compare two versions; `new` and `old` are their names in the records, `test` is the sequential test of NEW."""
    score = compute_pair_score_interval(test.pairs)
    elo = Interval(*(convert_score_to_elo(value) for value in (score.value, score.low, score.high)))
    mine, theirs = tally_games(records, new, old), tally_games(records, old, new)
    pairs = list_pairs(records, new)
    return Comparison(
        new=new,
        old=old,
        verdict=decide_verdict(test, elo),
        elo=elo,
        pairs=sum(test.pairs),
        games=len(records),
        first=mine.first,
        second=mine.second,
        is_identical=bool(pairs) and all(map(is_equal_pair, pairs)),
        speed=compare_speed(pairs),
        new_failures=mine.failures,
        old_failures=theirs.failures,
    )


def decide_verdict(test: SprtState, elo: Interval) -> Verdict:
    """Say in one word what the test decided; nothing is claimed that neither the test nor the interval shows.

    >>> from fourfall.arena.sprt import Sprt
    >>> decide_verdict(SprtState(Sprt(0, 30)), Interval(9.0, 1.0, 17.0))
    'undecided'
    """
    if test.accepted is None:
        return "undecided"
    if elo.low > 0 or elo.high < 0:
        return "better" if elo.low > 0 else "worse"
    return "not better" if test.accepted == test.sprt.elo0 else "not worse"


def list_pairs(records: Iterable[GameRecord], new: str) -> list[Pair]:
    """Return the complete pairs in the order of the schedule."""
    games: dict[int, dict[int, GameRecord]] = defaultdict(dict)
    for record in records:
        games[record.pair][record.names.index(new)] = record
    return [Pair(pair[0], pair[1]) for _, pair in sorted(games.items()) if len(pair) == 2]


def is_equal_pair(pair: Pair) -> bool:
    """Whether both versions played the same moves as first and as second player, and the games ended alike."""
    one, other = pair
    return (one.board, one.moves, one.winner, one.ending) == (other.board, other.moves, other.winner, other.ending)


def compare_speed(pairs: Sequence[Pair]) -> Speed | None:
    """Compare the times of comparable moves; None if there are not enough."""
    logarithms, new_times, old_times = [], [], []
    for pair in pairs:
        ratios = []
        for side in (0, 1):
            new_game, old_game = (pair.new_first, pair.old_first) if side == 0 else (pair.old_first, pair.new_first)
            for new_ms, old_ms in zip(_list_times(new_game, side), _list_times(old_game, side), strict=False):
                if min(new_ms, old_ms) > 0:
                    ratios.append(math.log(new_ms / old_ms))
                    new_times.append(new_ms)
                    old_times.append(old_ms)
        if ratios:
            logarithms.append(median(ratios))
    interval = compute_median_interval(logarithms)
    if interval is None or max(median(new_times), median(old_times)) < MIN_SPEED_MS:
        return None
    ratio = Interval(math.exp(interval.value), math.exp(interval.low), math.exp(interval.high))
    return Speed(ratio, median(new_times), median(old_times), len(logarithms))


def _list_times(record: GameRecord, side: int) -> list[float]:
    """Return the times of a player's moves, without a failed request at the end."""
    opening = len(record.final_board.moves) - len(record.moves)
    return [time for at, time in enumerate(record.times_ms[: len(record.moves)]) if (opening + at) % 2 == side]


def compute_median_interval(values: Sequence[float]) -> Interval | None:
    """Return the median with its distribution-free 95 % interval; None for fewer than six values.

    The bounds are order statistics: the number of values below the true median has a binomial distribution.

    >>> compute_median_interval([1, 2, 3, 4, 5, 6])
    Interval(value=3.5, low=1, high=6)
    >>> compute_median_interval([1, 2, 3]) is None
    True
    """
    count = len(values)
    if count < _MIN_PAIRS:
        return None
    ordered = sorted(values)
    rank, below = 0, 0.5**count if count < 1000 else 0.0
    if count < 1000:
        term = below
        while below + (term := term * (count - rank) / (rank + 1)) <= 0.025:
            below += term
            rank += 1
    else:
        rank = int(count / 2 - _NORMAL_QUANTILE * math.sqrt(count) / 2) - 1
    return Interval(median(ordered), ordered[rank], ordered[count - 1 - rank])


def compute_side_gains(losses: Sequence[SideLosses]) -> SideGains | None:
    """Compare NEW's gains as first and as second player, with one entry per pair; None for fewer than six pairs.

    >>> losses = [SideLosses(0.05, 0.05 + noise, 0.02, 0.05) for noise in (-0.01, 0, 0.01) * 3]
    >>> compute_side_gains(losses).larger
    'second'
    """
    count = len(losses)
    if count < _MIN_PAIRS:
        return None
    means = SideLosses(*(sum(values) / count for values in zip(*losses, strict=True)))
    differences = [pair.old_second - pair.new_second - (pair.old_first - pair.new_first) for pair in losses]
    mean = sum(differences) / count
    variance = sum((difference - mean) ** 2 for difference in differences) / (count - 1)
    half_width = compute_student_quantile(count - 1) * math.sqrt(variance / count)
    return SideGains(means, Interval(mean, mean - half_width, mean + half_width), count)
