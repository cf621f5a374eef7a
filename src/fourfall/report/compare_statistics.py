"""Compares two versions of an agent from the games of their match: strength, sides, speed, failures.

All functions are pure. Pairs of games are the observations, as in `arena/ratings.py`.

**Speed.** The two games of a pair are played on the same board. The k-th move of NEW as first player is compared with
the k-th move of OLD as first player, and likewise for the second player. The median of the logarithms of these ratios
is one observation per pair, because moves of one game are not independent. Their median has a distribution-free
interval from order statistics.

**Sides.** The results alone do not show on which side NEW improved: if NEW scores x as first and y as second player,
then NEW as first compared with OLD as first is x - (1 - y), and NEW as second compared with OLD as second is
y - (1 - x), the same number. The evaluation of the positions separates the sides: it says which moves were mistakes.
NEW's gain as first player is the share of mistakes of OLD as first player less that of NEW as first player; likewise
as second player. The difference of the two gains has a jackknife interval over the pairs. Only moves count in which
the player had something to lose. The mean loss of win chance per move would not do: the first player has a higher win
chance to lose, so that a version that improves equally on both sides seems to improve more as first player.
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
from fourfall.arena.student_t import NORMAL_QUANTILE, compute_student_quantile

Verdict = Literal["better", "worse", "not better", "not worse", "undecided"]

MIN_SPEED_MS = 0.5
"""Smallest median time per move of the slower version; below it the time of the request itself dominates."""
_MIN_PAIRS = 6  # order statistics of fewer values have no 95 % interval


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


class MistakeCount(NamedTuple):
    """Number of mistakes among the moves in which there was something to lose."""

    mistakes: int
    moves: int

    @property
    def share(self) -> float:
        """Share of mistakes; 0 without moves."""
        return self.mistakes / self.moves if self.moves else 0.0


class SideMistakes(NamedTuple):
    """Mistakes of both versions as first and as second player."""

    new_first: MistakeCount
    old_first: MistakeCount
    new_second: MistakeCount
    old_second: MistakeCount

    def compute_difference(self) -> float:
        """Return NEW's gain as second player less its gain as first player."""
        new_first, old_first, new_second, old_second = (count.share for count in self)
        return (old_second - new_second) - (old_first - new_first)


@dataclass(frozen=True)
class SideGains:
    """Mistakes in all pairs, and by how much NEW gained more as second player than as first."""

    mistakes: SideMistakes
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
        rank = int(count / 2 - NORMAL_QUANTILE * math.sqrt(count) / 2) - 1
    return Interval(median(ordered), ordered[rank], ordered[count - 1 - rank])


def compute_side_gains(pairs: Sequence[SideMistakes]) -> SideGains | None:
    """Compare NEW's gains as first and as second player, with one entry per pair; None for fewer than six pairs.

    >>> better_as_second = [(MistakeCount(number, 8) for number in (3 + at % 2, 3, 1, 3)) for at in range(30)]
    >>> compute_side_gains([SideMistakes(*counts) for counts in better_as_second]).larger
    'second'
    """
    count = len(pairs)
    if count < _MIN_PAIRS:
        return None
    total = SideMistakes(*(_add_counts(counts) for counts in zip(*pairs, strict=True)))
    without = [SideMistakes(*map(_subtract, total, pair)) for pair in pairs]
    if any(not side.moves for mistakes in without for side in mistakes):
        return None
    values = [mistakes.compute_difference() for mistakes in without]
    mean = sum(values) / count
    variance = (count - 1) / count * sum((value - mean) ** 2 for value in values)
    difference = total.compute_difference()
    half_width = compute_student_quantile(count - 1) * math.sqrt(variance)
    return SideGains(total, Interval(difference, difference - half_width, difference + half_width), count)


def _add_counts(counts: Iterable[MistakeCount]) -> MistakeCount:
    mistakes, moves = (sum(numbers) for numbers in zip(*counts, strict=True))
    return MistakeCount(mistakes, moves)


def _subtract(total: MistakeCount, part: MistakeCount) -> MistakeCount:
    return MistakeCount(total.mistakes - part.mistakes, total.moves - part.moves)
