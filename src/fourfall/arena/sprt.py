"""Sequential test of a match: decides after how many pairs one of two hypotheses about the Elo difference is accepted.

The hypotheses are two Elo differences, elo0 < elo1, of the first agent. After every pair the logarithm of their
likelihood ratio (LLR) is compared with two bounds [A. Wald, Sequential tests of statistical hypotheses, 1945]: elo0 is
accepted at or below the lower bound, elo1 at or above the upper one. Each error probability is about 5 %.

A hypothesis fixes the mean pair score, but not the probabilities of the five pair scores. The test is therefore the
generalized one, which uses for each hypothesis the most likely distribution with its mean [M. Van den Bergh, A
practical introduction to the GSPRT]. With p the observed frequencies of the pair scores a, the most likely
distribution with mean s is

    q = p / (1 + t (a - s)),  with t such that the sum of q (a - s) is 0

(t is a Lagrange multiplier), and after n pairs LLR = n sum p log(q1 / q0). For small differences the normal
approximation n (s1 - s0) (2 m - s0 - s1) / 2 v follows, where m and v are the mean and the variance of the pair scores.
The exact ratio costs little more and is also right for scores near 0 and 1.

A small sample underestimates the variance of pairs; equal pairs would have none. As in `ratings`, the frequencies
therefore include one pseudo-pair of the largest possible variance: won with probability m and lost with 1 - m, where m
is the mean score, moved towards 1/2 by half a pair so that neither probability is 0. It counts in p, not in n.

Pairs count in the order of the schedule, up to the first incomplete pair. Games played in parallel end in another
order: short games first, and those are more often wins of one side, so counting pairs as they end would be biased. In
schedule order the test has the same result for any number of workers. It ends with the first pair that takes the LLR
out of its bounds. Games in progress at that moment are finished and stored, but do not count in the test.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

PairCounts = tuple[int, int, int, int, int]
"""Numbers of pairs by the points of the first agent: 0, 1/2, 1, 3/2 and 2."""
GameResult = tuple[int, int | None]
"""The number of a game in the schedule, and the winning player: 0, 1 or None."""

ERROR_PROBABILITY = 0.05  # of either kind
UPPER = math.log((1 - ERROR_PROBABILITY) / ERROR_PROBABILITY)
LOWER = -UPPER
MAX_ELO = 1000.0  # a score of 0.997; larger differences would need too many games

_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
_MAX_STEPS = 100
_TOLERANCE = 1e-12


@dataclass(frozen=True)
class Sprt:
    """Two hypotheses: the first agent is stronger by `elo0`, or by `elo1`, which is larger."""

    elo0: float
    elo1: float

    def compute_llr(self, pairs: PairCounts) -> float:
        """Return the log-likelihood ratio after these pairs.

        >>> round(Sprt(0, 30).compute_llr((20, 10, 60, 20, 40)), 2), round(Sprt(0, 30).compute_llr((0, 0, 0, 0, 40)), 2)
        (3.55, 3.3)
        """
        count = sum(pairs)
        if count == 0:
            return 0.0
        mean = (sum(score * pair for score, pair in zip(_SCORES, pairs, strict=True)) + 0.5) / (count + 1)
        pseudo_pair = (1 - mean, 0.0, 0.0, 0.0, mean)
        frequencies = [(pair + extra) / (count + 1) for pair, extra in zip(pairs, pseudo_pair, strict=True)]
        divergences = [_compute_divergence(frequencies, convert_elo_to_score(elo)) for elo in (self.elo0, self.elo1)]
        return count * (divergences[0] - divergences[1])


class SprtState:
    """A test in progress: the pairs that count so far, and their log-likelihood ratio.

    >>> state = SprtState(Sprt(0, 200), [(0, 0), (2, 0), (3, 1)])
    >>> state.pairs  # the second game of the first pair is missing
    (0, 0, 0, 0, 0)
    >>> state.add(1, None)
    >>> state.pairs, state.accepted
    ((0, 0, 0, 1, 1), None)
    """

    def __init__(self, sprt: Sprt, results: Iterable[GameResult] = ()) -> None:
        self.sprt = sprt
        self.llr = 0.0
        self._pairs = [0] * 5
        self._waiting: dict[int, int] = {}  # half points of the first agent in games that do not count yet
        self._next = 0
        for number, winner in results:
            self.add(number, winner)

    def add(self, number: int, winner: int | None) -> None:
        """Add a finished game. The agents change sides within a pair: the first agent is player 1 in odd games."""
        self._waiting[number] = 1 if winner is None else 2 * (winner == number % 2)
        while self.accepted is None and self._next in self._waiting and self._next + 1 in self._waiting:
            self._pairs[self._waiting.pop(self._next) + self._waiting.pop(self._next + 1)] += 1
            self._next += 2
            self.llr = self.sprt.compute_llr(self.pairs)

    @property
    def pairs(self) -> PairCounts:
        """The pairs that count, by points."""
        zero, half, one, three_halves, two = self._pairs
        return zero, half, one, three_halves, two

    @property
    def accepted(self) -> float | None:
        """The accepted Elo difference, or None while the test is undecided."""
        if LOWER < self.llr < UPPER:
            return None
        return self.sprt.elo1 if self.llr > 0 else self.sprt.elo0


def convert_elo_to_score(elo: float) -> float:
    """Return the expected score for an Elo difference.

    >>> convert_elo_to_score(0), round(convert_elo_to_score(30), 3)
    (0.5, 0.543)
    """
    return 1 / (1 + 10 ** (-elo / 400))


def _compute_divergence(frequencies: list[float], mean: float) -> float:
    """Return the Kullback-Leibler divergence, the sum of p log(p / q), of the most likely distribution with this mean.

    The smallest and the largest score have positive frequencies, so the function whose root is the multiplier decreases
    from infinity to minus infinity between the two multipliers at which q has a pole. Newton's method finds the root;
    a step out of the bracket is replaced by bisection.
    """
    terms = [(frequency, score - mean) for frequency, score in zip(frequencies, _SCORES, strict=True) if frequency]
    low, high = -1 / (1 - mean), 1 / mean
    multiplier = 0.0
    for _ in range(_MAX_STEPS):
        ratios = [(frequency, distance / (1 + multiplier * distance)) for frequency, distance in terms]
        value = sum(frequency * ratio for frequency, ratio in ratios)
        if value > 0:
            low = multiplier
        else:
            high = multiplier
        step = multiplier + value / sum(frequency * ratio * ratio for frequency, ratio in ratios)
        before, multiplier = multiplier, step if low < step < high else (low + high) / 2
        if abs(multiplier - before) <= _TOLERANCE:
            break
    return sum(frequency * math.log1p(multiplier * distance) for frequency, distance in terms)
