"""Renders the board of an environment in its render mode."""

import sys

from fourfall._core import Board
from fourfall.render import draw_text
from fourfall.render.pixels import Pixels, draw_pixels

RENDER_MODES = ("human", "ansi", "rgb_array")
"""Printed text after every move, text, pixels."""


def check_render_mode(mode: str | None) -> str | None:
    """Return a render mode.

    >>> check_render_mode("svg")
    Traceback (most recent call last):
    ValueError: render_mode = 'svg': expected 'human', 'ansi', 'rgb_array' or None
    """
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode = {mode!r}: expected 'human', 'ansi', 'rgb_array' or None")
    return mode


def render_board(board: Board, mode: str) -> str | Pixels | None:
    """Return a board as text or as pixels of shape (height, width, 3), or print it and return None.

    >>> render_board(Board.parse("4x4:1"), "human")
        1 2 3 4
     0  . . . .
     1  . . . .
     2  . . . .
     3 >X . . .
    <BLANKLINE>
    """
    match mode:
        case "ansi":
            return draw_text(board)
        case "rgb_array":
            return draw_pixels(board)
    print(draw_text(board, color=sys.stdout.isatty()), end="\n\n")
    return None
