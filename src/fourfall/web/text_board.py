"""Parses text boards: boards drawn by Fourfall or by the classic judge, and plain grids with or without a frame."""

import re
from dataclasses import dataclass
from itertools import pairwise

from fourfall import Board, Geometry, InvalidBoard
from fourfall.render import COLUMN_NAMES
from fourfall.web.errors import RequestError
from fourfall.web.messages.schemas import Cell

_FREE, _FIRST, _SECOND, _HOLE = ".XO#"
_SYMBOLS = {
    **dict.fromkeys(".0_·", _FREE),
    **dict.fromkeys("Xx1●", _FIRST),
    **dict.fromkeys("Oo2◆", _SECOND),
    **dict.fromkeys("#▒", _HOLE),
}
_FRAME = re.compile(r"[|+=│┃║─━═┌┐└┘╔╗╚╝├┤┬┴┼╠╣╦╩╬-]")
_VALUES = re.compile(r"\d\.\d|%|[a-z]{4}")  # found in the last line of a board with a value under each column
_ROW_NUMBER = re.compile(r"\s*(\d{1,2})\s+(.*)")
_MIN_SIDE = 4


@dataclass
class _Grid:
    """Rows of cells from the top down, and the cell that is marked as the last move."""

    rows: list[str]
    last: Cell | None = None

    def find_cells(self, symbol: str) -> list[Cell]:
        return [(row, col) for row, line in enumerate(self.rows) for col, cell in enumerate(line) if cell == symbol]


def parse_text_board(text: str) -> Board:
    """Parse a text board and reconstruct a legal order of its moves. Raises RequestError.

    >>> parse_text_board(str(Board.parse("6x7:445"))).notation
    '6x7:445'
    """
    grid = _parse_cells(_strip_decoration(text))
    holes = grid.find_cells(_HOLE)
    if len(holes) > 1:
        raise RequestError("several_holes", count=len(holes))
    first, second = grid.find_cells(_FIRST), grid.find_cells(_SECOND)
    last = grid.last if grid.last in (*first, *second) else None
    try:
        geometry = Geometry(len(grid.rows), len(grid.rows[0]) if grid.rows else 0, holes[0] if holes else None)
        return Board.from_stones(geometry, first, second, last)
    except InvalidBoard as error:
        raise RequestError("impossible_board", problem=str(error)) from None


def _strip_decoration(text: str) -> list[str]:
    """Return the lines of the board without frames, column names, row numbers and values."""
    lines = [line for line in (_FRAME.sub(" ", raw).rstrip() for raw in text.splitlines()) if line.strip()]
    lines = [line for line in lines if not _is_column_names(line)]
    if len(lines) > _MIN_SIDE and _VALUES.search(lines[-1]):
        lines.pop()
    matches = [_ROW_NUMBER.fullmatch(line) for line in lines]
    numbers = [int(match[1]) for match in matches if match is not None]
    if len(numbers) == len(lines) > 1 and len({b - a for a, b in pairwise(numbers)}) == 1:
        lines = [match[2] for match in matches if match is not None and numbers[0] != numbers[1]] or lines
    return lines


def _is_column_names(line: str) -> bool:
    words = line.split()
    joined = "".join(words)
    return len(joined) >= _MIN_SIDE and (
        joined.lower() == COLUMN_NAMES[: len(joined)]
        or words == [str(number) for number in range(len(words))]
        or words == [str(number + 1) for number in range(len(words))]
    )


def _parse_cells(lines: list[str]) -> _Grid:
    """Convert every line to cells; ">" marks the last move and "*" a winning stone."""
    grid = _Grid([])
    for row, line in enumerate(lines):
        cells = ""
        for character in line:
            if character == ">":
                grid.last = row, len(cells)
            elif character in _SYMBOLS:
                cells += _SYMBOLS[character]
            elif character != "*" and not character.isspace():
                raise RequestError("unexpected_character", character=repr(character), line=row + 1)
        grid.rows.append(cells)
    lengths = [len(cells) for cells in grid.rows]
    if len(set(lengths)) > 1:
        raise RequestError("unequal_lines", shortest=min(lengths), longest=max(lengths))
    return grid
