"""Fits the rating model to counted results: parameters, their covariance and the Elo scale.

`davidson` estimates the parameters as if games were independent. This module adds

- Pairs. The two games of a pair share a board and are dependent. With the residuals e1 and e2 of the points of the
  first players, the strengths depend on e1 - e2 and the first-move advantage on e1 + e2. The ratio of the observed
  variance of these sums to that of independent games (dispersion) is estimated from all complete pairs, starting with
  one pseudo-pair of the largest variance. With I the information and B the variance of the gradient after this
  correction, the covariance of the estimates is I^-1 B I^-1 (quasi-likelihood).
- Elo scale. A score s corresponds to an Elo difference of 400 log10(s / (1 - s)). Draws and the first-move advantage
  move scores towards 1/2, so the Elo difference is smaller than the difference of strengths d times 400 / ln 10. The
  factor is the mean of logit(s) / d over the pairings of a component, weighted by their information, where s is the
  expected score of two games, each agent moving first once.
- Components. Agents that no chain of games connects are rated separately.
- Two agents. If a component has two agents, the difference is that of their score, so that the ratings agree with
  the summary of a match.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fourfall.arena.davidson import (
    PARAMETER_PRECISION,
    GameCounts,
    Indices,
    Mask,
    Matrix,
    Moments,
    assemble_information,
    compute_chances,
    compute_moments,
    find_undetermined_directions,
    invert_information,
    maximize_likelihood,
)
from fourfall.arena.rating_input import PAIR_COUNTS, RatingInput
from fourfall.arena.ratings import ELO_PER_UNIT

_MAX_SCALE_STEPS = 30
_SCALE_TOLERANCE = 1e-6
_SMALL_DIFFERENCE = 1e-6
_BISECTIONS = 60
_MAX_DIFFERENCE = 40.0


@dataclass(frozen=True)
class RatingFit:
    """Estimated parameters of all agents; the two last parameters are first-move advantage and draw parameter.

    `components` has the number of each agent's component, `scales` each agent's factor from strength to Elo,
    `offsets` the Elo of strength 0, `dispersions` the factors of the variances of strengths, advantage and draws.
    """

    names: list[str]
    counts: GameCounts
    components: Indices
    is_fixed: Mask
    parameters: Matrix
    covariance: Matrix
    dispersions: Matrix
    scales: Matrix
    offsets: Matrix
    degrees_of_freedom: int

    @property
    def elo(self) -> Matrix:
        """Ratings of all agents."""
        ratings: Matrix = self.offsets + ELO_PER_UNIT * self.scales * self.parameters[: len(self.names)]
        return ratings

    @property
    def moments(self) -> Moments:
        """Cumulants of the results of each pairing under the estimated parameters."""
        return compute_moments(self.counts, self.parameters)


def fit_parameters(results: RatingInput, anchors: Mapping[str, float]) -> RatingFit:
    """Fit the model to counted results; anchors are agents with known ratings in Elo."""
    names = results.names
    counts = make_game_counts(results, names)
    components = find_components(counts, len(names))
    is_fixed = np.array([name in anchors for name in names], dtype=bool)
    offsets = np.zeros(len(names))
    known = np.array([anchors.get(name, 0.0) for name in names])
    for component in np.unique(components[is_fixed]):
        offsets[components == component] = known[is_fixed & (components == component)].mean()
    scales = np.ones(len(names))
    parameters = np.zeros(len(names) + 2)
    for _ in range(_MAX_SCALE_STEPS):
        parameters[:-2][is_fixed] = ((known - offsets) / (ELO_PER_UNIT * scales))[is_fixed]
        parameters = maximize_likelihood(counts, parameters, components, is_fixed)
        parameters = _match_scores_of_two(counts, parameters, components, is_fixed)
        before, scales = scales, compute_scales(counts, parameters, components)
        # Without two anchors in one component, the scale does not influence the parameters.
        has_two = np.bincount(components[is_fixed], minlength=1).max() > 1
        if not has_two or np.abs(scales - before).max() < _SCALE_TOLERANCE:
            break
    moments = compute_moments(counts, parameters)
    pairs = float(counts.pairs.sum())
    singles = float(counts.singles.sum())
    estimated = (
        len(names) - len(set(components.tolist())) - max(int(is_fixed.sum()) - len(np.unique(components[is_fixed])), 0)
    )
    degrees_of_freedom = max(int(pairs or singles) - estimated, 1)
    dispersions = estimate_dispersions(counts, moments, degrees_of_freedom)
    covariance = _compute_covariance(counts, moments, dispersions, components, is_fixed)
    return RatingFit(
        names, counts, components, is_fixed, parameters, covariance, dispersions, scales, offsets, degrees_of_freedom
    )


def make_game_counts(results: RatingInput, names: Sequence[str]) -> GameCounts:
    """Convert counts by name into arrays."""
    index = {name: at for at, name in enumerate(names)}
    pairings = results.get_pairings()
    keys = np.array([[index[one], index[other]] for one, other in pairings], dtype=np.intp).reshape(-1, 2)
    values = np.array(list(pairings.values()), dtype=np.float64).reshape(-1, 15)
    return GameCounts(
        keys[:, 0], keys[:, 1], values[:, :PAIR_COUNTS].reshape(-1, 3, 3), values[:, PAIR_COUNTS:].reshape(-1, 2, 3)
    )


def find_components(counts: GameCounts, agents: int) -> Indices:
    """Return the number of each agent's component, the set of agents that games connect."""
    component = np.arange(agents)
    while True:
        lowest = component.copy()
        np.minimum.at(lowest, counts.one, component[counts.other])
        np.minimum.at(lowest, counts.other, component[counts.one])
        lowest = lowest[lowest]
        if (lowest == component).all():
            break
        component = lowest
    return np.unique(component, return_inverse=True)[1].astype(np.intp)


def compute_pair_scores(difference: Matrix, parameters: Matrix) -> tuple[Matrix, Matrix]:
    """Return the expected scores of both agents in two games, each moving first once."""
    chances = compute_chances(difference, parameters[-2], parameters[-1])
    points = chances[..., 2] + chances[..., 1] / 2
    lost = chances[..., 0] + chances[..., 1] / 2
    return (points[:, 0] + lost[:, 1]) / 2, (lost[:, 0] + points[:, 1]) / 2


def compute_scales(counts: GameCounts, parameters: Matrix, components: Indices) -> Matrix:
    """Return the factor of each agent's component from strength to Elo, in units of 400 / ln 10."""
    difference = parameters[counts.one] - parameters[counts.other]
    difference = np.where(np.abs(difference) < _SMALL_DIFFERENCE, _SMALL_DIFFERENCE, difference)
    mine, theirs = compute_pair_scores(difference, parameters)
    ratios = np.log(mine / theirs) / difference
    variance = compute_moments(counts, parameters).covariance[:, :, 0, 0]
    weights = (counts.results.sum(axis=2) * variance).sum(axis=1)
    count = len(np.unique(components))
    belongs = components[counts.one]
    sums = np.bincount(belongs, weights * ratios, count)
    totals = np.bincount(belongs, weights, count)
    factors = np.divide(sums, totals, out=np.ones(count), where=totals > 0)
    scales: Matrix = factors[components]
    return scales


def _match_scores_of_two(counts: GameCounts, parameters: Matrix, components: Indices, is_fixed: Mask) -> Matrix:
    """In components of two agents, make the expected score equal to the observed one, unless that is 0 or 1."""
    changed = parameters.copy()
    sizes = np.bincount(components, minlength=1)
    results = counts.results
    for at in np.flatnonzero(sizes[components[counts.one]] == 2):
        one, other = counts.one[at], counts.other[at]
        share = compute_score(results[at])
        if not 0 < share < 1 or (is_fixed[one] and is_fixed[other]):
            continue
        low, high = -_MAX_DIFFERENCE, _MAX_DIFFERENCE
        for _ in range(_BISECTIONS):
            middle = (low + high) / 2
            if compute_pair_scores(np.array([middle]), parameters)[0][0] < share:
                low = middle
            else:
                high = middle
        centre = parameters[one] if is_fixed[one] else parameters[other] + low if is_fixed[other] else low / 2
        changed[one], changed[other] = centre, centre - low
    return changed


def compute_score(results: Matrix) -> float:
    """Return the share of points of the first agent of a pairing, from results (2, 3) by order and result."""
    points = results[0] @ [0, 0.5, 1] + results[1] @ [1, 0.5, 0]
    return float(points / results.sum())


def estimate_dispersions(counts: GameCounts, moments: Moments, degrees_of_freedom: int) -> Matrix:
    """Return the variance of pairs, relative to independent games, of e1 - e2, e1 + e2 and the number of draws."""
    count = counts.pairs.sum(axis=(1, 2))
    total = float(count.sum())
    straight, reverse = moments.centred[:, 0, :, None, :], moments.centred[:, 1, None, :, :]
    sums = np.stack(
        [straight[..., 0] - reverse[..., 0], straight[..., 0] + reverse[..., 0], straight[..., 1] + reverse[..., 1]]
    )
    observed = np.einsum("mrs,xmrs->x", counts.pairs, sums**2)
    variances = moments.covariance.sum(axis=1)
    expected = np.einsum(
        "m,mx->x", count, np.stack([variances[:, 0, 0], variances[:, 0, 0], variances[:, 1, 1]], axis=1)
    )
    # One pseudo-pair of the largest variance, that of two equal results of equal agents.
    ratios = (observed + np.array([1.0, 1.0, 0.5])) / (expected + np.array([0.5, 0.5, 0.25]))
    ratios[0] *= max(total, 1.0) / max(min(degrees_of_freedom, total), 1.0)
    result: Matrix = ratios
    return result


def _compute_covariance(
    counts: GameCounts, moments: Moments, dispersions: Matrix, components: Indices, is_fixed: Mask
) -> Matrix:
    agents = len(components)
    per_order = counts.singles.sum(axis=2)
    singles = assemble_information(counts, per_order[:, :, None, None] * moments.covariance, agents)
    per_pair = counts.pairs.sum(axis=(1, 2))
    pairs = assemble_information(counts, per_pair[:, None, None, None] * moments.covariance, agents)
    roots = np.sqrt(np.append(np.full(agents, dispersions[0]), dispersions[1:]))
    prior = np.diag(np.append(np.zeros(agents), [PARAMETER_PRECISION] * 2))
    directions = find_undetermined_directions(components, is_fixed)
    inverse, _ = invert_information(singles + pairs + prior, directions, is_fixed)
    variance = singles + roots[:, None] * pairs * roots + prior
    covariance: Matrix = inverse @ variance @ inverse
    return covariance
