"""Owns the messages of the strategy library's and the platform's protocols, from both ends: pure functions.

A question holds what the strategy interface gives to `getPoint`: `top`, the board in the view of the side to move
(2 its own stones, 1 the opponent's, 0 free cells and the hole), and the opponent's last cell. Cells are (row, column)
counted from the top left. A board without a hole says -1 -1 for it.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from fourfall._core import Board, Geometry, InvalidBoard
from fourfall.agents.base import AgentError, Fault
from fourfall.agents.retrace import ProtocolError, board_from_view

__all__ = [
    "JSON_END",
    "Cell",
    "ProtocolError",
    "Question",
    "answer_length",
    "board_from_view",
    "cell_json",
    "cell_text",
    "follow",
    "framed",
    "json_length",
    "json_question",
    "json_start",
    "question",
    "question_line",
    "read_cell",
    "read_json",
    "read_json_cell",
    "read_question",
    "read_start",
    "shown",
    "start_line",
    "tops",
    "view",
]

Cell = tuple[int, int]

LONGEST_ANSWER = 1024
"""Bytes of the longest answer that can still be an honest one."""

_CELL = re.compile(rb"(-?\d{1,10}) (-?\d{1,10})\n?")
_NONE: Cell = (-1, -1)


@dataclass(frozen=True)
class Question:
    """What a judge tells the side to move: `top`, its own view of the cells row by row, the opponent's last cell."""

    top: tuple[int, ...]
    view: tuple[int, ...]
    last: Cell | None


def tops(board: Board) -> list[int]:
    """Return for every column the row under which the next stone lands: `rows` when empty, 0 when full.

    The hole counts as passed as soon as it is next: on the bottom row from the beginning, on the top row it fills the
    column.

    >>> tops(Board.parse("6x7@4,3:44"))
    [6, 6, 6, 3, 6, 6, 6]
    >>> tops(Board.parse("4x4@0,0:111"))
    [0, 4, 4, 4]
    """
    landing = [0] * board.cols
    for col in range(board.cols):
        for row in range(board.rows):
            if board.stone_at(row, col) is None and (row, col) != board.hole:
                landing[col] = row + 1
    return landing


def view(board: Board) -> list[int]:
    """Return the cells, row by row, as the side to move sees them.

    >>> view(Board.parse("4x4:12"))[-4:]
    [2, 1, 0, 0]
    """
    marks = {None: 0, board.turn: 2, 1 - board.turn: 1}
    return [marks[board.stone_at(row, col)] for row in range(board.rows) for col in range(board.cols)]


def question(board: Board) -> Question:
    """Put a board into the question that its side to move is asked."""
    return Question(tuple(tops(board)), tuple(view(board)), board.last_cell)


def start_line(geometry: Geometry) -> bytes:
    r"""Write the newer protocol's first line.

    >>> start_line(Geometry(9, 10, hole=(4, 7)))
    b'9 10 4 7\n'
    """
    return _line((geometry.rows, geometry.cols, *(geometry.hole or _NONE)))


def question_line(board: Board) -> bytes:
    r"""Write the newer protocol's question: last cell, `top`, view.

    >>> question_line(Board.parse("4x4:1"))
    b'3 0 3 4 4 4 0 0 0 0 0 0 0 0 0 0 0 0 1 0 0 0\n'
    """
    return _line((*(board.last_cell or _NONE), *tops(board), *view(board)))


def json_start(geometry: Geometry) -> bytes:
    """Write the older protocol's first message.

    >>> json_start(Geometry(9, 10, hole=(4, 7)))
    b'0043{"type":0,"row":9,"col":10,"nox":4,"noy":7}'
    """
    row, col = geometry.hole or _NONE
    return _json({"type": 0, "row": geometry.rows, "col": geometry.cols, "nox": row, "noy": col})


def json_question(board: Board) -> bytes:
    """Write the older protocol's question.

    >>> json_question(Board(4, 4))[:44]
    b'0090{"type":1,"top":[4,4,4,4],"board":[0,0,0'
    """
    row, col = board.last_cell or _NONE
    return _json({"type": 1, "top": tops(board), "board": view(board), "lastx": row, "lasty": col})


def _line(numbers: Sequence[int]) -> bytes:
    return " ".join(map(str, numbers)).encode() + b"\n"


def _json(message: dict[str, object]) -> bytes:
    body = json.dumps(message, separators=(",", ":")).encode()
    return f"{len(body):04d}".encode() + body


JSON_END = _json({"type": 2})
"""The older protocol's last message."""


def framed(text: str) -> bytes:
    r"""Put the length before an answer, as both protocols want it.

    >>> framed("5 3")
    b'\x00\x00\x00\x035 3'
    """
    body = text.encode()
    return len(body).to_bytes(4, "big") + body


def cell_text(cell: Cell) -> str:
    """Write an answer of the newer protocol.

    >>> cell_text((5, 3))
    '5 3'
    """
    return f"{cell[0]} {cell[1]}"


def cell_json(cell: Cell) -> str:
    r"""Write an answer of the older protocol.

    >>> cell_json((5, 3))
    '{"X":5,"Y":3}\n'
    """
    return f'{{"X":{cell[0]},"Y":{cell[1]}}}\n'


def answer_length(header: bytes, longest: int = LONGEST_ANSWER) -> int:
    r"""Read the length before an answer; anything on stdout that is no answer shows here.

    >>> answer_length(b"\x00\x00\x00\x03")
    3
    >>> answer_length(b"hell")
    Traceback (most recent call last):
    fourfall.agents.base.AgentError: an answer begins with its length in four bytes, at most 1024, not with 'hell'
    """
    length = int.from_bytes(header, "big")
    if not 0 < length <= longest:
        raise _broken(f"an answer begins with its length in four bytes, at most {longest}, not with {shown(header)}")
    return length


def read_cell(body: bytes) -> Cell:
    """Read an answer of the newer protocol.

    >>> read_cell(b"5 3")
    (5, 3)
    >>> read_cell(b"5, 3")
    Traceback (most recent call last):
    fourfall.agents.base.AgentError: an answer is a row and a column such as '5 3', not '5, 3'
    """
    match = _CELL.fullmatch(body)
    if match is None:
        raise _broken(f"an answer is a row and a column such as '5 3', not {shown(body)}")
    return int(match[1]), int(match[2])


def read_json_cell(body: bytes) -> Cell:
    """Read an answer of the older protocol; -2 -2, which means no move, is a cell like any other off the board.

    >>> read_json_cell(b'{"X":5,"Y":3}')
    (5, 3)
    """
    try:
        message = json.loads(body.decode())
    except (ValueError, RecursionError):
        message = None
    match message:
        case {"X": row, "Y": col} if len(message) == 2 and type(row) is int and type(col) is int:
            return row, col
    raise _broken(f'an answer is a row and a column such as {{"X":5,"Y":3}}, not {shown(body)}')


def shown(data: bytes) -> str:
    r"""Show a few offending bytes in a complaint.

    >>> shown(b"caf\xe9" * 100)
    "'caf\\xe9caf\\xe9caf\\xe9caf\\xe9caf\\xe9caf\\xe9caf\\xe9caf\\xe9caf\\xe9caf\\xe9' and 360 bytes more"
    """
    most = 40
    text = repr(data[:most])[1:]
    return text if len(data) <= most else f"{text} and {len(data) - most} bytes more"


def _broken(detail: str) -> AgentError:
    return AgentError(Fault.BROKEN_PROTOCOL, detail)


def read_start(line: str) -> Geometry:
    """Read the newer protocol's first line, as an agent.

    >>> read_start("9 10 4 7")
    Geometry(9, 10, hole=(4, 7))
    >>> read_start("9 10")
    Traceback (most recent call last):
    fourfall.agents.retrace.ProtocolError: the first line is 'rows columns hole-row hole-column', not '9 10'
    """
    numbers = _numbers(line)
    if len(numbers) != 4:
        raise ProtocolError(f"the first line is 'rows columns hole-row hole-column', not {_cut(line)}")
    return _geometry(*numbers)


def read_question(geometry: Geometry, line: str) -> Question:
    """Read the newer protocol's question, as an agent.

    >>> read_question(Geometry(4, 4), "3 0 3 4 4 4 0 0 0 0 0 0 0 0 0 0 0 0 1 0 0 0").last
    (3, 0)
    """
    numbers = _numbers(line)
    expected = 2 + geometry.cols + geometry.rows * geometry.cols
    if len(numbers) != expected:
        raise ProtocolError(f"a question for {geometry} has {expected} numbers, not {len(numbers)}: {_cut(line)}")
    last = (numbers[0], numbers[1])
    end = 2 + geometry.cols
    return Question(tuple(numbers[2:end]), tuple(numbers[end:]), None if last == _NONE else last)


def json_length(header: bytes) -> int:
    """Read the four digits before a message of the older protocol, as an agent."""
    if not header.isdigit() or len(header) != 4:
        raise ProtocolError(f"a message begins with its length in four digits, not with {shown(header)}")
    return int(header)


def read_json(geometry: Geometry | None, body: bytes) -> Geometry | Question | None:
    """Read a message of the older protocol, as an agent: the start, a question on that geometry, or None at the end.

    >>> read_json(None, json_start(Geometry(6, 7))[4:])
    Geometry(6, 7)
    >>> read_json(None, JSON_END[4:]) is None
    True
    """
    try:
        message = json.loads(body.decode())
    except (ValueError, RecursionError):
        raise ProtocolError(f"a message is JSON, not {shown(body)}") from None
    match message:
        case {"type": 0, "row": int(rows), "col": int(cols), "nox": int(row), "noy": int(col)}:
            return _geometry(rows, cols, row, col)
        case {"type": 1, "top": list(top), "board": list(cells), "lastx": int(row), "lasty": int(col)} if geometry:
            line = _line((row, col)) + b" ".join(str(number).encode() for number in (*top, *cells))
            return read_question(geometry, line.decode())
        case {"type": 2}:
            return None
    raise ProtocolError(f"not a message of the protocol: {shown(body)}")


def follow(board: Board, asked: Question) -> Board:
    """Go on from the board after one's own last move to the board of the next question.

    Where the question does not follow from that board, any game that leads to the question's cells takes its place.

    >>> follow(Board.parse("6x7:4"), question(Board.parse("6x7:45"))).notation
    '6x7:45'
    """
    if asked.last is not None and not board.is_over and board.is_legal(asked.last[1]):
        after = board.copy()
        after.push(asked.last[1])
        if question(after) == asked:
            return after
    return board_from_view(board.geometry, asked.top, asked.view, asked.last)


def _geometry(rows: int, cols: int, row: int, col: int) -> Geometry:
    try:
        return Geometry(rows, cols, None if (row, col) == _NONE else (row, col))
    except InvalidBoard as error:
        raise ProtocolError(str(error)) from None


def _numbers(line: str) -> list[int]:
    try:
        return [int(word) for word in line.split()]
    except ValueError:
        raise ProtocolError(f"a line holds whole numbers only, not {_cut(line)}") from None


def _cut(line: str) -> str:
    return repr(line if len(line) <= 60 else f"{line[:57]}...")
