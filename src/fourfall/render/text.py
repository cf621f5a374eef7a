"""Draws boards as text for the terminal."""

from collections.abc import Sequence

from fourfall._core import Board
from fourfall.render.labels import Value, format_values

_RESET = "\x1b[0m"
_STYLES = {"X": "\x1b[38;5;33m", "O": "\x1b[38;5;208m", ".": "\x1b[2m", "#": "\x1b[2m"}
_SYMBOLS = {"X": "●", "O": "◆", ".": "·", "#": "▒"}
_MARKED = "\x1b[1m"


def draw_text(board: Board, *, color: bool = False, values: Sequence[Value] | None = None) -> str:
    """Draw a board as text, optionally in colour and with a value below each column.

    ``X`` is the first player, ``O`` the second, ``#`` the hole; ``>`` marks the last move and ``*`` a winning stone.

    >>> print(draw_text(Board.parse("4x4@0,0:23"), values=[None, 0.5, -0.25, "lost"]))
            1     2     3     4
     0      #     .     .     .
     1      .     .     .     .
     2      .     .     .     .
     3      .     X    >O     .
              +0.50 -0.25  lost
    """
    labels = format_values(board, values)
    width = max(2, *(len(label) + 1 for label in labels)) if labels else 2
    rows = [(line[:3], [line[at : at + 2] for at in range(3, len(line), 2)]) for line in str(board).splitlines()]
    lines = [margin + "".join(_format_cell(cell, width, color) for cell in cells) for margin, cells in rows]
    if labels:
        lines.append("   " + "".join(label.rjust(width) for label in labels))
    return "\n".join(lines)


def _format_cell(cell: str, width: int, color: bool) -> str:
    mark, symbol = cell[0], cell[1]
    if not color or symbol not in _STYLES:
        return cell.rjust(width)
    style = _STYLES[symbol] + (_MARKED if mark != " " else "")
    return f"{mark.rjust(width - 1)}{style}{_SYMBOLS[symbol]}{_RESET}"
