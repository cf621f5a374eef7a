"""Fits the rating model to counted results: parameters, their covariance and the Elo scale.

`davidson` estimates the parameters, `pair_dispersion` their covariance. This module adds

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
    GameCounts,
    Indices,
    Mask,
    Matrix,
    Moments,
    compute_chances,
    compute_moments,
    find_undetermined_directions,
    maximize_likelihood,
)
from fourfall.arena.pair_dispersion import Dispersions, compute_covariance, estimate_dispersions
from fourfall.arena.rating_input import PAIR_COUNTS, RatingInput
from fourfall.arena.ratings import ELO_PER_UNIT

_SMALL_DIFFERENCE = 1e-6
_BISECTIONS = 60
_MAX_DIFFERENCE = 40.0


@dataclass(frozen=True)
class RatingFit:
    """Estimated parameters of all agents; the two last parameters are first-move advantage and draw parameter.

    `components` has the number of each agent's component, `scales` each agent's factor from strength to Elo,
    `offsets` the Elo of strength 0. `independent_covariance` is that of the parameters if all games were independent.
    """

    names: list[str]
    counts: GameCounts
    components: Indices
    is_fixed: Mask
    parameters: Matrix
    independent_covariance: Matrix
    covariance: Matrix
    dispersions: Dispersions
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
    """Fit the model to counted results; anchors have known ratings in Elo."""
    names = results.names
    counts = make_game_counts(results, names)
    components = find_components(counts, len(names))
    is_fixed = np.array([name in anchors for name in names], dtype=bool)
    parameters = maximize_likelihood(counts, np.zeros(len(names) + 2), components, np.zeros_like(is_fixed))
    parameters = _match_scores_of_two(counts, parameters, components)
    scales = compute_scales(counts, parameters, components)
    parameters[:-2] -= _compute_means(parameters[:-2], components)
    known = np.array([anchors.get(name, 0.0) for name in names])
    offsets = np.zeros(len(names))
    for component in np.unique(components[is_fixed]).tolist():
        members = components == component
        fixed = members & is_fixed
        offsets[members] = known[fixed].mean()
        if fixed.sum() == 1:
            parameters[:-2][members] -= parameters[:-2][fixed]
    if np.bincount(components[is_fixed], minlength=1).max() > 1:
        # Several anchors in one component change the strengths of the others, on the scale without anchors.
        parameters[:-2][is_fixed] = ((known - offsets) / (ELO_PER_UNIT * scales))[is_fixed]
        parameters = maximize_likelihood(counts, parameters, components, is_fixed)
    moments = compute_moments(counts, parameters)
    pairs = float(counts.pairs.sum())
    singles = float(counts.singles.sum())
    estimated = (
        len(names) - len(set(components.tolist())) - max(int(is_fixed.sum()) - len(np.unique(components[is_fixed])), 0)
    )
    degrees_of_freedom = max(int(pairs or singles) - estimated, 1)
    dispersions = estimate_dispersions(counts, moments, degrees_of_freedom)
    directions = find_undetermined_directions(components, is_fixed)
    independent, covariance = compute_covariance(counts, moments, dispersions, directions, is_fixed)
    return RatingFit(
        names=names,
        counts=counts,
        components=components,
        is_fixed=is_fixed,
        parameters=parameters,
        independent_covariance=independent,
        covariance=covariance,
        dispersions=dispersions,
        scales=scales,
        offsets=offsets,
        degrees_of_freedom=degrees_of_freedom,
    )


def _compute_means(strengths: Matrix, components: Indices) -> Matrix:
    """Return the mean strength of each agent's component."""
    sizes = np.bincount(components)
    means: Matrix = (np.bincount(components, strengths) / sizes)[components]
    return means


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


def _match_scores_of_two(counts: GameCounts, parameters: Matrix, components: Indices) -> Matrix:
    """In components of two agents, make the expected score equal to the observed one, unless that is 0 or 1."""
    changed = parameters.copy()
    sizes = np.bincount(components, minlength=1)
    results = counts.results
    for at in np.flatnonzero(sizes[components[counts.one]] == 2):
        share = compute_score(results[at])
        if not 0 < share < 1:
            continue
        low, high = -_MAX_DIFFERENCE, _MAX_DIFFERENCE
        for _ in range(_BISECTIONS):
            middle = (low + high) / 2
            if compute_pair_scores(np.array([middle]), parameters)[0][0] < share:
                low = middle
            else:
                high = middle
        changed[counts.one[at]], changed[counts.other[at]] = low / 2, -low / 2
    return changed


def compute_score(results: Matrix) -> float:
    """Return the share of points of the first agent of a pairing, from results (2, 3) by order and result."""
    points = results[0] @ [0, 0.5, 1] + results[1] @ [1, 0.5, 0]
    return float(points / results.sum())
