"""Fits Elo ratings of several agents to their games with the Bradley-Terry model.

The model [R. A. Bradley and M. E. Terry, 1952] counts a draw as half a win; the probability that i beats j is the
logistic function of the difference of their strengths. A prior of one draw of every agent against an average opponent
keeps the estimate finite for an agent that won or lost all games. The mean rating is 0.

Standard errors come from the Hessian of the log-likelihood, with pairs of games as observations. The variance of a
pair score is smaller than the variance p (1 - p) of a single win-or-loss game; the ratio (dispersion) is estimated
from all pairs together (quasi-likelihood). The intervals are for the difference to the mean of the group. An agent that
won all games has no upper bound, an agent that lost all games no lower bound.
"""

import math
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from fourfall.arena.ratings import ELO_PER_UNIT, Interval
from fourfall.arena.record import GameRecord
from fourfall.arena.student_t import compute_student_quantile

Matrix = npt.NDArray[np.float64]

_PRIOR_DRAWS = 1.0
_MAX_VARIANCE = 0.25  # largest variance of a pair score


def fit_ratings(records: Sequence[GameRecord], names: Sequence[str]) -> list[Interval]:
    """Fit the ratings of the named agents, in Elo with mean 0, with their 95 % confidence intervals."""
    if not names:
        return []
    index = {name: at for at, name in enumerate(names)}
    points = np.zeros((len(names), len(names)))
    for record in records:
        first, second = (index[name] for name in record.names)
        points[first, second] += record.first_points
        points[second, first] += 1 - record.first_points
    strengths = _estimate_strengths(points)
    half_widths = _estimate_half_widths(records, index, points, strengths)
    won, lost = points.sum(axis=1), points.sum(axis=0)
    ratings = []
    for at in range(len(names)):
        value, half_width = ELO_PER_UNIT * strengths[at], ELO_PER_UNIT * half_widths[at]
        ratings.append(
            Interval(
                float(value),
                -math.inf if won[at] == 0 else float(value - half_width),
                math.inf if lost[at] == 0 else float(value + half_width),
            )
        )
    return ratings


def _compute_win_probabilities(strengths: Matrix) -> Matrix:
    result: Matrix = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
    return result


def _estimate_strengths(points: Matrix) -> Matrix:
    """Maximize the posterior with Newton's method; the prior makes it strictly concave."""
    games = points + points.T
    strengths = np.zeros(len(points))
    for _ in range(100):
        probabilities = _compute_win_probabilities(strengths)
        against_average = 1 / (1 + np.exp(-strengths))
        gradient = (points - games * probabilities).sum(axis=1) + _PRIOR_DRAWS * (0.5 - against_average)
        step = np.linalg.solve(_compute_negative_hessian(games * probabilities * probabilities.T, strengths), gradient)
        # A full step may overshoot where the function is nearly flat.
        strengths += np.clip(step, -1.0, 1.0)
        if np.abs(step).max() < 1e-10:
            break
    centred: Matrix = strengths - strengths.mean()
    return centred


def _compute_negative_hessian(weights: Matrix, strengths: Matrix) -> Matrix:
    against_average = 1 / (1 + np.exp(-strengths))
    prior = _PRIOR_DRAWS * against_average * (1 - against_average)
    result: Matrix = np.diag(weights.sum(axis=1) + prior) - weights
    return result


def _estimate_half_widths(
    records: Sequence[GameRecord], index: dict[str, int], points: Matrix, strengths: Matrix
) -> Matrix:
    """Return half the widths of the confidence intervals of the strengths."""
    probabilities = _compute_win_probabilities(strengths)
    pair_scores: dict[tuple[str, int, int, int], list[float]] = defaultdict(list)
    for record in records:
        first, second = (index[name] for name in record.names)
        score = record.first_points if first < second else 1 - record.first_points
        pair_scores[record.group, record.pair, min(first, second), max(first, second)].append(score)
    # The dispersion starts from one pair of the largest variance, so that it is never 0.
    observed, binomial, complete = _MAX_VARIANCE, _MAX_VARIANCE, 0
    for (_, _, one, other), scores in pair_scores.items():
        if len(scores) == 2:
            probability = probabilities[one, other]
            observed += (sum(scores) / 2 - probability) ** 2
            binomial += probability * (1 - probability)
            complete += 1
    degrees_of_freedom = max(complete - len(index) + 1, 1)
    dispersion = min(1.0, observed / binomial * max(complete, 1) / degrees_of_freedom)
    weights = (points + points.T) / 2 * probabilities * probabilities.T / dispersion
    centre = np.eye(len(index)) - 1 / len(index)
    covariance = centre @ np.linalg.inv(_compute_negative_hessian(weights, strengths)) @ centre
    result: Matrix = compute_student_quantile(degrees_of_freedom) * np.sqrt(np.diag(covariance))
    return result
