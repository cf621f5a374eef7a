"""Maximum-likelihood estimation of strengths, first-move advantage and draw rate from counts of results.

The model [R. R. Davidson, 1970; R. R. Davidson and R. J. Beaver, 1977] extends the Bradley-Terry model by draws and by
an effect of the order. With strengths s, first-move advantage a, logarithmic draw parameter c and

    d = s_first - s_second + a,    Z = exp(d / 2) + exp(-d / 2) + exp(c)

the first player wins with probability exp(d / 2) / Z, loses with exp(-d / 2) / Z, and the game is drawn with
exp(c) / Z. A win is e^d times as likely as a loss. The logarithm of the likelihood of all games is

    L = sum (wins - losses) d / 2 + draws c - log Z

over the games of each pairing and order, which is linear in the parameters except for log Z: an exponential family with
the points of each agent, the points of the first players and the number of draws as sufficient statistics. So L is
concave, its maximum reproduces these statistics, and the derivatives of log Z are the cumulants of the statistics
t = ((wins - losses) / 2, draws) of one game.

The maximum is infinite for an agent that won all games, and in games without draws. The estimate therefore maximizes
L + log(det I) / 2 with the Fisher information I (Jeffreys' prior), which is always finite and removes the first-order
bias of the maximum-likelihood estimate [D. Firth, 1993]. It changes the gradient of a game's log-likelihood by the sum
over the results k of p_k (u_k' C u_k) u_k / 2, where u_k is t - E t for result k and C the covariance of (d, c).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]

_STATISTICS = np.array([[-0.5, 0.0], [0.0, 1.0], [0.5, 0.0]])  # t of a loss, a draw and a win
_MAX_STEPS = 200
_MAX_HALVINGS = 10
_TOLERANCE = 1e-6
PARAMETER_PRECISION = 0.01
"""Precision of a normal prior of advantage and draw parameter; it matters only if the games do not determine them."""


@dataclass(frozen=True)
class GameCounts:
    """Results of M pairings of two agents.

    `one` and `other` (M) are the numbers of the agents; `pairs` (M, 3, 3) counts complete pairs by the results of the
    first player when `one` and when `other` moved first; `singles` (M, 2, 3) counts games of incomplete pairs by order
    and result.
    """

    one: Indices
    other: Indices
    pairs: Matrix
    singles: Matrix

    @property
    def results(self) -> Matrix:
        """Number of all games (M, 2, 3) by order and result of the first player."""
        both: Matrix = np.stack([self.pairs.sum(axis=2), self.pairs.sum(axis=1)], axis=1) + self.singles
        return both


@dataclass(frozen=True)
class Moments:
    """Cumulants of the statistics t of one game of each pairing in each order, under given parameters.

    `chances` (M, 2, 3) are the probabilities of the results, `centred` (M, 2, 3, 2) is t minus its mean, `covariance`
    (M, 2, 2, 2) that of t.
    """

    chances: Matrix
    centred: Matrix
    covariance: Matrix


def compute_chances(difference: Matrix, advantage: float, draw: float) -> Matrix:
    """Return the probabilities (M, 2, 3) of loss, draw and win of the first player, for each order of two agents."""
    margin = np.stack([difference + advantage, -difference + advantage], axis=1)
    exponents = np.stack([-margin / 2, np.full_like(margin, draw), margin / 2], axis=2)
    weights = np.exp(exponents - exponents.max(axis=2, keepdims=True))
    chances: Matrix = weights / weights.sum(axis=2, keepdims=True)
    return chances


def compute_moments(counts: GameCounts, parameters: Matrix) -> Moments:
    """Return the cumulants under parameters: the strengths of all agents, the advantage and the draw parameter."""
    chances = compute_chances(parameters[counts.one] - parameters[counts.other], parameters[-2], parameters[-1])
    centred = _STATISTICS - (chances @ _STATISTICS)[:, :, None, :]
    covariance = (chances[..., None] * centred).swapaxes(2, 3) @ centred
    return Moments(chances, centred, covariance)


def assemble_information(counts: GameCounts, covariance: Matrix, agents: int) -> Matrix:
    """Sum covariances (M, 2, 2, 2) of (d, c) over pairings and orders into a matrix of all parameters."""
    matrix = np.zeros((agents + 2, agents + 2))
    straight, reverse = covariance[:, 0], covariance[:, 1]
    weight = straight[:, 0, 0] + reverse[:, 0, 0]
    one, other = counts.one, counts.other
    for row, column, sign in ((one, one, 1), (other, other, 1), (one, other, -1), (other, one, -1)):
        np.add.at(matrix, (row, column), sign * weight)
    for parameter in (0, 1):
        cross = straight[:, 0, parameter] - reverse[:, 0, parameter]
        column = np.bincount(one, cross, agents) - np.bincount(other, cross, agents)
        matrix[:agents, agents + parameter] = matrix[agents + parameter, :agents] = column
    matrix[agents:, agents:] = covariance.sum(axis=(0, 1))
    return matrix


def assemble_gradient(counts: GameCounts, statistics: Matrix, agents: int) -> Matrix:
    """Sum statistics (M, 2, 2) of (d, c) over pairings and orders into a vector of all parameters."""
    balance = statistics[:, 0, 0] - statistics[:, 1, 0]
    strengths = np.bincount(counts.one, balance, agents) - np.bincount(counts.other, balance, agents)
    return np.concatenate([strengths, statistics.sum(axis=(0, 1))])


def maximize_likelihood(counts: GameCounts, start: Matrix, components: Indices, is_fixed: Mask) -> Matrix:
    """Return the parameters with the largest penalized likelihood: strengths, advantage and draw parameter.

    `start` has the first guess and the strengths of agents that `is_fixed`; `components` has the number of each agent's
    component. The mean strength of a component without a fixed agent is that of `start`.
    """
    agents = len(components)
    games = counts.results
    parameters = start.copy()
    directions = find_undetermined_directions(components, is_fixed)
    value, moments, inverse = _evaluate(counts, games, parameters, directions, is_fixed)
    for _ in range(_MAX_STEPS):
        adjustment = _compute_penalty_gradient(counts, games, moments, inverse)
        residuals = np.einsum("mok,moka->moa", games, moments.centred)
        gradient = assemble_gradient(counts, residuals + adjustment, agents)
        gradient[agents:] -= PARAMETER_PRECISION * parameters[agents:]
        step = inverse @ gradient
        step /= max(1.0, np.abs(step).max())
        if np.abs(step).max() < _TOLERANCE:
            break
        for _ in range(_MAX_HALVINGS):
            changed = _evaluate(counts, games, parameters + step, directions, is_fixed)
            if changed[0] > value:
                break
            step /= 2
        else:
            break  # no step increases the likelihood beyond rounding errors
        parameters += step
        value, moments, inverse = changed
    return parameters


def find_undetermined_directions(components: Indices, is_fixed: Mask) -> Matrix:
    """Return the projection on the parameter changes that no game can show.

    These are equal changes of all strengths of a component without a fixed agent.
    """
    agents = len(components)
    sizes = np.bincount(components, minlength=1)
    is_floating = np.bincount(components[is_fixed], minlength=len(sizes)) == 0
    is_same = (components[:, None] == components[None, :]) & is_floating[components]
    projection = np.zeros((agents + 2, agents + 2))
    projection[:agents, :agents] = is_same / sizes[components]
    return projection


def invert_information(information: Matrix, directions: Matrix, is_fixed: Mask) -> tuple[Matrix, float]:
    """Return the pseudoinverse of the information and the logarithm of its determinant.

    Fixed strengths have variance 0.
    Adding the projection on the undetermined directions makes the matrix invertible; subtracting it from the inverse
    leaves the pseudoinverse, the covariance of strengths relative to the mean of their component.
    """
    free = np.flatnonzero(~np.append(is_fixed, [False, False]))
    block = np.ix_(free, free)
    regular = information[block] + directions[block]
    inverse = np.zeros_like(information)
    inverse[block] = np.linalg.inv(regular) - directions[block]
    return inverse, float(np.linalg.slogdet(regular)[1])


def _evaluate(
    counts: GameCounts, games: Matrix, parameters: Matrix, directions: Matrix, is_fixed: Mask
) -> tuple[float, Moments, Matrix]:
    """Return the penalized log-likelihood, the moments and the inverse of the information."""
    agents = len(is_fixed)
    moments = compute_moments(counts, parameters)
    information = assemble_information(counts, games.sum(axis=2)[:, :, None, None] * moments.covariance, agents)
    information[[-2, -1], [-2, -1]] += PARAMETER_PRECISION
    inverse, log_determinant = invert_information(information, directions, is_fixed)
    likelihood = float((games * np.log(np.maximum(moments.chances, 1e-300))).sum())
    likelihood -= PARAMETER_PRECISION * float((parameters[agents:] ** 2).sum()) / 2
    return likelihood + log_determinant / 2, moments, inverse


def _compute_penalty_gradient(counts: GameCounts, games: Matrix, moments: Moments, inverse: Matrix) -> Matrix:
    """Return the derivative (M, 2, 2) of log(det I) / 2 by (d, c) of each pairing and order."""
    one, other = counts.one, counts.other
    spread = inverse[one, one] + inverse[other, other] - 2 * inverse[one, other]
    with_advantage, with_draw = (inverse[one, at] - inverse[other, at] for at in (-2, -1))
    margin = spread + inverse[-2, -2]
    first = np.stack([margin + 2 * with_advantage, margin - 2 * with_advantage], axis=1)
    mixed = np.stack([inverse[-2, -1] + with_draw, inverse[-2, -1] - with_draw], axis=1)
    points, draws = moments.centred[..., 0], moments.centred[..., 1]
    leverage = points**2 * first[:, :, None] + 2 * points * draws * mixed[:, :, None] + draws**2 * inverse[-1, -1]
    weights = moments.chances * leverage * games.sum(axis=2, keepdims=True) / 2
    gradient: Matrix = np.einsum("mok,moka->moa", weights, moments.centred)
    return gradient
