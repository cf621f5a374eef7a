"""Draws boards as SVG for web pages and notebooks, and the shapes that animations share."""

from collections.abc import Iterator, Sequence
from html import escape

from fourfall._core import Board
from fourfall.render.labels import COLUMN_NAMES, Value, format_values
from fourfall.render.winning_lines import find_winning_lines

CELL = 44
MARGIN = 30
_HATCH_REACH, _HATCH_STEP = 18, 9
BLUE, ORANGE = "#0072b2", "#cf5b00"
INK, FAINT, FRAME, EMPTY = "#17222c", "#5d6b77", "#dde5ec", "#ffffff"
OUTLINE = "#84929e"
CAPTION_HEIGHT = 18
_CAPTION_SIZE = 13


def draw_svg(
    board: Board,
    *,
    values: Sequence[Value] | None = None,
    variation: Sequence[int] = (),
    title: str | None = None,
    caption: str | None = None,
    text_color: str = INK,
    background: str | None = None,
) -> str:
    """Draw a board as a standalone SVG image.

    Blue discs are the first player, orange diamonds the second, and a hatched square is the hole. A dot marks the last
    move; rings and a line mark the winning stones. Columns and rows count from 1, rows from the bottom.

    Args:
        board: the position.
        values: one value for each column, drawn below it.
        variation: columns that would be played next; their stones are outlined and numbered.
        title: description for screen readers, instead of the English description of the position.
        caption: line of text below the board.
        text_color: colour of the text around the board; "currentColor" is the colour of the text of a page.
        background: colour behind the image, which is otherwise transparent.

    >>> draw_svg(Board.parse("6x7:44")).startswith("<svg ")
    True
    """
    labels = format_values(board, values)
    height = board.rows * CELL + 2 * MARGIN + (10 if labels else 0)
    total = height + (CAPTION_HEIGHT if caption else 0)
    parts = [
        *draw_frame(board, total, title, text_color=text_color, background=background),
        *(draw_cell(board, row, col) for row in range(board.rows) for col in range(board.cols)),
        *draw_marks(board),
        *draw_variation(board, variation),
    ]
    if caption:
        parts.append(draw_caption(board, caption, height, text_color))
    size = 15 if all(len(label) <= 4 for label in labels) else 12
    for col, label in enumerate(labels):
        y = board.rows * CELL + MARGIN + 28
        parts.append(f'<text x="{center_x(col)}" y="{y}" font-size="{size}" fill="{text_color}">{escape(label)}</text>')
    return "\n".join([*parts, "</svg>"])


def draw_frame(
    board: Board, height: int, title: str | None = None, *, text_color: str = INK, background: str | None = None
) -> Iterator[str]:
    """Yield the start of the image: the opening tag, the title, the frame of the board and the coordinates."""
    width = board.cols * CELL + 2 * MARGIN
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        ' role="img" font-family="system-ui, sans-serif" font-size="15" text-anchor="middle"'
        ' style="max-width:100%;height:auto">'
    )
    yield f"<title>{escape(_describe(board) if title is None else title)}</title>"
    if background is not None:
        yield f'<rect width="{width}" height="{height}" rx="12" fill="{background}"/>'
    yield (
        f'<rect x="{MARGIN - 6}" y="{MARGIN - 6}" width="{board.cols * CELL + 12}"'
        f' height="{board.rows * CELL + 12}" rx="10" fill="{FRAME}"/>'
    )
    yield from _draw_coordinates(board, text_color)


def _describe(board: Board) -> str:
    outcome = board.outcome()
    if outcome is None:
        state = f"{('first', 'second')[board.turn]} player to move"
    elif outcome.winner is None:
        state = "a draw"
    else:
        state = f"the {('first', 'second')[outcome.winner]} player won"
    return f"Gravity four, {board.notation}: {state}"


def center_x(col: int) -> int:
    """Return the middle of a column."""
    return MARGIN + col * CELL + CELL // 2


def center_y(row: int) -> int:
    """Return the middle of a row, counted from the top."""
    return MARGIN + row * CELL + CELL // 2


def _draw_coordinates(board: Board, color: str) -> Iterator[str]:
    for col in range(board.cols):
        yield f'<text x="{center_x(col)}" y="{MARGIN - 12}" fill="{color}">{COLUMN_NAMES[col]}</text>'
    faint = FAINT if color == INK else color
    for row in range(board.rows):
        number = board.rows - row
        yield f'<text x="{MARGIN // 2 - 3}" y="{center_y(row) + 4}" font-size="11" fill="{faint}">{number}</text>'


def draw_cell(board: Board, row: int, col: int) -> str:
    """Return the stone, the free cell or the hole."""
    x, y = center_x(col), center_y(row)
    if board.hole == (row, col):
        return _draw_hatched_square(x - _HATCH_REACH, y - _HATCH_REACH, 2 * _HATCH_REACH)
    player = board.stone_at(row, col)
    if player is not None:
        return draw_stone(player, row, col)
    return f'<circle cx="{x}" cy="{y}" r="18" fill="{EMPTY}" stroke="{OUTLINE}"/>'


def draw_stone(player: int, row: int, col: int) -> str:
    """Return a disc for the first player, a diamond for the second."""
    x, y = center_x(col), center_y(row)
    if player == 0:
        return f'<circle cx="{x}" cy="{y}" r="18" fill="{BLUE}"/>'
    return (
        f'<rect x="{x - 14}" y="{y - 14}" width="28" height="28" rx="4" fill="{ORANGE}"'
        f' transform="rotate(45 {x} {y})"/>'
    )


def cover_cell(row: int, col: int, animation: str = "") -> str:
    """Return a disc that hides a free cell, because a diamond that is drawn over it does not."""
    return f'<circle cx="{center_x(col)}" cy="{center_y(row)}" r="18.6" fill="{FRAME}">{animation}</circle>'


def _draw_hatched_square(left: int, top: int, side: int) -> str:
    lines = []
    for at in range(_HATCH_STEP, 2 * side, _HATCH_STEP):
        near, far = max(at - side, 0), min(at, side)
        lines.append(f"M{left + near} {top + far}L{left + far} {top + near}")
    return (
        f'<path d="M{left} {top}h{side}v{side}h-{side}Z{"".join(lines)}" fill="none" stroke="{FAINT}"'
        ' stroke-width="2" stroke-linejoin="round"/>'
    )


def draw_marks(board: Board) -> Iterator[str]:
    """Yield rings around the winning stones, the winning lines, and a dot on the last move."""
    yield from draw_winning_marks(board)
    if board.last_cell:
        row, col = board.last_cell
        yield draw_dot(row, col)


def draw_dot(row: int, col: int) -> str:
    """Return the dot that marks the last move."""
    return f'<circle cx="{center_x(col)}" cy="{center_y(row)}" r="5" fill="{EMPTY}" stroke="{INK}"/>'


def draw_winning_marks(board: Board) -> Iterator[str]:
    """Yield rings around the winning stones, and the winning lines."""
    outcome = board.outcome()
    for row, col in outcome.cells if outcome else []:
        x, y = center_x(col), center_y(row)
        yield f'<circle cx="{x}" cy="{y}" r="19" fill="none" stroke="{INK}" stroke-width="3.5"/>'
    for (top, left), (bottom, right) in find_winning_lines(board):
        ends = f'x1="{center_x(left)}" y1="{center_y(top)}" x2="{center_x(right)}" y2="{center_y(bottom)}"'
        yield f'<line {ends} stroke="{INK}" stroke-width="5" stroke-linecap="round"/>'


def draw_variation(board: Board, columns: Sequence[int]) -> Iterator[str]:
    """Yield outlined stones with numbers for moves that would follow; raises IllegalMove if one is illegal."""
    shown = board.copy()
    for number, column in enumerate(columns, 1):
        row, player = shown.landing_row(column), shown.turn
        shown.push(column)
        x, y = center_x(column), center_y(row or 0)
        color = (BLUE, ORANGE)[player]
        yield draw_outline(player, row or 0, column)
        yield f'<text x="{x}" y="{y + 5}" font-weight="bold" fill="{color}">{number}</text>'


def draw_outline(player: int, row: int, col: int, *, dashed: bool = False) -> str:
    """Return the outline of a stone that is not on the board."""
    x, y = center_x(col), center_y(row)
    color = (BLUE, ORANGE)[player]
    style = f'fill="{EMPTY}" stroke="{color}" stroke-width="2.5"' + (' stroke-dasharray="5 4"' if dashed else "")
    if player == 0:
        return f'<circle cx="{x}" cy="{y}" r="16.5" {style}/>'
    return f'<rect x="{x - 12.5}" y="{y - 12.5}" width="25" height="25" rx="4" {style} transform="rotate(45 {x} {y})"/>'


def draw_caption(board: Board, text: str, top: int, color: str = INK) -> str:
    """Return a line of text below the board; a long one is shortened, and made narrower if it is still too wide."""
    width = board.cols * CELL + 2 * MARGIN - 16
    length = max(8, int(width / (0.5 * _CAPTION_SIZE)))
    shown = text if len(text) <= length else text[: length - 1] + "…"
    is_wide = sum(1 if ord(letter) < 0x1100 else 2 for letter in shown) > 0.85 * length
    narrow = f' textLength="{width}" lengthAdjust="spacingAndGlyphs"' if is_wide else ""
    return (
        f'<text x="{width // 2 + 8}" y="{top + 6}" font-size="{_CAPTION_SIZE}" fill="{color}"{narrow}>'
        f"{escape(shown)}</text>"
    )
