"""Draws boards as text for the terminal and as SVG for web pages and notebooks."""

from collections.abc import Iterator, Sequence
from html import escape

from fourfall._core import Board

Value = float | str | None
"""Value below a column: a number (drawn with its sign), a text, or None for nothing."""

COLUMN_NAMES = "123456789abc"

_RESET = "\x1b[0m"
_STYLES = {"X": "\x1b[38;5;33m", "O": "\x1b[38;5;208m", ".": "\x1b[2m", "#": "\x1b[2m"}
_SYMBOLS = {"X": "●", "O": "◆", ".": "·", "#": "▒"}
_MARKED = "\x1b[1m"

_CELL = 44
_MARGIN = 30
_HATCH_REACH, _HATCH_STEP = 18, 9
_BLUE, _ORANGE = "#0072b2", "#cf5b00"
_INK, _FAINT, _FRAME, _EMPTY = "#17222c", "#5d6b77", "#dde5ec", "#ffffff"
_OUTLINE = "#84929e"


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
    labels = _format_values(board, values)
    width = max(2, *(len(label) + 1 for label in labels)) if labels else 2
    rows = [(line[:3], [line[at : at + 2] for at in range(3, len(line), 2)]) for line in str(board).splitlines()]
    lines = [margin + "".join(_format_cell(cell, width, color) for cell in cells) for margin, cells in rows]
    if labels:
        lines.append("   " + "".join(label.rjust(width) for label in labels))
    return "\n".join(lines)


def draw_svg(board: Board, *, values: Sequence[Value] | None = None) -> str:
    """Draw a board as a standalone SVG image, optionally with a value below each column.

    Blue discs are the first player, orange diamonds the second, and a hatched square is the hole. A dot marks the last
    move, rings mark winning stones. Columns and rows count from 1, rows from the bottom.

    >>> draw_svg(Board.parse("6x7:44")).startswith("<svg ")
    True
    """
    labels = _format_values(board, values)
    width = board.cols * _CELL + 2 * _MARGIN
    height = board.rows * _CELL + 2 * _MARGIN + (10 if labels else 0)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        ' role="img" font-family="system-ui, sans-serif" font-size="15" text-anchor="middle">',
        f"<title>{_describe(board)}</title>",
        f'<rect x="{_MARGIN - 6}" y="{_MARGIN - 6}" width="{board.cols * _CELL + 12}"'
        f' height="{board.rows * _CELL + 12}" rx="10" fill="{_FRAME}"/>',
        *_draw_coordinates(board),
        *(_draw_cell(board, row, col) for row in range(board.rows) for col in range(board.cols)),
        *_draw_marks(board),
    ]
    size = 15 if all(len(label) <= 4 for label in labels) else 12
    for col, label in enumerate(labels):
        y = board.rows * _CELL + _MARGIN + 28
        parts.append(f'<text x="{_x(col)}" y="{y}" font-size="{size}" fill="{_INK}">{escape(label)}</text>')
    return "\n".join([*parts, "</svg>"])


def _format_values(board: Board, values: Sequence[Value] | None) -> list[str]:
    if values is None:
        return []
    if len(values) != board.cols:
        raise ValueError(f"expected {board.cols} values, one for each column, not {len(values)}")
    return ["" if value is None else value if isinstance(value, str) else f"{value:+.2f}" for value in values]


def _format_cell(cell: str, width: int, color: bool) -> str:
    mark, symbol = cell[0], cell[1]
    if not color or symbol not in _STYLES:
        return cell.rjust(width)
    style = _STYLES[symbol] + (_MARKED if mark != " " else "")
    return f"{mark.rjust(width - 1)}{style}{_SYMBOLS[symbol]}{_RESET}"


def _describe(board: Board) -> str:
    outcome = board.outcome()
    if outcome is None:
        state = f"{('first', 'second')[board.turn]} player to move"
    elif outcome.winner is None:
        state = "a draw"
    else:
        state = f"the {('first', 'second')[outcome.winner]} player won"
    return escape(f"Gravity four, {board.notation}: {state}")


def _x(col: int) -> int:
    return _MARGIN + col * _CELL + _CELL // 2


def _y(row: int) -> int:
    return _MARGIN + row * _CELL + _CELL // 2


def _draw_coordinates(board: Board) -> Iterator[str]:
    for col in range(board.cols):
        yield f'<text x="{_x(col)}" y="{_MARGIN - 12}" fill="{_INK}">{COLUMN_NAMES[col]}</text>'
    for row in range(board.rows):
        number = board.rows - row
        yield f'<text x="{_MARGIN // 2 - 3}" y="{_y(row) + 4}" font-size="11" fill="{_FAINT}">{number}</text>'


def _draw_cell(board: Board, row: int, col: int) -> str:
    x, y = _x(col), _y(row)
    if board.hole == (row, col):
        return _draw_hatched_square(x - _HATCH_REACH, y - _HATCH_REACH, 2 * _HATCH_REACH)
    match board.stone_at(row, col):
        case 0:
            return f'<circle cx="{x}" cy="{y}" r="18" fill="{_BLUE}"/>'
        case 1:
            return (
                f'<rect x="{x - 14}" y="{y - 14}" width="28" height="28" rx="4" fill="{_ORANGE}"'
                f' transform="rotate(45 {x} {y})"/>'
            )
    return f'<circle cx="{x}" cy="{y}" r="18" fill="{_EMPTY}" stroke="{_OUTLINE}"/>'


def _draw_hatched_square(left: int, top: int, side: int) -> str:
    lines = []
    for at in range(_HATCH_STEP, 2 * side, _HATCH_STEP):
        near, far = max(at - side, 0), min(at, side)
        lines.append(f"M{left + near} {top + far}L{left + far} {top + near}")
    return (
        f'<path d="M{left} {top}h{side}v{side}h-{side}Z{"".join(lines)}" fill="none" stroke="{_FAINT}"'
        ' stroke-width="2" stroke-linejoin="round"/>'
    )


def _draw_marks(board: Board) -> Iterator[str]:
    outcome = board.outcome()
    for row, col in outcome.cells if outcome else []:
        yield f'<circle cx="{_x(col)}" cy="{_y(row)}" r="19" fill="none" stroke="{_INK}" stroke-width="3.5"/>'
    if board.last_cell:
        row, col = board.last_cell
        yield f'<circle cx="{_x(col)}" cy="{_y(row)}" r="5" fill="{_EMPTY}" stroke="{_INK}"/>'
