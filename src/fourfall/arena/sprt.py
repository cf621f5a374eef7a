"""Owns the sequential test of a match: after how many pairs it can be said that one agent is stronger, or is not.

Two hypotheses name a difference in Elo, from the point of view of the first agent. After every pair the logarithm of
their likelihood ratio (LLR) is compared with two bounds [A. Wald, Sequential tests of statistical hypotheses, 1945]:
below the lower one elo0 is accepted, above the upper one elo1. Each is accepted wrongly about 5 times in 100.

A hypothesis fixes the mean pair score and not the five chances of a pair, so the ratio is the generalized one: each
hypothesis is given the likeliest distribution that has its mean [M. Van den Bergh, A practical introduction to the
GSPRT]. With p the frequencies of the pair scores a, the likeliest distribution of mean s is

    q = p / (1 + t (a - s)),  with t such that the sum of q (a - s) is 0

(a Lagrange multiplier), and the ratio after n pairs is LLR = n sum p log(q1 / q0). The normal approximation
n (s1 - s0) (2 m - s0 - s1) / 2 v follows from it for small differences; the ratio itself costs little more and is also
right for scores near 0 and 1.

Few pairs understate how much pairs vary, and equal ones say that they do not at all. As in `ratings`, the frequencies
hold one imagined pair of the largest possible variance: won with the chance m and lost with 1 - m, where m is the mean
score, moved by half a pair towards the middle so that neither is ever 0. It enters p and not n.

Pairs count in the order of the schedule, up to the first that is not complete. Games at once end in another order: the
short ones first, and those are more often wins of one side. Counted as they end, the first pairs would be a biased
choice; in their order the test is the same whatever the number of workers. It ends with the first pair that takes the
ratio out of its bounds. Games that were in flight then are finished and kept, and change nothing.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

Pairs = tuple[int, int, int, int, int]
Result = tuple[int, int | None]
"""The number of a game in the schedule, and which side won."""

ERROR = 0.05  # of either kind
UPPER = math.log((1 - ERROR) / ERROR)
LOWER = -UPPER
MAX_ELO = 1000.0  # a score of 0.997; beyond it no match is long enough

_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
_STEPS = 100
_EXACT = 1e-12


@dataclass(frozen=True)
class Sprt:
    """A test of two hypotheses: the first agent is stronger by elo0, or by elo1, which is more."""

    elo0: float
    elo1: float

    def llr(self, pairs: Pairs) -> float:
        """Return the ratio after these pairs, counted by the points 0, 1/2, 1, 3/2 and 2 of the first agent.

        >>> round(Sprt(0, 30).llr((20, 10, 60, 20, 40)), 2), round(Sprt(0, 30).llr((0, 0, 0, 0, 40)), 2)
        (3.55, 3.3)
        """
        count = sum(pairs)
        if count == 0:
            return 0.0
        mean = (sum(score * pair for score, pair in zip(_SCORES, pairs, strict=True)) + 0.5) / (count + 1)
        imagined = (1 - mean, 0.0, 0.0, 0.0, mean)
        shares = [(pair + extra) / (count + 1) for pair, extra in zip(pairs, imagined, strict=True)]
        return count * (_divergence(shares, expected(self.elo0)) - _divergence(shares, expected(self.elo1)))


class Walk:
    """A test in progress: the pairs that count, and the ratio after them.

    >>> walk = Walk(Sprt(0, 200), [(0, 0), (2, 0), (3, 1)])
    >>> walk.pairs  # the second game of the first pair is not there yet
    (0, 0, 0, 0, 0)
    >>> walk.add(1, None)
    >>> walk.pairs, walk.accepted
    ((0, 0, 0, 1, 1), None)
    """

    def __init__(self, test: Sprt, results: Iterable[Result] = ()) -> None:
        self.test = test
        self.llr = 0.0
        self._pairs = [0] * 5
        self._ahead: dict[int, int] = {}  # half points of the first agent in games that do not count yet
        self._next = 0
        for number, winner in results:
            self.add(number, winner)

    def add(self, number: int, winner: int | None) -> None:
        """Take a finished game; the agents change sides within a pair, so the first one is second in odd games."""
        self._ahead[number] = 1 if winner is None else 2 * (winner == number % 2)
        while self.accepted is None and self._next in self._ahead and self._next + 1 in self._ahead:
            self._pairs[self._ahead.pop(self._next) + self._ahead.pop(self._next + 1)] += 1
            self._next += 2
            self.llr = self.test.llr(self.pairs)

    @property
    def pairs(self) -> Pairs:
        """The pairs that count, by points."""
        lost, half, even, more, won = self._pairs
        return lost, half, even, more, won

    @property
    def accepted(self) -> float | None:
        """The difference in Elo that is accepted, as soon as one is."""
        if LOWER < self.llr < UPPER:
            return None
        return self.test.elo1 if self.llr > 0 else self.test.elo0


def expected(elo: float) -> float:
    """Return the score that a difference in Elo means.

    >>> expected(0), round(expected(30), 3)
    (0.5, 0.543)
    """
    return 1 / (1 + 10 ** (-elo / 400))


def _divergence(shares: list[float], mean: float) -> float:
    """Return by how much the likeliest distribution of this mean explains a pair worse than the shares themselves.

    It is the sum of p log(p / q). Both ends have a share, so what is to be 0 falls from infinity to minus infinity
    between the two multipliers at which q would be infinite: Newton's method, kept between bounds, finds the place.
    """
    terms = [(share, score - mean) for share, score in zip(shares, _SCORES, strict=True) if share]
    low, high = -1 / (1 - mean), 1 / mean
    multiplier = 0.0
    for _ in range(_STEPS):
        slopes = [(share, distance / (1 + multiplier * distance)) for share, distance in terms]
        value = sum(share * slope for share, slope in slopes)
        if value > 0:
            low = multiplier
        else:
            high = multiplier
        step = multiplier + value / sum(share * slope * slope for share, slope in slopes)
        before, multiplier = multiplier, step if low < step < high else (low + high) / 2
        if abs(multiplier - before) <= _EXACT:
            break
    return sum(share * math.log1p(multiplier * distance) for share, distance in terms)
