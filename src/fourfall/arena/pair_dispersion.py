"""Dependence of the two games of a pair: dispersions, and the covariance of the estimated parameters.

The two games of a pair share a board, which may favour the first player. With the residuals e1 and e2 of the points of
the first players, the strengths depend on e1 - e2 and the first-move advantage on e1 + e2; the draw parameter depends
on the number of draws. A dispersion is the variance of such a sum divided by that of independent games. If boards are
won by whoever moves first, the dispersion of strengths is below 1 and that of the advantage above 1.

The dispersions are estimated from all complete pairs, starting with one pseudo-pair of the largest variance. Pairings
differ: two strong agents may share the points on most boards, while weak agents win and lose at random. So the
dispersion of strengths is estimated for each pairing, from the variance of its pairs and six pseudo-pairs of equal
agents that have the common dispersion. If a pairing is so one-sided that its pairs hardly vary, it says nothing about
the dispersion, and the common one is used.

With I the information of independent games and B the variance of the gradient, in which the contributions of pairs are
multiplied by their dispersions, the covariance of the estimates is I^-1 B I^-1 (quasi-likelihood).
"""

from dataclasses import dataclass

import numpy as np

from fourfall.arena.davidson import (
    PARAMETER_PRECISION,
    GameCounts,
    Mask,
    Matrix,
    Moments,
    assemble_information,
    invert_information,
)

_PSEUDO_PAIRS = 6.0
_EQUAL_VARIANCE = 0.5  # of e1 - e2 in a pair of games of equal agents without draws


@dataclass(frozen=True)
class Dispersions:
    """Variances relative to independent games: of the strengths for each pairing (M), of advantage and of draws.

    `common` is that of all pairs together, `pairings` are those of the pairs of a pairing, and `strengths` those of all
    its games, including incomplete pairs.
    """

    common: float
    pairings: Matrix
    strengths: Matrix
    advantage: float
    draws: float


def estimate_dispersions(counts: GameCounts, moments: Moments, degrees_of_freedom: int) -> Dispersions:
    """Estimate the dispersions from complete pairs."""
    count = counts.pairs.sum(axis=(1, 2))
    total = float(count.sum())
    straight, reverse = moments.centred[:, 0, :, None, :], moments.centred[:, 1, None, :, :]
    difference, (total_points, total_draws) = straight[..., 0] - reverse[..., 0], np.moveaxis(straight + reverse, -1, 0)
    squares = [(counts.pairs * values**2).sum(axis=(1, 2)) for values in (difference, total_points, total_draws)]
    variances = moments.covariance.sum(axis=1)
    points, draws = variances[:, 0, 0], variances[:, 1, 1]
    # One pseudo-pair of the largest variance, that of two equal results of equal agents.
    common = (
        (squares[0].sum() + 1.0) / (count @ points + 0.5) * max(total, 1.0) / max(min(degrees_of_freedom, total), 1.0)
    )
    advantage = (squares[1].sum() + 1.0) / (count @ points + 0.5)
    mean = (counts.pairs * difference).sum(axis=(1, 2)) / np.maximum(count, 1.0)
    spread = squares[0] - count * mean**2
    pseudo = _PSEUDO_PAIRS * _EQUAL_VARIANCE
    pairings = (spread + pseudo * common) / (np.maximum(count - 1, 0.0) * points + pseudo)
    single = (counts.singles.sum(axis=2) * moments.covariance[:, :, 0, 0]).sum(axis=1)
    strengths = (count * points * pairings + single) / (count * points + single)
    drawn = (squares[2].sum() + 0.5) / (count @ draws + 0.25)
    return Dispersions(float(common), pairings, strengths, float(advantage), float(drawn))


def compute_covariance(
    counts: GameCounts, moments: Moments, dispersions: Dispersions, directions: Matrix, is_fixed: Mask
) -> tuple[Matrix, Matrix]:
    """Return the covariance of the parameters for independent games, and the one with the dependence of pairs."""
    agents = len(is_fixed)
    prior = np.diag(np.append(np.zeros(agents), [PARAMETER_PRECISION] * 2))
    singles = counts.singles.sum(axis=2)[:, :, None, None] * moments.covariance
    pairs = counts.pairs.sum(axis=(1, 2))[:, None, None, None] * moments.covariance
    inverse, _ = invert_information(assemble_information(counts, singles + pairs, agents) + prior, directions, is_fixed)
    variance = assemble_information(counts, singles, agents) + prior
    shared = np.sqrt([dispersions.advantage, dispersions.draws])
    factor = dispersions.pairings[:, None, None, None]
    variance[:agents, :agents] += assemble_information(counts, factor * pairs, agents)[:agents, :agents]
    cross = assemble_information(counts, np.sqrt(factor) * pairs, agents)[:agents, agents:] * shared
    variance[:agents, agents:] += cross
    variance[agents:, :agents] += cross.T
    variance[agents:, agents:] += assemble_information(counts, pairs, agents)[agents:, agents:] * np.outer(
        shared, shared
    )
    covariance: Matrix = inverse @ variance @ inverse
    return inverse, covariance
