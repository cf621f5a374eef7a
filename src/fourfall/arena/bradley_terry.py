"""Owns the fit of ratings to the games of many agents.

Ratings are fitted by the Bradley-Terry model [R. A. Bradley and M. E. Terry, 1952], a draw being half a win: the
chance of i against j is the logistic function of the difference of their strengths. One imagined draw of every agent
against an average one keeps the fit finite where somebody won or lost everything. The mean rating is 0.

Errors come from the curvature of the likelihood, counted in pairs: a pair score varies less than a coin does, and by
how much is estimated from all pairs together (quasi-likelihood). They are errors against the mean of the field. Whoever
has won everything has no upper bound, whoever has lost everything no lower one.
"""

import math
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from fourfall.arena.ratings import Interval, student
from fourfall.arena.record import GameRecord

Matrix = npt.NDArray[np.float64]

_ELO = 400 / math.log(10)
_PRIOR_DRAWS = 1.0
_COIN = 0.25  # the largest variance of a pair score


def fit(records: Sequence[GameRecord], names: Sequence[str]) -> list[Interval]:
    """Fit the ratings of the named agents to games, with their 95 % intervals, in Elo around a mean of 0."""
    if not names:
        return []
    place = {name: at for at, name in enumerate(names)}
    points = np.zeros((len(names), len(names)))
    for record in records:
        first, second = (place[name] for name in record.names)
        points[first, second] += record.first_score
        points[second, first] += 1 - record.first_score
    strengths = _strengths(points)
    errors = _errors(records, place, points, strengths)
    won, lost = points.sum(axis=1), points.sum(axis=0)
    ratings = []
    for at in range(len(names)):
        value, error = _ELO * strengths[at], _ELO * errors[at]
        ratings.append(
            Interval(
                float(value),
                -math.inf if won[at] == 0 else float(value - error),
                math.inf if lost[at] == 0 else float(value + error),
            )
        )
    return ratings


def _chances(strengths: Matrix) -> Matrix:
    result: Matrix = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
    return result


def _strengths(points: Matrix) -> Matrix:
    """Climb to the most likely strengths by Newton's method; the prior makes the hill round."""
    games = points + points.T
    strengths = np.zeros(len(points))
    for _ in range(100):
        chances = _chances(strengths)
        average = 1 / (1 + np.exp(-strengths))
        slope = (points - games * chances).sum(axis=1) + _PRIOR_DRAWS * (0.5 - average)
        step = np.linalg.solve(_curvature(games * chances * chances.T, strengths), slope)
        # A long step may overshoot where the curve is nearly flat.
        strengths += np.clip(step, -1.0, 1.0)
        if np.abs(step).max() < 1e-10:
            break
    centred: Matrix = strengths - strengths.mean()
    return centred


def _curvature(weights: Matrix, strengths: Matrix) -> Matrix:
    average = 1 / (1 + np.exp(-strengths))
    prior = _PRIOR_DRAWS * average * (1 - average)
    result: Matrix = np.diag(weights.sum(axis=1) + prior) - weights
    return result


def _errors(records: Sequence[GameRecord], place: dict[str, int], points: Matrix, strengths: Matrix) -> Matrix:
    """Return the half widths of the intervals of the strengths."""
    chances = _chances(strengths)
    meetings: dict[tuple[str, int, int, int], list[float]] = defaultdict(list)
    for record in records:
        first, second = (place[name] for name in record.names)
        score = record.first_score if first < second else 1 - record.first_score
        meetings[record.group, record.pair, min(first, second), max(first, second)].append(score)
    seen, coins, complete = _COIN, _COIN, 0
    for (_, _, one, other), scores in meetings.items():
        if len(scores) == 2:
            chance = chances[one, other]
            seen += (sum(scores) / 2 - chance) ** 2
            coins += chance * (1 - chance)
            complete += 1
    freedom = max(complete - len(place) + 1, 1)
    ratio = min(1.0, seen / coins * max(complete, 1) / freedom)
    evidence = (points + points.T) / 2 * chances * chances.T / ratio
    centre = np.eye(len(place)) - 1 / len(place)
    covariance = centre @ np.linalg.inv(_curvature(evidence, strengths)) @ centre
    result: Matrix = student(freedom) * np.sqrt(np.diag(covariance))
    return result
