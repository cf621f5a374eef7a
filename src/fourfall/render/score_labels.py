"""Short texts for scores and lines of moves in drawings."""

from collections.abc import Sequence

from fourfall._core import Score
from fourfall.render.labels import COLUMN_NAMES

PLAYER_NAMES = ("blue", "orange")
"""Names of the players by the colour of their stones."""
MAX_LINE = 12
"""Longest line of moves in a table; the rest is left out."""


def format_score_label(score: Score) -> str:
    """Return a text that fits below a column: the win chance, or the proven result with the moves of the winner.

    An estimate is at least 1% and at most 99%, because it is not proven.

    >>> [format_score_label(score) for score in (Score.estimate(0.1), Score.win(3), Score.loss(4), Score.draw(9))]
    ['55%', 'win 2', 'loss 2', 'draw']
    """
    if not score.is_exact:
        return f"{min(max(round(100 * score.win_chance), 1), 99)}%"
    if score.is_draw:
        return "draw"
    return f"{'win' if score.is_win else 'loss'} {((score.distance or 0) + 1) // 2}"


def format_line(columns: Sequence[int], length: int = MAX_LINE) -> str:
    """Write moves by the names of their columns.

    >>> format_line([3, 3, 10]), format_line([0, 1, 2], length=2)
    ('4 4 b', '1 2 …')
    """
    names = [COLUMN_NAMES[column] for column in columns]
    return " ".join(names[:length]) + (" …" if len(names) > length else "")
