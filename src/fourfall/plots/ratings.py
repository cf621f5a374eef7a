"""Plots ratings with their intervals, and rating curves of a ladder."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fourfall.arena.ladder.history import Snapshot, load_history
from fourfall.arena.rating_input import RatingInput
from fourfall.arena.rating_model import RatingModel, fit_rating_model
from fourfall.arena.ratings import Interval
from fourfall.arena.store import Store, StoreError
from fourfall.plots.axes import COLORS, LINE_STYLES, add_legend, clean_name, create_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_OPEN_LENGTH = 100  # Elo; length of the drawn part of an interval without bound
_MAX_CURVES = 12


def plot_ratings(source: RatingModel | Mapping[str, Interval] | Path | str, ax: "Axes | None" = None) -> "Axes":
    """Plot ratings with their 95 % intervals, the best agent at the top.

    An interval without a bound ends in an arrow. An agent that cannot be rated, because it has no games, is left out.

    Args:
        source: a fitted model, ratings by name, or the path of a database, whose games are rated.
        ax: axes to draw into; by default new ones.

    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> ax = plot_ratings({"a": Interval(50, 20, 90), "b": Interval(-50, -90, -20)})
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['b', 'a']
    """
    if isinstance(source, str | Path):
        source = fit_rating_model(RatingInput.from_stores([Path(source)]))
    ratings = source.ratings if isinstance(source, RatingModel) else source
    if not isinstance(ratings, Mapping):
        raise TypeError(f"plot_ratings needs a RatingModel, ratings by name or the path of a database, not {source!r}")
    rated = {name: rating for name, rating in ratings.items() if math.isfinite(rating.value)}
    if not rated:
        raise ValueError("there are no ratings to plot")
    ranked = sorted(rated, key=lambda name: (rated[name].value, name))
    ax = create_axes(ax, (8, 1.2 + 0.3 * len(ranked)))
    for row, name in enumerate(ranked):
        _plot_rating(rated[name], row, ax)
    ax.set_yticks(range(len(ranked)), [clean_name(name) for name in ranked])
    ax.set_ylim(-0.6, len(ranked) - 0.4)
    ax.grid(axis="x", alpha=0.4)
    ax.set_xlabel("rating in Elo, with 95 % interval")
    return ax


def _plot_rating(rating: Interval, row: int, ax: "Axes") -> None:
    low = rating.low if math.isfinite(rating.low) else rating.value - _OPEN_LENGTH
    high = rating.high if math.isfinite(rating.high) else rating.value + _OPEN_LENGTH
    ax.plot([low, high], [row, row], color=COLORS[0], linewidth=2)
    ax.plot(rating.value, row, "o", color=COLORS[0])
    for end, bound, arrow in ((low, rating.low, "<"), (high, rating.high, ">")):
        ax.plot(end, row, "|" if math.isfinite(bound) else arrow, color=COLORS[0], markersize=8)


def plot_rating_history(
    source: Sequence[Snapshot] | Path | str, ax: "Axes | None" = None, *, names: Sequence[str] | None = None
) -> "Axes":
    """Plot the ratings of the agents of a ladder over its games.

    Args:
        source: snapshots of `load_history`, or the path of a database with a ladder.
        ax: axes to draw into; by default new ones.
        names: agents to plot; by default the 12 agents with the best last ratings.

    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> ax = plot_rating_history([Snapshot(1, "", {"a": 0}), Snapshot(2, "", {"a": 10, "b": -10})])
    >>> [line.get_xydata().tolist() for line in ax.lines]
    [[[2.0, 0.0], [4.0, 10.0]], [[4.0, -10.0]]]
    """
    history = _load_ladder(Path(source)) if isinstance(source, str | Path) else source
    if not history:
        raise ValueError("the history has no ratings yet")
    latest = {name: value for snapshot in history for name, value in snapshot.ratings.items()}
    if names is None:
        names = sorted(latest, key=lambda name: (-latest[name], name))[:_MAX_CURVES]
    elif unknown := [name for name in names if name not in latest]:
        raise ValueError(f"the history has no agent {unknown[0]!r}")
    ax = create_axes(ax)
    for index, name in enumerate(names):
        points = [(2 * snapshot.pairs, snapshot.ratings[name]) for snapshot in history if name in snapshot.ratings]
        games, values = zip(*points, strict=True)
        color, style = COLORS[index % len(COLORS)], LINE_STYLES[index // len(COLORS) % len(LINE_STYLES)]
        marker = "." if len(points) == 1 else None
        ax.plot(games, values, color=color, linestyle=style, marker=marker, label=clean_name(name))
    ax.grid(alpha=0.4)
    ax.set_xlabel("games of the ladder")
    ax.set_ylabel("rating in Elo")
    add_legend(ax, is_beside=True)
    return ax


def _load_ladder(database: Path) -> list[Snapshot]:
    with Store(database, read_only=True) as store:
        ladder = store.find_ladder()
        if ladder is None:
            raise StoreError(f"{database}: the database has no ladder")
        return load_history(store, ladder.id)
