"""Owns reading drawn boards: our own drawings, those of the classic judge, and plain grids, with or without a frame."""

import re
from dataclasses import dataclass
from itertools import pairwise

from fourfall import Board, Geometry, InvalidBoard
from fourfall.render import COLUMN_NAMES
from fourfall.web.refusal import Refusal

_FREE, _FIRST, _SECOND, _HOLE = ".XO#"
_SYMBOLS = {
    **dict.fromkeys(".0_·", _FREE),
    **dict.fromkeys("Xx1●", _FIRST),
    **dict.fromkeys("Oo2◆", _SECOND),
    **dict.fromkeys("#▒", _HOLE),
}
_FRAME = re.compile(r"[|+=│┃║─━═┌┐└┘╔╗╚╝├┤┬┴┼╠╣╦╩╬-]")
_VALUES = re.compile(r"\d\.\d|%|[a-z]{4}")  # the last line of a drawing with a value under each column
_ROW_NUMBER = re.compile(r"\s*(\d{1,2})\s+(.*)")
_LEAST_SIDE = 4


@dataclass
class _Drawing:
    """Cells from the top row down, and the stone that is marked as the last."""

    rows: list[str]
    last: tuple[int, int] | None = None


def read_printout(text: str) -> Board:
    """Make a board of a drawing, by any legal order of its stones.

    >>> read_printout(str(Board.parse("6x7:445"))).notation
    '6x7:445'
    """
    drawing = _cells(_body(text))
    geometry = _geometry(drawing)
    stones = {
        (row, col): symbol
        for row, line in enumerate(drawing.rows)
        for col, symbol in enumerate(line)
        if symbol in (_FIRST, _SECOND)
    }
    counts = [sum(symbol == own for symbol in stones.values()) for own in (_FIRST, _SECOND)]
    if counts[0] - counts[1] not in (0, 1):
        raise Refusal("unreadable", f"{counts[0]} stones of the first player and {counts[1]} of the second: no game")
    if not stones:
        return Board(geometry.rows, geometry.cols, geometry.hole)
    mover = (_FIRST, _SECOND)[(len(stones) - 1) % 2]
    complaint = "no stone on top can have been the last one"
    for last in _last_stones(geometry, stones, mover, drawing.last):
        before = {cell: symbol for cell, symbol in stones.items() if cell != last}
        try:
            board = _retraced(geometry, before, mover)
        except InvalidBoard as error:
            complaint = str(error)
            continue
        board.push(last[1])
        if board.last_cell == last:
            return board
        complaint = f"a stone of column {last[1] + 1} hangs in the air"
    raise Refusal("unreadable", f"this drawing is no game: {complaint}")


def _body(text: str) -> list[str]:
    """Leave out frames, column names, row numbers and values."""
    lines = [line for line in (_FRAME.sub(" ", raw).rstrip() for raw in text.splitlines()) if line.strip()]
    lines = [line for line in lines if not _names_columns(line)]
    if len(lines) > _LEAST_SIDE and _VALUES.search(lines[-1]):
        lines.pop()
    numbered = [_ROW_NUMBER.fullmatch(line) for line in lines]
    numbers = [int(match[1]) for match in numbered if match is not None]
    if len(numbers) == len(lines) > 1 and len({b - a for a, b in pairwise(numbers)}) == 1:
        lines = [match[2] for match in numbered if match is not None and numbers[0] != numbers[1]] or lines
    return lines


def _names_columns(line: str) -> bool:
    words = line.split()
    written = "".join(words)
    counted = [str(number) for number in range(len(words))]
    return len(written) >= _LEAST_SIDE and (
        written.lower() == COLUMN_NAMES[: len(written)]
        or words == counted
        or words == [str(number + 1) for number in range(len(words))]
    )


def _cells(lines: list[str]) -> _Drawing:
    drawing = _Drawing([])
    for row, line in enumerate(lines):
        cells = ""
        for letter in line:
            if letter == ">":
                drawing.last = row, len(cells)
            elif letter in _SYMBOLS:
                cells += _SYMBOLS[letter]
            elif letter != "*" and not letter.isspace():
                raise Refusal("unreadable", f"line {row + 1} of the board: {letter!r} is no cell; cells are . X O #")
        drawing.rows.append(cells)
    if len({len(cells) for cells in drawing.rows}) > 1:
        widths = sorted({len(cells) for cells in drawing.rows})
        raise Refusal("unreadable", f"the lines of a board are equally long, not {widths[0]} to {widths[-1]} cells")
    return drawing


def _geometry(drawing: _Drawing) -> Geometry:
    holes = [(row, line.index(_HOLE)) for row, line in enumerate(drawing.rows) for _ in range(line.count(_HOLE))]
    if len(holes) > 1:
        raise Refusal("unreadable", f"a board has one hole at most, not {len(holes)}")
    try:
        return Geometry(len(drawing.rows), len(drawing.rows[0]) if drawing.rows else 0, holes[0] if holes else None)
    except InvalidBoard as error:
        raise Refusal("unreadable", str(error)) from None


def _last_stones(
    geometry: Geometry, stones: dict[tuple[int, int], str], mover: str, marked: tuple[int, int] | None
) -> list[tuple[int, int]]:
    """List the stones that may have been the last: on top of their column, and of the side that moved last."""
    tops = [min(cell for cell in stones if cell[1] == col) for col in sorted({col for _, col in stones})]
    possible = [cell for cell in tops if stones[cell] == mover]
    return [cell for cell in possible if cell == marked] if marked in stones else possible


def _retraced(geometry: Geometry, stones: dict[tuple[int, int], str], to_move: str) -> Board:
    first, second = ([cell for cell, symbol in stones.items() if symbol == own] for own in (_FIRST, _SECOND))
    return Board.from_stones(geometry, first, second)
