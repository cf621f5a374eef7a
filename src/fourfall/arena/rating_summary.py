"""Summarises ratings as plain data and as tables: ratings, comparisons of neighbours, residuals.

``fourfall rate --json`` serialises `RatingSummary`. Infinite bounds are None, because JSON has no infinity.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from fourfall.arena.event_summary import Estimate, WinsDrawsLosses, round_interval
from fourfall.arena.rating_input import RatingInput
from fourfall.arena.rating_model import RatingModel
from fourfall.arena.rating_residuals import Residual
from fourfall.arena.tables import Grid, format_elo, format_interval

UNUSUAL = 0.05
"""Probability, given the number of pairings, below which a result is called unusual."""
_ELO_DIGITS, _SHARE_DIGITS, _Z_DIGITS = 1, 4, 2


@dataclass(frozen=True)
class Comparison:
    """Difference in Elo to the next agent of the component, and the likelihood of being stronger."""

    agent: str
    elo: Estimate
    superiority: float


@dataclass(frozen=True)
class AgentRating:
    """A row of the ratings; `score` is the share of points, `next` the comparison with the agent ranked below."""

    rank: int
    agent: str
    games: int
    results: WinsDrawsLosses
    score: float | None
    elo: Estimate
    is_anchor: bool
    next: Comparison | None


@dataclass(frozen=True)
class RatingSummary:
    """Ratings, one list for each component, best first, with the common parameters and the largest residuals.

    `pairs` are complete pairs of games, `unpaired` games of incomplete pairs, `damaged` rows that cannot be read and
    `self_play` games of an agent against itself; the latter two are left out. `first_advantage` is in Elo, `draw_rate`
    is the share of draws in games of equal agents. `pairings` is the number of residuals.
    """

    games: int
    pairs: int
    unpaired: int
    damaged: int
    self_play: int
    components: list[list[AgentRating]]
    first_advantage: Estimate
    draw_rate: Estimate
    pairings: int
    residuals: list[Residual]


def summarise_ratings(results: RatingInput, model: RatingModel, residuals: int = 10) -> RatingSummary:
    """Summarise a fitted model, with a maximum number of residuals."""
    totals = results.count_results()
    components = []
    for names in model.components:
        rows = []
        for rank, name in enumerate(names, 1):
            total = totals[name]
            rows.append(
                AgentRating(
                    rank=rank,
                    agent=name,
                    games=total.games,
                    results=(total.wins, total.draws, total.losses),
                    score=round(total.points / total.games, _SHARE_DIGITS) if total.games else None,
                    elo=round_interval(model.ratings[name], _ELO_DIGITS),
                    is_anchor=name in model.anchors,
                    next=_compare(model, name, names[rank]) if rank < len(names) else None,
                )
            )
        components.append(rows)
    unusual = model.list_residuals()
    return RatingSummary(
        games=results.games,
        pairs=results.pairs,
        unpaired=results.unpaired,
        damaged=sum(results.damaged.values()),
        self_play=results.self_play,
        components=components,
        first_advantage=round_interval(model.first_advantage, _ELO_DIGITS),
        draw_rate=round_interval(model.draw_rate, _SHARE_DIGITS),
        pairings=len(unusual),
        residuals=unusual[:residuals],
    )


def _compare(model: RatingModel, one: str, other: str) -> Comparison:
    difference = round_interval(model.compute_difference(one, other), _ELO_DIGITS)
    return Comparison(other, difference, round(model.compute_superiority(one, other), _SHARE_DIGITS))


def format_ratings(results: RatingInput, model: RatingModel) -> list[Grid]:
    """Format the ratings of each component; LOS is the likelihood of superiority over the agent ranked below."""
    totals = results.count_results()
    grids = []
    for at, names in enumerate(model.components, 1):
        is_anchored = any(name in model.anchors for name in names)
        header = ("", "agent", "games", "W-D-L", "score %", "Elo (95 %)" if is_anchored else "Elo to mean (95 %)")
        rows = []
        for rank, name in enumerate(names, 1):
            total, rating = totals[name], model.ratings[name]
            elo = f"{format_elo(rating.value)} (anchor)" if name in model.anchors else format_interval(rating)
            score = f"{100 * total.points / total.games:.1f}" if total.games else ""
            compared = ("", "")
            if rank < len(names):
                superiority = 100 * model.compute_superiority(name, names[rank])
                compared = format_interval(model.compute_difference(name, names[rank])), f"{superiority:.1f}"
            counts = f"{total.wins}-{total.draws}-{total.losses}"
            rows.append((f"{rank}", name, f"{total.games}", counts, score, elo, *compared))
        title = f"set {at} of {len(model.components)}" if len(model.components) > 1 else ""
        grids.append(Grid((*header, "to next (95 %)", "LOS %"), tuple(rows), title=title))
    return grids


def format_shared_parameters(model: RatingModel) -> list[str]:
    """Format the first-move advantage and the share of draws."""
    low, value, high = (100 * share for share in (model.draw_rate.low, model.draw_rate.value, model.draw_rate.high))
    return [
        f"first-move advantage  {format_interval(model.first_advantage)} Elo",
        f"draws between equals  {value:.1f} % ({low:.1f}..{high:.1f})",
    ]


def format_superiority_matrix(model: RatingModel, names: Sequence[str]) -> Grid:
    """Format the likelihood in per cent that the agent of the row is stronger than the agent of the column."""
    rows = []
    for rank, name in enumerate(names, 1):
        cells = ("" if other == name else f"{100 * model.compute_superiority(name, other):.1f}" for other in names)
        rows.append((f"{rank}", name, *cells))
    return Grid(("", "agent", *(f"{rank}" for rank in range(1, len(names) + 1))), tuple(rows))


def format_residuals(model: RatingModel, limit: int) -> tuple[Grid, list[str]]:
    """Format the largest residuals as a table, with an explanation and the number of unusual ones."""
    residuals = model.list_residuals()
    rows = [
        (
            row.agent,
            row.opponent,
            f"{row.games}",
            f"{row.observed:g}",
            f"{row.expected:.1f}",
            f"{row.z:.1f}",
            _format_probability(row.family_probability),
        )
        for row in residuals[:limit]
    ]
    header = ("agent", "opponent", "games", "points", "expected", "z", "p %")
    grid = Grid(header, tuple(rows), frozenset({"agent", "opponent"}), "Results against expectation")
    unusual = sum(row.family_probability < UNUSUAL for row in residuals)
    verdict = (
        f"{unusual} of them {'is' if unusual == 1 else 'are'} unusual (p below 5 %)" if unusual else "none is unusual"
    )
    notes = [
        "z: difference in standard deviations. p: probability that, if strength alone decides, any of the",
        f"{len(residuals)} pairing{'s' * (len(residuals) != 1)} differs as much; {verdict}.",
    ]
    return grid, notes


def _format_probability(probability: float) -> str:
    """Format a probability in per cent.

    >>> _format_probability(0.1234), _format_probability(0.00001)
    ('12', '<0.1')
    """
    share = 100 * probability
    return "<0.1" if share < 0.1 else f"{share:.1f}" if share < 10 else f"{share:.0f}"
