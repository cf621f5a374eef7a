"""Counts an agent's results and estimates its score and Elo difference with 95 % confidence intervals.

The unit of observation is the pair: two games on one board, each agent moving first once. Its two results are not
independent (a board may favour the first player), so intervals are computed from pair scores, which have five possible
values: 0, 1/4, 1/2, 3/4 and 1 (the pentanomial model). Games of incomplete pairs count as wins, draws and losses, but
not in an interval.

The interval of a mean pair score is the Wilson score interval of a proportion [E. B. Wilson, 1927] with three changes:
- A pair score with mean m has at most the variance m (1 - m) of a Bernoulli variable, so n pairs count as
  n m (1 - m) / v Bernoulli trials, where v is their variance.
- The variance is estimated with one added pseudo-pair of the largest variance, because ten equal results do not mean
  that the variance is 0.
- Student's quantile replaces the normal quantile, because the variance is estimated.
The interval lies in 0..1, has a positive width when all results are equal, and covers the true mean in at least 94 % of
simulated matches from the first pair on (see the tests).
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from fourfall.arena.judge import Ending
from fourfall.arena.record import GameRecord
from fourfall.arena.student_t import compute_student_probability, compute_student_quantile

ELO_PER_UNIT = 400 / math.log(10)
"""Elo difference of two agents whose odds of winning differ by a factor of e."""
PairCounts = tuple[int, int, int, int, int]
"""Numbers of pairs by an agent's points: 0, 1/2, 1, 3/2 and 2."""


@dataclass(frozen=True)
class Interval:
    """An estimate with the bounds of its 95 % confidence interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class ResultCounts:
    """Wins, draws and losses.

    >>> ResultCounts(3, 2, 1).points, ResultCounts(3, 2, 1).games
    (4.0, 6)
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0

    def __add__(self, other: "ResultCounts") -> "ResultCounts":
        return ResultCounts(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    @property
    def games(self) -> int:
        """Number of games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """One point per win, half a point per draw."""
        return self.wins + self.draws / 2


@dataclass(frozen=True)
class Tally:
    """Results of an agent as first and as second player, its pairs by points (0, 1/2, 1, 3/2, 2), and its failures.

    `unpaired` is the number of games in incomplete pairs.
    """

    agent: str
    first: ResultCounts = field(default_factory=ResultCounts)
    second: ResultCounts = field(default_factory=ResultCounts)
    pairs: PairCounts = (0, 0, 0, 0, 0)
    unpaired: int = 0
    failures: Counter[Ending] = field(default_factory=Counter)

    @property
    def total(self) -> ResultCounts:
        """Results of both sides together."""
        return self.first + self.second

    @property
    def score(self) -> Interval:
        """Share of points, with the interval of the complete pairs; 0.5 with the bounds 0 and 1 without games."""
        results = self.total
        interval = compute_pair_score_interval(self.pairs)
        if not self.unpaired or not results.games:
            return interval
        value = results.points / results.games
        return Interval(value, min(value, interval.low), max(value, interval.high))

    @property
    def elo(self) -> Interval:
        """Elo difference to the opponents that corresponds to the score."""
        score = self.score
        return Interval(
            convert_score_to_elo(score.value), convert_score_to_elo(score.low), convert_score_to_elo(score.high)
        )


def tally_games(records: Iterable[GameRecord], agent: str, opponent: str | None = None) -> Tally:
    """Count the games of an agent in the records of one event, against one opponent or against all.

    >>> from fourfall.arena.record import EXAMPLE
    >>> tally_games([EXAMPLE], "left").total, tally_games([EXAMPLE], "left").unpaired
    (ResultCounts(wins=1, draws=0, losses=0), 1)
    """
    sides = [ResultCounts(), ResultCounts()]
    failures: Counter[Ending] = Counter()
    games_of_pair: dict[tuple[str, int, str], list[tuple[int, float]]] = defaultdict(list)
    for record in records:
        if agent not in record.names or (opponent is not None and opponent not in record.names):
            continue
        side = record.names.index(agent)
        points = record.get_points(side)
        sides[side] += ResultCounts(int(points == 1), int(points == 0.5), int(points == 0))
        if record.culprit == side:
            failures[record.ending] += 1
        games_of_pair[record.group, record.pair, record.names[1 - side]].append((side, points))
    pairs = [0] * 5
    unpaired = 0
    for games in games_of_pair.values():
        if sorted(side for side, _ in games) == [0, 1]:
            pairs[round(2 * sum(points for _, points in games))] += 1
        else:
            unpaired += len(games)
    return Tally(agent, sides[0], sides[1], (pairs[0], pairs[1], pairs[2], pairs[3], pairs[4]), unpaired, failures)


def compute_pair_score_interval(pairs: PairCounts) -> Interval:
    """Return the mean score of pairs, counted by their points 0, 1/2, 1, 3/2 and 2, with its confidence interval.

    >>> compute_pair_score_interval((0, 0, 0, 0, 0))
    Interval(value=0.5, low=0.0, high=1.0)
    >>> interval = compute_pair_score_interval((0, 0, 0, 0, 50))
    >>> interval.value, round(interval.low, 3), interval.high
    (1.0, 0.925, 1.0)
    """
    count = sum(pairs)
    if count == 0:
        return Interval(0.5, 0.0, 1.0)
    mean, trials = _count_trials(pairs)
    z = compute_student_quantile(count)
    shrink = 1 / (1 + z * z / trials)
    middle = (mean + z * z / (2 * trials)) * shrink
    half_width = z * shrink * math.sqrt(mean * (1 - mean) / trials + (z / (2 * trials)) ** 2)
    # Rounding errors must not move a bound beyond the mean, or out of 0..1.
    return Interval(mean, max(0.0, min(mean, middle - half_width)), min(1.0, max(mean, middle + half_width)))


def compute_match_superiority(pairs: PairCounts) -> float:
    """Return the likelihood that the true score is above 1/2; it is 0.975 if the interval's lower bound is 1/2.

    >>> compute_match_superiority((1, 0, 2, 0, 1)), round(compute_match_superiority((0, 0, 0, 2, 2)), 3)
    (0.5, 0.963)
    """
    count = sum(pairs)
    if count == 0:
        return 0.5
    mean, trials = _count_trials(pairs)
    return compute_student_probability((mean - 0.5) * 2 * math.sqrt(trials), count)


def _count_trials(pairs: PairCounts) -> tuple[float, float]:
    """Return the mean score of pairs and the number of Bernoulli trials whose mean has the same variance."""
    count = sum(pairs)
    mean = sum(at / 4 * pairs[at] for at in range(5)) / count
    max_variance = mean * (1 - mean)
    variance = (sum((at / 4 - mean) ** 2 * pairs[at] for at in range(5)) + max_variance) / count
    return mean, count * max_variance / variance if max_variance > 0 else count


def convert_score_to_elo(score: float) -> float:
    """Return the Elo difference that corresponds to a score (logistic curve); infinite for 0 and 1.

    >>> round(convert_score_to_elo(0.75), 1), convert_score_to_elo(1.0), convert_score_to_elo(0.0)
    (190.8, inf, -inf)
    """
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return ELO_PER_UNIT * math.log(score / (1 - score))
