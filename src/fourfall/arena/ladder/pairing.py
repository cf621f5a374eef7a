"""Chooses which two agents of a ladder play next: a pure function of their ratings.

A game is informative if its result is hard to predict and the difference of the ratings is uncertain. With the
predicted score p and the standard deviation s of the difference, in units of the logistic curve, a pair of games
reduces the entropy of the difference by about

    gain = 1/2 ln(1 + 2 p (1 - p) s^2)

p is the mean over the uncertainty of the difference [D. J. C. MacKay, The evidence framework applied to classification
networks, 1992]: a newcomer's strength is unknown, so any opponent is informative. A pairing is drawn with a probability
proportional to gain^4. Because s falls with the number of games, newcomers play more. The difference of two agents that
are far apart is known only through a chain of games between others, so its s is larger; such games are drawn from time
to time and keep the whole scale accurate.

Two rules come first:
- Ratings can be compared only if games connect the agents. While an agent is not connected with the others, it plays
  next, against an agent that is.
- An agent that is much stronger or weaker than all others would be paired rarely, because its results are predictable.
  An agent with less than MIN_SHARE of the mean number of pairs plays next.
"""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

from fourfall.arena.ratings import ELO_PER_UNIT

MAX_DEVIATION = 350.0
"""Standard deviation of the rating of an agent about which nothing is known, in Elo."""
MIN_SHARE = 0.5
_SHARPNESS = 4.0

ComputeError = Callable[[str, str], float]
"""Returns the standard deviation of the difference of the ratings of two agents in Elo."""


@dataclass(frozen=True)
class Candidate:
    """An active agent: its rating and standard deviation in Elo, and its pairs of games, finished and running.

    `is_rated` says whether finished games connect it with most of the other agents.
    """

    name: str
    rating: float = 0.0
    deviation: float = MAX_DEVIATION
    pairs: int = 0
    running: int = 0
    is_rated: bool = False

    @property
    def is_connected(self) -> bool:
        """Whether finished or running games connect the agent with the others."""
        return self.is_rated or self.running > 0


def choose_pairing(
    candidates: Sequence[Candidate], generator: random.Random, compute_error: ComputeError | None = None
) -> tuple[str, str]:
    """Return the names of the two agents that play next, in random order; there must be at least two candidates.

    `compute_error` is called for agents that are connected; without it, their ratings are taken as independent.

    >>> old = [Candidate("strong", 400, 30, 50), Candidate("weak", -400, 30, 50)]
    >>> "new" in choose_pairing([*old, Candidate("new")], random.Random(1))
    True
    """
    pairings = list(combinations(candidates, 2))
    connecting = [(one, other) for one, other in pairings if one.is_connected != other.is_connected]
    pairings = connecting or pairings
    played = [candidate.pairs + candidate.running for candidate in candidates]
    if min(played) < MIN_SHARE * sum(played) / len(played):
        behind = {candidate.name for candidate, count in zip(candidates, played, strict=True) if count == min(played)}
        pairings = [(one, other) for one, other in pairings if {one.name, other.name} & behind] or pairings
    # The smallest float keeps the sum positive where every gain is rounded to 0.
    weights = [compute_information(one, other, compute_error) ** _SHARPNESS + math.ulp(0.0) for one, other in pairings]
    [(one, other)] = generator.choices(pairings, weights)
    return (one.name, other.name) if generator.random() < 0.5 else (other.name, one.name)


def compute_information(one: Candidate, other: Candidate, compute_error: ComputeError | None = None) -> float:
    """Return the expected information of a pair of games about the difference of the ratings, in nats.

    Each running pair of either agent counts as if it divided the variance, because its result is not known yet.

    >>> known, new = Candidate("known", 0, 20, 100), Candidate("new")
    >>> round(compute_information(known, known), 4), round(compute_information(known, new), 2)
    (0.0066, 0.56)
    """
    deviation = math.hypot(one.deviation, other.deviation)
    if compute_error is not None and one.is_rated and other.is_rated:
        deviation = min(compute_error(one.name, other.name), deviation)
    variance = (deviation / ELO_PER_UNIT) ** 2 / (1 + one.running + other.running)
    difference = abs(one.rating - other.rating) / ELO_PER_UNIT
    score = 1 / (1 + math.exp(-difference / math.sqrt(1 + math.pi * variance / 8)))
    return 0.5 * math.log1p(2 * score * (1 - score) * variance)
