"""Chooses which two agents of a ladder play next: a pure function of their ratings.

A game is informative if its result is hard to predict and the ratings are uncertain. With the predicted score p and
the standard deviations s1 and s2 of both ratings, in units of the logistic curve, a pair of games reduces the entropy
of the difference of the ratings by about

    gain = 1/2 ln(1 + 2 p (1 - p) (s1^2 + s2^2))

p is the mean over the uncertainty of the difference [D. J. C. MacKay, The evidence framework applied to classification
networks, 1992]: a newcomer's strength is unknown, so any opponent is informative. A pairing is drawn with a probability
proportional to its gain. Because the standard deviation falls with the number of games, newcomers play more.

Two rules come first:
- Ratings can be compared only if games connect the agents. While an agent is not connected with the others, it plays
  next, against an agent that is.
- An agent that is much stronger or weaker than all others would be paired rarely, because its results are predictable.
  An agent with less than MIN_SHARE of the mean number of pairs plays next.
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
_NORMAL_QUANTILE = 1.96


@dataclass(frozen=True)
class Candidate:
    """An active agent: its rating and standard deviation in Elo, and its pairs of games, running ones included.

    `is_connected` says whether games connect it with most of the other agents.
    """

    name: str
    rating: float = 0.0
    deviation: float = MAX_DEVIATION
    pairs: int = 0
    is_connected: bool = False

    @classmethod
    def from_rating(
        cls, name: str, rating: Interval | None, pairs: int, *, running: int = 0, is_connected: bool = True
    ) -> "Candidate":
        """Make a candidate from a rating with its 95 % interval; `running` pairs will make the rating more certain.

        >>> round(Candidate.from_rating("me", Interval(20, -10, 50), pairs=40).deviation, 1)
        15.3
        >>> round(Candidate.from_rating("me", Interval(20, -10, 50), pairs=0, running=1).deviation, 1)
        10.8
        """
        value, deviation = 0.0, MAX_DEVIATION
        if rating is not None and math.isfinite(rating.value):
            value = rating.value
            deviation = min((rating.high - rating.low) / 2 / _NORMAL_QUANTILE, MAX_DEVIATION)
        deviation *= math.sqrt((pairs + 1) / (pairs + running + 1))
        return cls(name, value, deviation, pairs + running, is_connected or running > 0)


def choose_pairing(candidates: Sequence[Candidate], generator: random.Random) -> tuple[str, str]:
    """Return the names of the two agents that play next, in random order; there must be at least two candidates.

    >>> old = [Candidate("strong", 400, 30, 50, True), Candidate("weak", -400, 30, 50, True)]
    >>> "new" in choose_pairing([*old, Candidate("new")], random.Random(1))
    True
    """
    pairings = list(combinations(candidates, 2))
    if any(candidate.is_connected for candidate in candidates):
        connecting = [(one, other) for one, other in pairings if one.is_connected != other.is_connected]
        pairings = connecting or pairings
    fewest = min(candidate.pairs for candidate in candidates)
    if fewest < MIN_SHARE * sum(candidate.pairs for candidate in candidates) / len(candidates):
        behind = [pairing for pairing in pairings if fewest in (pairing[0].pairs, pairing[1].pairs)]
        pairings = behind or pairings
    # The smallest float keeps the sum positive where every gain is rounded to 0.
    weights = [compute_information(one, other) + math.ulp(0.0) for one, other in pairings]
    [(one, other)] = generator.choices(pairings, weights)
    return (one.name, other.name) if generator.random() < 0.5 else (other.name, one.name)


def compute_information(one: Candidate, other: Candidate) -> float:
    """Return the expected information of a pair of games about the difference of the ratings, in nats.

    >>> known, new = Candidate("known", 0, 20, 100), Candidate("new")
    >>> round(compute_information(known, known), 4), round(compute_information(known, new), 2)
    (0.0066, 0.56)
    """
    variance = (one.deviation**2 + other.deviation**2) / ELO_PER_UNIT**2
    difference = abs(one.rating - other.rating) / ELO_PER_UNIT
    score = 1 / (1 + math.exp(-difference / math.sqrt(1 + math.pi * variance / 8)))
    return 0.5 * math.log1p(2 * score * (1 - score) * variance)
