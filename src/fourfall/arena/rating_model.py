"""Ratings of agents in Elo: estimates with intervals, comparisons, predictions and residuals."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from fourfall.arena.davidson import compute_chances
from fourfall.arena.name_suggestions import suggest_names
from fourfall.arena.rating_bounds import OwnGames, find_strength_bounds
from fourfall.arena.rating_fit import RatingFit, compute_score, fit_parameters
from fourfall.arena.rating_input import RatingError, RatingInput
from fourfall.arena.rating_residuals import Residual, compute_residuals
from fourfall.arena.ratings import (
    ELO_PER_UNIT,
    Interval,
    PairCounts,
    compute_match_superiority,
    compute_pair_score_interval,
    convert_score_to_elo,
)
from fourfall.arena.student_t import compute_student_probability, compute_student_quantile

_RANK_DIGITS = 6  # equal agents are ranked by name, not by rounding errors


@dataclass(frozen=True)
class _Match:
    """A component of two agents: pairs by points of the first one, and the Elo difference by its score."""

    pairs: PairCounts
    elo: Interval


class RatingModel:
    """Ratings of agents, fitted to their games by `fit_rating_model`.

    Attributes:
        ratings: Rating of each agent with its 95 % interval. Without anchors it is relative to the mean of the agents
            that are connected by games. An agent that won all games has no upper bound, an agent that lost all games
            no lower bound; an agent without games has no bounds.
        components: Sets of agents that are connected by games, each best first, the largest set first.
        anchors: Given ratings.
        first_advantage: Advantage of moving first in Elo.
        draw_rate: Share of draws in games of equal agents.
        degrees_of_freedom: Number of observations beyond the number of estimated strengths.

    >>> results = RatingInput()
    >>> for game, winner in enumerate([0, 0, 0, 1, None, 1]):
    ...     results.add(*("ab" if game % 2 == 0 else "ba"), winner, game // 2)
    >>> model = fit_rating_model(results)
    >>> round(model.ratings["a"].value), round(model.compute_difference("a", "b").value), model.components
    (95, 191, [('a', 'b')])
    """

    def __init__(self, fit: RatingFit, anchors: Mapping[str, float]) -> None:
        self._fit = fit
        self._index = {name: at for at, name in enumerate(fit.names)}
        self.anchors = dict(anchors)
        self.degrees_of_freedom = fit.degrees_of_freedom
        self._quantile = compute_student_quantile(fit.degrees_of_freedom)
        games = OwnGames(fit.counts, fit.parameters)
        variances = np.maximum(np.diag(fit.covariance)[:-2], 0.0)
        self._bounds = find_strength_bounds(games, variances, fit.dispersions.strengths, self._quantile)
        self._anchored = set(fit.components[fit.is_fixed].tolist())
        self._matches = _estimate_matches(fit)
        self._opponents = dict(self._matches.keys())
        self.ratings = {name: self._make_rating(at) for at, name in enumerate(fit.names)}
        groups: dict[int, list[str]] = {}
        for name, component in zip(fit.names, fit.components.tolist(), strict=True):
            groups.setdefault(component, []).append(name)
        ranked = (tuple(sorted(names, key=self._get_rank)) for names in groups.values())
        self.components = sorted(ranked, key=lambda names: (-len(names), names))
        self.first_advantage, self.draw_rate = self._estimate_shared_parameters()

    def predict_score(self, first: str, second: str) -> float:
        """Return the expected score of the agent that moves first."""
        fit, one, other = self._fit, self._index[first], self._index[second]
        if fit.components[one] == fit.components[other]:
            difference = fit.parameters[one] - fit.parameters[other]
        else:
            difference = (fit.elo[one] - fit.elo[other]) / (ELO_PER_UNIT * fit.scales[one])
        [chances] = compute_chances(np.array([difference]), fit.parameters[-2], fit.parameters[-1])[:, 0]
        return float(chances[2] + chances[1] / 2)

    def compute_difference(self, one: str, other: str) -> Interval:
        """Return the Elo difference of two agents; it has no bounds if no games and no anchors connect them."""
        at, to = self._index[one], self._index[other]
        value = self.ratings[one].value - self.ratings[other].value
        if (match := self._matches.get((at, to))) is not None:
            return Interval(value, match.elo.low, match.elo.high)
        mine, theirs = self.ratings[one], self.ratings[other]
        correlation = self._compute_correlation(at, to)
        low = _combine_distances(mine.value - mine.low, theirs.high - theirs.value, correlation)
        high = _combine_distances(mine.high - mine.value, theirs.value - theirs.low, correlation)
        return Interval(value, value - low, value + high)

    def compute_superiority(self, one: str, other: str) -> float:
        """Return the likelihood that one agent is stronger than the other; 0.5 if they cannot be compared.

        >>> results = RatingInput(["a", "b", "c"])
        >>> for pair in range(10):
        ...     results.add("a", "b", 0, pair)
        ...     results.add("b", "a", pair % 2, pair)
        >>> model = fit_rating_model(results)
        >>> round(model.compute_superiority("a", "b"), 2), model.compute_superiority("a", "c")
        (0.98, 0.5)
        """
        at, to = self._index[one], self._index[other]
        if (match := self._matches.get((at, to))) is not None:
            return compute_match_superiority(match.pairs)
        error = self._compute_error(at, to)
        difference = self.compute_difference(one, other)
        # The interval is not symmetric. With the distance to its bound on the side of 0 the likelihood is 97.5 %
        # exactly if this bound is 0.
        value, bound = difference.value, difference.low if difference.value > 0 else difference.high
        if math.isfinite(error) and math.isfinite(bound):
            error = abs(value - bound) / self._quantile
        if error == 0:
            return 0.5 if value == 0 else float(value > 0)
        return compute_student_probability(value / error, self.degrees_of_freedom)

    def list_residuals(self) -> list[Residual]:
        """List the pairings, those first whose results differ most from the model.

        A pairing that alone determines the difference of its agents is left out: its expectation is its result.
        """
        return compute_residuals(self._fit)

    def _get_rank(self, name: str) -> tuple[float, str]:
        return -round(self.ratings[name].value, _RANK_DIGITS), name

    def _compute_error(self, at: int, to: int) -> float:
        """Return the standard error of a difference in Elo; infinite if the agents cannot be compared."""
        fit = self._fit
        one, other = int(fit.components[at]), int(fit.components[to])
        if one != other and not {one, other} <= self._anchored:
            return math.inf
        covariance, scales = fit.covariance, fit.scales
        variance = (
            scales[at] ** 2 * covariance[at, at]
            + scales[to] ** 2 * covariance[to, to]
            - 2 * scales[at] * scales[to] * covariance[at, to]
        )
        return ELO_PER_UNIT * math.sqrt(max(float(variance), 0.0))

    def _compute_correlation(self, at: int, to: int) -> float:
        """Return the correlation of two ratings; minus infinity if the agents cannot be compared."""
        fit = self._fit
        one, other = int(fit.components[at]), int(fit.components[to])
        if one != other and not {one, other} <= self._anchored:
            return -math.inf
        product = float(fit.covariance[at, at] * fit.covariance[to, to])
        return float(fit.covariance[at, to]) / math.sqrt(product) if product > 0 else 0.0

    def _make_rating(self, at: int) -> Interval:
        fit = self._fit
        value = float(fit.elo[at])
        if fit.is_fixed[at]:
            return Interval(value, value, value)
        unit = ELO_PER_UNIT * float(fit.scales[at])
        low, high = value + unit * float(self._bounds[0][at]), value + unit * float(self._bounds[1][at])
        if (opponent := self._opponents.get(at)) is not None:
            match = self._matches[at, opponent].elo
            is_anchored = fit.is_fixed[opponent]
            base, share = (float(fit.elo[opponent]), 1.0) if is_anchored else (float(fit.offsets[at]), 0.5)
            low, high = min(value, base + share * match.low), max(value, base + share * match.high)
        return Interval(value, low, high)

    def _estimate_shared_parameters(self) -> tuple[Interval, Interval]:
        """Return the first-move advantage in Elo and the share of draws between equal agents."""
        fit = self._fit
        if not fit.counts.results.sum():
            return Interval(0.0, -math.inf, math.inf), Interval(0.5, 0.0, 1.0)
        losses, draws, wins = fit.counts.results.sum(axis=(0, 1))
        scale = ELO_PER_UNIT * _average_scale(fit)
        advantage, draw = (float(value) for value in fit.parameters[-2:])
        half_widths = self._quantile * np.sqrt(np.diag(fit.covariance)[-2:])
        base = math.log(2 * math.cosh(advantage / 2))
        low, share, high = (1 / (1 + math.exp(base - draw - sign * float(half_widths[1]))) for sign in (-1, 0, 1))
        reach = scale * float(half_widths[0])
        first_advantage = Interval(
            scale * advantage,
            scale * advantage - reach if wins or draws else -math.inf,
            scale * advantage + reach if losses or draws else math.inf,
        )
        if not draws:
            return first_advantage, Interval(0.0, 0.0, high)
        return first_advantage, Interval(share, low, high) if wins or losses else Interval(1.0, low, 1.0)


def fit_rating_model(results: RatingInput, anchors: Mapping[str, float] | None = None) -> RatingModel:
    """Fit the ratings of all agents to their games; `anchors` are ratings in Elo that are known.

    Raises RatingError if an anchor is not a finite number or no agent has its name.
    """
    anchors = anchors or {}
    names = results.names
    for name, rating in anchors.items():
        if name not in names:
            suggestion = suggest_names(name, names)
            raise RatingError(f"anchor {name!r}: no games of an agent with this name{suggestion}")
        if not math.isfinite(rating):
            raise RatingError(f"anchor {name!r}: the rating must be a finite number, not {rating}")
    return RatingModel(fit_parameters(results, anchors), anchors)


def _average_scale(fit: RatingFit) -> float:
    weights = np.bincount(fit.counts.one, fit.counts.results.sum(axis=(1, 2)), len(fit.names))
    return float(np.average(fit.scales, weights=weights))


def _combine_distances(one: float, other: float, correlation: float) -> float:
    """Return the distance of the bound of a difference from those of two estimates [G. Y. Zou and A. Donner, 2008]."""
    if math.isinf(one) or math.isinf(other) or math.isinf(correlation):
        return math.inf
    return math.sqrt(max(one * one + other * other - 2 * correlation * one * other, 0.0))


def _estimate_matches(fit: RatingFit) -> dict[tuple[int, int], _Match]:
    """Return the matches of agents that form a component of two, from the view of either agent."""
    matches = {}
    sizes = np.bincount(fit.components, minlength=1)
    for at in np.flatnonzero(sizes[fit.components[fit.counts.one]] == 2).tolist():
        one, other = int(fit.counts.one[at]), int(fit.counts.other[at])
        if fit.is_fixed[one] and fit.is_fixed[other]:
            continue
        points = [0] * 5
        for (straight, reverse), count in np.ndenumerate(fit.counts.pairs[at]):
            points[2 + straight - reverse] += int(count)
        share = compute_score(fit.counts.results[at])
        for names, score, pairs in (((one, other), share, points), ((other, one), 1 - share, points[::-1])):
            zero, half, equal, three_halves, two = pairs
            counts = zero, half, equal, three_halves, two
            interval = compute_pair_score_interval(counts)
            bounds = score, min(score, interval.low), max(score, interval.high)
            matches[names] = _Match(counts, Interval(*map(convert_score_to_elo, bounds)))
    return matches
