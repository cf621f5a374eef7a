"""Messages of the older platform protocol: JSON after a length in four digits from the judge, JSON from the agent."""

import json

from fourfall._core import Board, Geometry
from fourfall.agents.protocol.frames import make_broken_protocol_error, quote_bytes
from fourfall.agents.protocol.questions import NO_CELL, Cell, ProtocolError, Question, compute_tops, encode_cells
from fourfall.agents.protocol.text_messages import make_geometry, split_question


def write_json_start(geometry: Geometry) -> bytes:
    """Return the first message.

    >>> write_json_start(Geometry(9, 10, hole=(4, 7)))
    b'0043{"type":0,"row":9,"col":10,"nox":4,"noy":7}'
    """
    row, col = geometry.hole or NO_CELL
    return _encode({"type": 0, "row": geometry.rows, "col": geometry.cols, "nox": row, "noy": col})


def write_json_question(board: Board) -> bytes:
    """Return the question for the side to move.

    >>> write_json_question(Board(4, 4))[:44]
    b'0090{"type":1,"top":[4,4,4,4],"board":[0,0,0'
    """
    row, col = board.last_cell or NO_CELL
    return _encode({"type": 1, "top": compute_tops(board), "board": encode_cells(board), "lastx": row, "lasty": col})


def _encode(message: dict[str, object]) -> bytes:
    body = json.dumps(message, separators=(",", ":")).encode()
    return f"{len(body):04d}".encode() + body


JSON_END = _encode({"type": 2})
"""The last message of a game."""


def format_json_cell(cell: Cell) -> str:
    r"""Return an answer as JSON.

    >>> format_json_cell((5, 3))
    '{"X":5,"Y":3}\n'
    """
    return f'{{"X":{cell[0]},"Y":{cell[1]}}}\n'


def parse_json_cell(body: bytes) -> Cell:
    """Read an answer. The cell -2 -2, with which agents say that they have no move, needs no special case.

    >>> parse_json_cell(b'{"X":5,"Y":3}')
    (5, 3)
    """
    try:
        message = json.loads(body.decode())
    except (ValueError, RecursionError):
        message = None
    match message:
        case {"X": row, "Y": col} if len(message) == 2 and type(row) is int and type(col) is int:
            return row, col
    raise make_broken_protocol_error(
        f'an answer must be a row and a column such as {{"X":5,"Y":3}}, not {quote_bytes(body)}'
    )


def parse_json_length(header: bytes) -> int:
    """Read the four digits before a message of the judge.

    >>> parse_json_length(b"0042")
    42
    """
    if not header.isdigit() or len(header) != 4:
        raise ProtocolError(f"a message must begin with its length in four digits, not with {quote_bytes(header)}")
    return int(header)


def read_json_message(geometry: Geometry | None, body: bytes) -> Geometry | Question | None:
    """Read a message of the judge: the start, a question on the geometry of the start, or None for the end.

    >>> read_json_message(None, write_json_start(Geometry(6, 7))[4:])
    Geometry(6, 7)
    >>> read_json_message(None, JSON_END[4:]) is None
    True
    """
    try:
        message = json.loads(body.decode())
    except (ValueError, RecursionError):
        raise ProtocolError(f"a message must be JSON, not {quote_bytes(body)}") from None
    match message:
        case {"type": 0, "row": int(rows), "col": int(cols), "nox": int(row), "noy": int(col)}:
            return make_geometry(rows, cols, row, col)
        case {"type": 1, "top": list(top), "board": list(cells), "lastx": int(row), "lasty": int(col)} if geometry:
            numbers = [row, col, *top, *cells]
            if all(type(number) is int for number in numbers):
                return split_question(geometry, numbers)
        case {"type": 2}:
            return None
    raise ProtocolError(f"not a message of the protocol: {quote_bytes(body)}")
