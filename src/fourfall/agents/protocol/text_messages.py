"""Messages of the newer platform protocol: lines of numbers from the judge, cells as text from the agent."""

import re
from collections.abc import Sequence

from fourfall._core import Board, Geometry, InvalidBoard
from fourfall.agents.protocol.frames import make_broken_protocol_error, quote_bytes
from fourfall.agents.protocol.questions import NO_CELL, Cell, ProtocolError, Question, compute_tops, encode_cells

_MAX_NUMBER = 1_000_000
"""Every number of a correct message is much smaller; the board's functions accept 32 bits."""

_CELL = re.compile(rb"(-?\d{1,10}) (-?\d{1,10})\n?")


def write_start(geometry: Geometry) -> bytes:
    r"""Return the first line, `rows cols hole_row hole_col`; the hole is -1 -1 if there is none.

    >>> write_start(Geometry(9, 10, hole=(4, 7)))
    b'9 10 4 7\n'
    """
    return _join_numbers((geometry.rows, geometry.cols, *(geometry.hole or NO_CELL)))


def write_question(board: Board) -> bytes:
    r"""Return the question for the side to move: the last cell, `top` and the cells.

    >>> write_question(Board.parse("4x4:1"))
    b'3 0 3 4 4 4 0 0 0 0 0 0 0 0 0 0 0 0 1 0 0 0\n'
    """
    return _join_numbers((*(board.last_cell or NO_CELL), *compute_tops(board), *encode_cells(board)))


def format_cell(cell: Cell) -> str:
    """Return an answer as text.

    >>> format_cell((5, 3))
    '5 3'
    """
    return f"{cell[0]} {cell[1]}"


def parse_cell(body: bytes) -> Cell:
    """Read an answer.

    >>> parse_cell(b"5 3")
    (5, 3)
    >>> parse_cell(b"5, 3")
    Traceback (most recent call last):
    fourfall.agents.base.AgentError: an answer must be a row and a column such as '5 3', not '5, 3'
    """
    match = _CELL.fullmatch(body)
    if match is None:
        raise make_broken_protocol_error(f"an answer must be a row and a column such as '5 3', not {quote_bytes(body)}")
    return int(match[1]), int(match[2])


def read_start(line: str) -> Geometry:
    """Read the judge's first line.

    >>> read_start("9 10 4 7")
    Geometry(9, 10, hole=(4, 7))
    >>> read_start("9 10")
    Traceback (most recent call last):
    fourfall.agents.protocol.questions.ProtocolError: the first line must be 'rows cols hole_row hole_col', not '9 10'
    """
    numbers = _parse_numbers(line)
    if len(numbers) != 4:
        raise ProtocolError(f"the first line must be 'rows cols hole_row hole_col', not {_quote_line(line)}")
    return make_geometry(*numbers)


def read_question(geometry: Geometry, line: str) -> Question:
    """Read a question of the judge.

    >>> read_question(Geometry(4, 4), "3 0 3 4 4 4 0 0 0 0 0 0 0 0 0 0 0 0 1 0 0 0").last
    (3, 0)
    """
    return split_question(geometry, _parse_numbers(line))


def split_question(geometry: Geometry, numbers: Sequence[int]) -> Question:
    """Make a question of its numbers: the last cell, `top` and the cells."""
    _check_size(numbers)
    expected = 2 + geometry.cols + geometry.rows * geometry.cols
    if len(numbers) != expected:
        line = _quote_line(" ".join(map(str, numbers)))
        raise ProtocolError(f"a question for {geometry} has {expected} numbers, not {len(numbers)}: {line}")
    last = (numbers[0], numbers[1])
    end = 2 + geometry.cols
    return Question(tuple(numbers[2:end]), tuple(numbers[end:]), None if last == NO_CELL else last)


def make_geometry(rows: int, cols: int, hole_row: int, hole_col: int) -> Geometry:
    """Make the geometry of a start message; the hole is -1 -1 if there is none."""
    _check_size((rows, cols, hole_row, hole_col))
    hole = (hole_row, hole_col)
    try:
        return Geometry(rows, cols, None if hole == NO_CELL else hole)
    except InvalidBoard as error:
        raise ProtocolError(str(error)) from None


def _join_numbers(numbers: Sequence[int]) -> bytes:
    return " ".join(map(str, numbers)).encode() + b"\n"


def _parse_numbers(line: str) -> list[int]:
    try:
        return [int(word) for word in line.split()]
    except ValueError:
        raise ProtocolError(f"a line must contain integers only, not {_quote_line(line)}") from None


def _check_size(numbers: Sequence[int]) -> None:
    for number in numbers:
        if abs(number) > _MAX_NUMBER:
            raise ProtocolError(f"a number of the message is too large: {_quote_line(str(number))}")


def _quote_line(line: str) -> str:
    return repr(line if len(line) <= 60 else f"{line[:57]}...")
