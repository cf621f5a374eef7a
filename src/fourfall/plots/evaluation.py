"""Plots the win chance over a game."""

from typing import TYPE_CHECKING

from fourfall import Game, Review
from fourfall.plots.axes import COLORS, add_legend, clean_name, create_axes
from fourfall.render.labels import COLUMN_NAMES
from fourfall.render.score_labels import PLAYER_NAMES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MARKERS = {"inaccuracy": "^", "mistake": "s", "blunder": "X"}


def plot_evaluation(source: Review | Game, ax: "Axes | None" = None) -> "Axes":
    """Plot the win chance of the first player after each stone.

    A review is plotted with its marks and its turning point. What the players themselves reported is plotted as dotted
    lines, if the game has it; a game without a review has only these.

    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from fourfall import Limit, review_game
    >>> ax = plot_evaluation(review_game("6x7:1122337", "seed-002", Limit(simulations=50)))
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('stones', 'win chance of blue')
    """
    if not isinstance(source, Review | Game):
        raise TypeError(f"plot_evaluation needs a Review or a Game, not {source!r}; review_game makes a review")
    game = source.game if isinstance(source, Review) else source
    if not isinstance(source, Review) and not any(score is not None for score in game.scores):
        raise ValueError("this game has no evaluations; review it first: plot_evaluation(review_game(game))")
    ax = create_axes(ax, (8, 3.5))
    from matplotlib.ticker import MaxNLocator

    ax.axhline(0.5, color="gray", linewidth=0.8, zorder=0)
    if isinstance(source, Review):
        _plot_review(source, ax)
    _plot_own_scores(game, ax)
    ax.set_ylim(-0.05, 1.05)
    ax.yaxis.set_major_formatter("{x:.0%}")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_xlabel("stones")
    first = game.names[0]
    ax.set_ylabel(f"win chance of {clean_name(first)}" + ("" if first == PLAYER_NAMES[0] else f" ({PLAYER_NAMES[0]})"))
    ax.set_title(" against ".join(map(clean_name, game.names)))
    add_legend(ax)
    return ax


def _plot_review(review: Review, ax: "Axes") -> None:
    chances = review.win_chances
    stones = range(review.start, review.start + len(chances))
    ax.plot(stones, chances, color=COLORS[0], label=clean_name(review.engine))
    for mark, marker in MARKERS.items():
        moves = [move for move in review.mistakes if move.mark == mark]
        if moves:
            ax.scatter(
                [move.ply + 1 for move in moves],
                [chances[move.ply + 1 - review.start] for move in moves],
                color=COLORS[1],
                marker=marker,
                zorder=3,
                label=mark,
            )
    if (turning := review.turning_point) is not None:
        ax.axvline(turning.ply + 1, color=COLORS[1], linewidth=1, linestyle="--", label="turning point")
        ax.annotate(
            f"{COLUMN_NAMES[turning.column]} instead of {COLUMN_NAMES[turning.best]}",
            (turning.ply + 1, 0.5),
            xytext=(4, 4),
            textcoords="offset points",
            fontsize="small",
        )


def _plot_own_scores(game: Game, ax: "Axes") -> None:
    """Plot the win chances that the players reported, converted to those of the first player."""
    for player, color in ((0, COLORS[0]), (1, COLORS[1])):
        points = [
            (game.opening + index, score if player == 0 else 1 - score)
            for index, score in enumerate(game.scores)
            if score is not None and (game.opening + index) % 2 == player
        ]
        if points:
            stones, chances = zip(*points, strict=True)
            label = f"{clean_name(game.names[player])} (own evaluation)"
            ax.plot(stones, chances, color=color, linestyle=":", marker=".", label=label)
