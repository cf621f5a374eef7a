"""Bounds of the strength of each agent, from the results of its own games and the uncertainty of the others.

The distribution of an estimate is not symmetric if an agent has few wins or few losses: one win in forty games is
compatible with a much lower strength, but not with a much higher one. Symmetric bounds at a multiple of the standard
error miss this. So the variance v of a strength is split. The part of the agent's own games is q / w, with the
information w of these games and the dispersion q of pairs. Its bounds are the changes x of the strength at which the
points of the agent differ from their expectation by z standard deviations, with all other parameters fixed:

    U(x) = z sqrt(q V(x)) for the lower bound,    U(x) = -z sqrt(q V(x)) for the upper one

where U is the number of points minus its expectation, V its variance and z the quantile (Wilson's interval of a
proportion, for several opponents). The rest of the variance, v - q / w, comes from the other parameters; its bound
z sqrt(v - q / w) is added as the square root of the sum of squares. If v is smaller than q / w (the mean to which
strengths are relative contains the agent itself), the bounds of the own games are multiplied by sqrt(v w / q). An agent
that won all games has no upper bound, an agent that lost all games no lower bound.
"""

import numpy as np

from fourfall.arena.davidson import GameCounts, Mask, Matrix, compute_chances

_MAX_STEPS = 60
_TOLERANCE = 1e-5
_MAX_CHANGE = 60.0
_POINTS = np.array([-0.5, 0.0, 0.5])  # of a loss, draw and win, relative to a draw


class OwnGames:
    """Results of each agent's own games, compared with those expected after a change of its strength."""

    def __init__(self, counts: GameCounts, parameters: Matrix) -> None:
        self._agents = len(parameters) - 2
        self._owners = np.concatenate([counts.one, counts.other])
        opponents = np.concatenate([counts.other, counts.one])
        self._difference = parameters[self._owners] - parameters[opponents]
        self._advantage, self._draw = parameters[-2:]
        results = counts.results
        # Results by order: first the games in which the owner moves first; a win of the owner is last in both.
        mine = np.stack([results[:, 0], results[:, 1, ::-1]], axis=1)
        theirs = np.stack([results[:, 1], results[:, 0, ::-1]], axis=1)
        results = np.concatenate([mine, theirs])
        self._games = results.sum(axis=2)
        self._points = results @ _POINTS
        totals = self._sum(results.sum(axis=1) @ np.array([[0, 1], [0.5, 0.5], [1, 0]]))
        self.scored, self.conceded = totals[:, 0], totals[:, 1]

    def evaluate(self, change: Matrix) -> tuple[Matrix, Matrix]:
        """Return each agent's points minus their expectation after a change of its strength, and their variance."""
        chances = compute_chances(self._difference + change[self._owners], self._advantage, self._draw)
        chances[:, 1] = chances[:, 1, ::-1]
        mean = chances @ _POINTS
        excess = (self._points - self._games * mean).sum(axis=1)
        variance = (self._games * (chances @ _POINTS**2 - mean**2)).sum(axis=1)
        sums = self._sum(np.stack([excess, variance], axis=1))
        return sums[:, 0], sums[:, 1]

    def measure_information(self, dispersions: Matrix) -> tuple[Matrix, Matrix]:
        """Return the information of each agent's games, and their dispersion, the mean of those of its pairings."""
        chances = compute_chances(self._difference, self._advantage, self._draw)
        variance = (chances @ _POINTS**2 - (chances @ _POINTS) ** 2) * self._games
        weights = variance.sum(axis=1)
        sums = self._sum(np.stack([weights, weights * np.tile(dispersions, 2)], axis=1))
        return sums[:, 0], np.where(sums[:, 0] > 0, sums[:, 1] / np.maximum(sums[:, 0], 1e-12), 1.0)

    def _sum(self, values: Matrix) -> Matrix:
        columns = [np.bincount(self._owners, column, self._agents) for column in values.T]
        return np.stack(columns, axis=1)


def find_strength_bounds(
    games: OwnGames, variances: Matrix, dispersions: Matrix, quantile: float
) -> tuple[Matrix, Matrix]:
    """Return the lower and the upper bound of each agent's strength, relative to the estimate.

    `variances` are those of the strengths, `dispersions` those of the pairings.
    """
    information, dispersion = games.measure_information(dispersions)
    own_variances = dispersion / np.maximum(information, 1e-12)
    factor: Matrix = quantile * np.sqrt(dispersion)
    own_low = _find_crossing(games, games.scored > 0, factor, -quantile * np.sqrt(own_variances))
    own_high = _find_crossing(games, games.conceded > 0, -factor, quantile * np.sqrt(own_variances))
    shrink = np.sqrt(np.minimum(variances / own_variances, 1.0))
    rest = quantile**2 * np.maximum(variances - own_variances, 0.0)
    low = np.where(games.scored > 0, -np.sqrt((shrink * np.minimum(own_low, 0.0)) ** 2 + rest), -np.inf)
    high = np.where(games.conceded > 0, np.sqrt((shrink * np.maximum(own_high, 0.0)) ** 2 + rest), np.inf)
    return low, high


def _find_crossing(games: OwnGames, is_finite: Mask, factor: Matrix, step: Matrix) -> Matrix:
    """Return the change, in the direction of `step`, at which U(x) = factor sqrt(V(x)), by the Illinois method."""

    def measure(change: Matrix) -> Matrix:
        excess, variance = games.evaluate(change)
        difference: Matrix = np.where(is_finite, np.sign(factor) * (excess - factor * np.sqrt(variance)), 0.0)
        return difference

    # The difference is negative near 0 and positive far in the direction of the step.
    near, far = np.zeros_like(step), np.where(is_finite, step, 0.0)
    at_near, at_far = measure(near), measure(far)
    for _ in range(_MAX_STEPS):
        is_short = (at_far < 0) & (np.abs(far) < _MAX_CHANGE)
        if not is_short.any():
            break
        near, at_near = np.where(is_short, far, near), np.where(is_short, at_far, at_near)
        far = np.where(is_short, 2 * far, far)
        at_far = measure(far)
    was_beyond = was_short = np.zeros(len(step), dtype=bool)
    middle = previous = far
    for _ in range(_MAX_STEPS):
        spread = at_far - at_near
        middle = np.where(spread > 0, (near * at_far - far * at_near) / np.where(spread > 0, spread, 1.0), far)
        at_middle = measure(middle)
        is_beyond = at_middle >= 0
        # A bound that stays twice gets half its value, so that both bounds move.
        at_near = np.where(is_beyond, np.where(was_beyond, at_near / 2, at_near), at_middle)
        at_far = np.where(is_beyond, at_middle, np.where(was_short, at_far / 2, at_far))
        near, far = np.where(is_beyond, near, middle), np.where(is_beyond, middle, far)
        was_beyond, was_short = is_beyond, ~is_beyond
        if np.abs(middle - previous).max(initial=0.0) < _TOLERANCE:
            break
        previous = middle
    return middle
