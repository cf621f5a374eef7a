"""Draws games and reviews as HTML for notebooks; names and all other text are escaped."""

from collections.abc import Mapping, Sequence
from html import escape

from fourfall._core import Board
from fourfall.render.stepper import MoveNote, draw_stepper


def draw_game_html(
    board: Board,
    title: str,
    opening: int,
    times_ms: Sequence[float],
    scores: Sequence[float | None],
) -> str:
    """Draw a game that is stepped through, with the time and the players' own evaluation of each move.

    >>> "&lt;b&gt; against you" in draw_game_html(Board(6, 7), "<b> against you", 0, [], [])
    True
    """
    notes = {}
    for index in range(board.ply - opening):
        parts = []
        if index < len(times_ms):
            parts.append(f"{times_ms[index]:,.0f} ms")
        if index < len(scores) and (score := scores[index]) is not None:
            parts.append(f"own evaluation {100 * score:.0f} %")
        notes[opening + index + 1] = MoveNote(text=", ".join(parts))
    return draw_titled_stepper(board, title, opening, notes)


def draw_titled_stepper(
    board: Board,
    title: str,
    opening: int,
    notes: Mapping[int, MoveNote],
    *,
    lines: Sequence[str] = (),
    graph: str = "",
    shown: int | None = None,
) -> str:
    """Draw a title, lines of text, a graph in SVG and the board with its moves."""
    texts = "".join(f"<div>{escape(line)}</div>" for line in lines)
    return (
        f'<div><div style="font-weight:bold"><bdi>{escape(title)}</bdi></div>{texts}{graph}'
        f"{draw_stepper(board, start=opening, notes=notes, shown=shown)}</div>"
    )
