"""Draws boards as arrays of pixels, with NumPy alone.

The package `fourfall.render` does not import this module, because `import fourfall` does not load NumPy.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from fourfall._core import Board
from fourfall.render.svg import BLUE, EMPTY, FAINT, FRAME, INK, ORANGE

Pixels = NDArray[np.uint8]

_MARGIN = 8
_SCALE = 4
"""Each pixel of a cell is the mean of 4x4 points, which smooths the edges."""


def draw_pixels(board: Board, *, cell: int = 32) -> Pixels:
    """Draw a board as a uint8 array of shape (height, width, 3) with red, green and blue.

    Width and height are `cell` pixels per column and row, and a margin. The first player's stones are blue discs, the
    second player's orange diamonds. A dot marks the last stone; rings mark the stones of winning lines.

    >>> draw_pixels(Board(6, 7)).shape
    (208, 240, 3)
    """
    if cell < 8:
        raise ValueError(f"cell = {cell}: a cell has at least 8 pixels")
    image = np.empty((board.rows * cell + 2 * _MARGIN, board.cols * cell + 2 * _MARGIN, 3), np.uint8)
    image[:] = _parse_color(FRAME)
    outcome = board.outcome()
    winning = set() if outcome is None else set(outcome.cells)
    for row in range(board.rows):
        for col in range(board.cols):
            kind = "hole" if board.hole == (row, col) else ("first", "second", "empty")[_get_stone(board, row, col)]
            mark = "ring" if (row, col) in winning else "dot" if board.last_cell == (row, col) else ""
            top, left = _MARGIN + row * cell, _MARGIN + col * cell
            image[top : top + cell, left : left + cell] = _draw_cell(kind, mark, cell)
    return image


def _get_stone(board: Board, row: int, col: int) -> int:
    """Return the player whose stone is on a cell, or 2."""
    player = board.stone_at(row, col)
    return 2 if player is None else player


@lru_cache(maxsize=64)
def _draw_cell(kind: str, mark: str, cell: int) -> Pixels:
    """Return the pixels of one cell with its frame."""
    points = (np.arange(cell * _SCALE) + 0.5) / (cell * _SCALE) * 2 - 1
    y, x = points[:, None], points[None, :]
    distance = np.hypot(x, y)
    colors = np.empty((cell * _SCALE, cell * _SCALE, 3))
    colors[:] = _parse_color(FRAME)
    match kind:
        case "empty":
            colors[distance < 0.8] = _parse_color(EMPTY)
        case "first":
            colors[distance < 0.8] = _parse_color(BLUE)
        case "second":
            colors[np.abs(x) + np.abs(y) < 0.9] = _parse_color(ORANGE)
        case _:
            inside = np.maximum(np.abs(x), np.abs(y)) < 0.8
            colors[inside & ((x + y) % 0.5 < 0.12)] = _parse_color(FAINT)
    if mark == "dot":
        colors[distance < 0.25] = _parse_color(EMPTY)
    elif mark == "ring":
        colors[(distance > 0.3) & (distance < 0.5)] = _parse_color(INK)
    smooth: Pixels = colors.reshape(cell, _SCALE, cell, _SCALE, 3).mean(axis=(1, 3)).round().astype(np.uint8)
    return smooth


def _parse_color(text: str) -> tuple[int, int, int]:
    """Return red, green and blue of a color such as "#1e88e5"."""
    red, green, blue = bytes.fromhex(text.removeprefix("#"))
    return red, green, blue
