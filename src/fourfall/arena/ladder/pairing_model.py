"""Estimates strengths and their uncertainty for the choice of pairings.

The published ratings come from `arena/rating_model.py`, whose estimates of the variance are cautious and vary much
when there are few games. For pairings a simpler model is better: Bradley-Terry, a draw as half a win, with a prior for
every agent that keeps strength and variance finite from the first game on.
"""

import math
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from fourfall.arena.ladder.pairing import MAX_DEVIATION, Candidate
from fourfall.arena.rating_input import PAIR_COUNTS, RatingInput
from fourfall.arena.ratings import ELO_PER_UNIT

Matrix = npt.NDArray[np.float64]

_PRIOR_DRAWS = 0.5  # against an average opponent
_MAX_STEPS = 50
_TOLERANCE = 1e-6


class PairingModel:
    """Strengths of the agents of a ladder after the games that were counted.

    >>> results = RatingInput()
    >>> for pair in range(4):
    ...     results.add("a", "b", 0, pair)
    ...     results.add("b", "a", 1, pair)
    >>> model = PairingModel(results)
    >>> candidate = model.make_candidate("a", pairs=4)
    >>> round(candidate.rating), round(candidate.deviation), round(model.compute_error("a", "b"))
    (326, 190, 381)
    >>> model.make_candidate("new", pairs=0).is_rated
    False
    """

    def __init__(self, results: RatingInput) -> None:
        self._index = {name: at for at, name in enumerate(results.names)}
        points = _count_points(self._index, results.get_pairings())
        strengths, self._covariance = _fit(points)
        self._ratings = ELO_PER_UNIT * (strengths - strengths.mean()) if len(strengths) else strengths

    def make_candidate(self, name: str, pairs: int, running: int = 0) -> Candidate:
        """Make a candidate for `choose_pairing`; an agent without games is not rated."""
        at = self._index.get(name)
        if at is None:
            return Candidate(name, pairs=pairs, running=running)
        # The variance of the difference to the mean of all agents.
        variance = self._covariance[at, at] - 2 * self._covariance[at].mean() + self._covariance.mean()
        deviation = min(ELO_PER_UNIT * math.sqrt(max(float(variance), 0.0)), MAX_DEVIATION)
        return Candidate(name, float(self._ratings[at]), deviation, pairs, running, is_rated=True)

    def compute_error(self, one: str, other: str) -> float:
        """Return the standard deviation of the difference of two agents in Elo."""
        at, to, covariance = self._index[one], self._index[other], self._covariance
        variance = covariance[at, at] + covariance[to, to] - 2 * covariance[at, to]
        return ELO_PER_UNIT * math.sqrt(max(float(variance), 0.0))


def _count_points(index: Mapping[str, int], pairings: Mapping[tuple[str, str], tuple[int, ...]]) -> Matrix:
    """Return the points of each agent (row) against each other one (column); `RatingInput` describes the counts."""
    points = np.zeros((len(index), len(index)))
    for (one, other), counts in pairings.items():
        both = np.reshape(counts[:PAIR_COUNTS], (3, 3))
        as_first = both.sum(axis=1) + counts[PAIR_COUNTS : PAIR_COUNTS + 3]
        as_second = both.sum(axis=0) + counts[PAIR_COUNTS + 3 :]
        points[index[one], index[other]] = as_first @ [0, 0.5, 1] + as_second @ [1, 0.5, 0]
        points[index[other], index[one]] = as_first @ [1, 0.5, 0] + as_second @ [0, 0.5, 1]
    return points


def _fit(points: Matrix) -> tuple[Matrix, Matrix]:
    """Maximise the posterior with Newton's method; return the strengths and their covariance."""
    games = points + points.T
    strengths: Matrix = np.zeros(len(points))
    information = np.eye(len(points))
    for _ in range(_MAX_STEPS):
        chances = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
        average = 1 / (1 + np.exp(-strengths))
        gradient = (points - games * chances).sum(axis=1) + _PRIOR_DRAWS * (0.5 - average)
        weights = games * chances * (1 - chances)
        information = np.diag(weights.sum(axis=1) + _PRIOR_DRAWS * average * (1 - average)) - weights
        # A full step may overshoot where the function is nearly flat.
        step = np.clip(np.linalg.solve(information, gradient), -1.0, 1.0)
        strengths += step
        if not len(step) or np.abs(step).max() < _TOLERANCE:
            break
    return strengths, np.asarray(np.linalg.inv(information), dtype=np.float64)
