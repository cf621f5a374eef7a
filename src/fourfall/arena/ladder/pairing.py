"""Chooses which two agents of a ladder play next: a pure function of their ratings.

A game between i and j is informative if its result is hard to predict and the ratings are uncertain. With the predicted
score p of i and the standard deviations of both ratings in units of the logistic curve, a pair of games reduces the
entropy of the difference of the ratings by about

    gain = ½ ln(1 + 2 p (1 − p) (σᵢ² + σⱼ²))

p is the mean over the uncertainty of the difference [D. J. C. MacKay, The evidence framework applied to classification
networks, 1992]: a newcomer's strength is unknown, so any opponent is informative. A pairing is drawn with a probability
proportional to a power of its gain. Because σ falls with the number of games, newcomers play more.

An agent that is much stronger or weaker than all others would be paired rarely: every result of it is predictable. So
an agent with less than MIN_SHARE of the mean number of pairs plays next, against the opponent with the largest gain.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from fourfall.arena.ratings import ELO_PER_UNIT, Interval

MAX_DEVIATION = 350.0
"""Standard deviation of the rating of an agent about which nothing is known, in Elo."""
MIN_SHARE = 0.5
_SHARPNESS = 1.0
_NORMAL_QUANTILE = 1.96


@dataclass(frozen=True)
class Candidate:
    """An active agent: its rating and standard deviation in Elo, and its pairs of games, running ones included."""

    name: str
    rating: float = 0.0
    deviation: float = MAX_DEVIATION
    pairs: int = 0

    @classmethod
    def from_rating(cls, name: str, rating: Interval | None, pairs: int, running: int = 0) -> "Candidate":
        """Make a candidate from a rating with its 95 % interval; `running` pairs will make the rating more certain.

        >>> Candidate.from_rating("me", Interval(20, -10, 50), pairs=40).deviation
        15.306122448979592
        """
        if rating is None or not math.isfinite(rating.value):
            return cls(name, pairs=pairs + running, deviation=MAX_DEVIATION / math.sqrt(1 + running))
        half_width = (rating.high - rating.low) / 2
        deviation = min(half_width / _NORMAL_QUANTILE, MAX_DEVIATION)
        return cls(name, rating.value, deviation * math.sqrt((pairs + 1) / (pairs + running + 1)), pairs + running)


def choose_pairing(candidates: Sequence[Candidate], generator: random.Random) -> tuple[str, str]:
    """Return the names of the two agents that play next, in random order; there must be at least two candidates.

    >>> strong, weak, new = Candidate("strong", 800, 30, 50), Candidate("weak", -800, 30, 50), Candidate("new")
    >>> "new" in choose_pairing([strong, weak, new], random.Random(1))
    True
    """
    mean_pairs = sum(candidate.pairs for candidate in candidates) / len(candidates)
    fewest = min(candidate.pairs for candidate in candidates)
    pairings = list(combinations(candidates, 2))
    if fewest < MIN_SHARE * mean_pairs:
        behind = generator.choice([candidate for candidate in candidates if candidate.pairs == fewest])
        pairings = [pairing for pairing in pairings if behind in pairing]
    # The smallest float keeps the sum positive where every gain is rounded to 0.
    weights = [compute_information(*pairing) ** _SHARPNESS + math.ulp(0.0) for pairing in pairings]
    [(one, other)] = generator.choices(pairings, weights)
    return (one.name, other.name) if generator.random() < 0.5 else (other.name, one.name)


def compute_information(one: Candidate, other: Candidate) -> float:
    """Return the expected information of a pair of games about the difference of the ratings, in nats.

    >>> known, new = Candidate("known", 0, 20, 100), Candidate("new")
    >>> round(compute_information(known, known), 4), round(compute_information(known, new), 2)
    (0.0033, 0.46)
    """
    variance = (one.deviation**2 + other.deviation**2) / ELO_PER_UNIT**2
    difference = (one.rating - other.rating) / ELO_PER_UNIT
    score = 1 / (1 + math.exp(-difference / math.sqrt(1 + math.pi * variance / 8)))
    return 0.5 * math.log1p(2 * score * (1 - score) * variance)
