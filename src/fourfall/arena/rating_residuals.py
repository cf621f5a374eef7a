"""Residuals of the rating model: pairings whose results differ from the expectation.

The points of a pairing minus their expectation have the variance w q if the parameters are known, with the information
w of the pairing and the dispersion q of its games. The estimates follow the results, so the residual varies less: with
the variance c0 of the difference of strengths for independent games and c for dependent ones it is

    w q (1 - 2 w c0) + w^2 c

For one-sided pairings the distribution of points is skewed: one point of two games is not as unusual as its distance in
standard deviations says, if 0.02 points are expected. So the distance is measured by the likelihood: with L(x) the
logarithm of the likelihood of the pairing's games after a change x of the difference of strengths, it is
sqrt(2 (max L - L(0))), which is the distance in standard deviations for many games, times the square root of w divided
by the variance above. The dispersion q is that of the pairing or the common one, whichever is larger, because an
estimate from few pairs that is too small by chance would make a usual result look unusual.
"""

import math
from dataclasses import dataclass

import numpy as np

from fourfall.arena.davidson import Matrix, compute_chances
from fourfall.arena.rating_fit import RatingFit
from fourfall.arena.student_t import compute_student_probability

_MIN_FREE_SHARE = 1e-6  # of a pairing's variance; below it the pairing alone determines the ratings and has no residual
_MAX_STEPS = 100
_MAX_CHANGE = 30.0
_TOLERANCE = 1e-8
_POINTS = np.array([-0.5, 0.0, 0.5])


@dataclass(frozen=True)
class Residual:
    """Points of an agent against an opponent, compared with the points that the model expects.

    `z` is the difference in standard deviations; `probability` is that of a difference at least as large in this
    pairing, `family_probability` that of one in any pairing.
    """

    agent: str
    opponent: str
    games: int
    expected: float
    observed: float
    z: float
    probability: float
    family_probability: float


def compute_residuals(fit: RatingFit) -> list[Residual]:
    """Compute the residuals of all pairings, the largest first; the agent is the one with more points than expected.

    A pairing that alone determines the difference of its agents is left out: its expectation is its result.
    """
    counts, moments = fit.counts, fit.moments
    one, other = counts.one, counts.other
    games = counts.results.sum(axis=2)
    information = (games * moments.covariance[:, :, 0, 0]).sum(axis=1)
    independent, dependent = (
        covariance[one, one] + covariance[other, other] - 2 * covariance[one, other]
        for covariance in (fit.independent_covariance, fit.covariance)
    )
    dispersions = np.maximum(fit.dispersions.strengths, fit.dispersions.common)
    own = information * dispersions * (1 - 2 * information * independent)
    variance = own + information**2 * dependent
    balance = np.einsum("mok,mok->mo", counts.results, moments.centred[..., 0]) @ [1.0, -1.0]
    scored = counts.results[:, 0] @ [0, 0.5, 1] + counts.results[:, 1] @ [1, 0.5, 0]
    testable = np.flatnonzero(variance > _MIN_FREE_SHARE * information).tolist()
    distances = _compute_distances(fit) * np.sqrt(information / np.maximum(variance, 1e-300))
    rows = []
    for at in testable:
        z = float(distances[at])
        probability = min(2 * compute_student_probability(-z, fit.degrees_of_freedom), 1.0)
        family = _combine(probability, len(testable))
        names = fit.names[one[at]], fit.names[other[at]]
        total, observed, excess = int(games[at].sum()), float(scored[at]), float(balance[at])
        if excess < 0:
            names, observed, excess = names[::-1], total - observed, -excess
        rows.append(Residual(*names, total, observed - excess, observed, z, probability, family))
    return sorted(rows, key=lambda row: (-row.z, row.agent, row.opponent))


def _combine(probability: float, pairings: int) -> float:
    """Return the probability of at least one of several independent events with this probability."""
    if probability == 1:
        return 1.0
    return max(probability, -math.expm1(pairings * math.log1p(-probability)))  # never less by a rounding error


def _compute_distances(fit: RatingFit) -> Matrix:
    """Return sqrt(2 (max L - L(0))) of each pairing; Newton's method finds the maximum of the concave L."""
    results = fit.counts.results
    games = results.sum(axis=2)
    difference = fit.parameters[fit.counts.one] - fit.parameters[fit.counts.other]
    change = np.zeros(len(difference))
    for _ in range(_MAX_STEPS):
        chances = compute_chances(difference + change, fit.parameters[-2], fit.parameters[-1])
        mean = chances @ _POINTS
        slope = (results @ _POINTS - games * mean) @ [1.0, -1.0]
        curvature = (games * (chances @ _POINTS**2 - mean**2)).sum(axis=1)
        step = np.clip(slope / np.maximum(curvature, 1e-12), -1.0, 1.0)
        after = np.clip(change + step, -_MAX_CHANGE, _MAX_CHANGE)
        is_done = np.abs(after - change).max(initial=0.0) < _TOLERANCE
        change = after
        if is_done:
            break
    gains = _compute_likelihood(fit, difference + change) - _compute_likelihood(fit, difference)
    distances: Matrix = np.sqrt(2 * np.maximum(gains, 0.0))
    return distances


def _compute_likelihood(fit: RatingFit, difference: Matrix) -> Matrix:
    chances = compute_chances(difference, fit.parameters[-2], fit.parameters[-1])
    likelihood: Matrix = (fit.counts.results * np.log(np.maximum(chances, 1e-300))).sum(axis=(1, 2))
    return likelihood
