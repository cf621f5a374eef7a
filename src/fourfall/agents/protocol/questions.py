"""The question that an agent is asked, in the form of the strategy interface, and the board of a question.

A question has the arguments of `getPoint`: `top`, the cells as the side to move sees them (2 its own stones, 1 the
opponent's, 0 free cells and the hole), and the opponent's last cell. Cells are (row, column) from the top left.
"""

from dataclasses import dataclass

from fourfall._core import Board, Geometry, InvalidBoard

Cell = tuple[int, int]

NO_CELL: Cell = (-1, -1)
"""Stands for a missing hole or last cell in messages."""

_OWN, _OPPOSING = 2, 1


class ProtocolError(ValueError):
    """An invalid message of a judge; the text says what is wrong."""


@dataclass(frozen=True)
class Question:
    """A position as the side to move sees it: `top`, the cells row by row, and the opponent's last cell."""

    top: tuple[int, ...]
    cells: tuple[int, ...]
    last: Cell | None


def compute_tops(board: Board) -> list[int]:
    """Return for every column the row below which the next stone lands: `rows` if it is empty, 0 if it is full.

    A hole directly above the stones (or on the bottom row of an empty column) is skipped; a hole on the top row makes
    the column full.

    >>> compute_tops(Board.parse("6x7@4,3:44"))
    [6, 6, 6, 3, 6, 6, 6]
    >>> compute_tops(Board.parse("4x4@0,0:111"))
    [0, 4, 4, 4]
    """
    rows = (board.landing_row(col) for col in range(board.cols))
    return [0 if row is None else row + 1 for row in rows]


def encode_cells(board: Board) -> list[int]:
    """Return the cells row by row as the side to move sees them.

    >>> encode_cells(Board.parse("4x4:12"))[-4:]
    [2, 1, 0, 0]
    """
    values = {None: 0, board.turn: _OWN, 1 - board.turn: _OPPOSING}
    return [values[board.stone_at(row, col)] for row in range(board.rows) for col in range(board.cols)]


def make_question(board: Board) -> Question:
    """Return the question for the side to move."""
    return Question(tuple(compute_tops(board)), tuple(encode_cells(board)), board.last_cell)


def build_board(geometry: Geometry, question: Question) -> Board:
    """Return a board of this question; its moves are one legal order of the stones.

    A question of a finished game, or one that no legal game leads to, raises ProtocolError.

    >>> cells = (0,) * 35 + (2, 1, 0, 0, 0, 0, 0)
    >>> build_board(Geometry(6, 7), Question((5, 5, 6, 6, 6, 6, 6), cells, last=(5, 1))).notation
    '6x7:12'
    """
    own, opposing = _list_stones(geometry, question)
    if len(opposing) - len(own) not in (0, 1):
        raise ProtocolError(f"invalid position: {len(own)} own and {len(opposing)} opposing stones, but it is our turn")
    is_first = len(own) == len(opposing)
    try:
        board = Board.from_stones(geometry, own if is_first else opposing, opposing if is_first else own, question.last)
    except InvalidBoard as error:
        raise ProtocolError(f"invalid position: {error}") from None
    if board.is_over:
        raise ProtocolError("invalid position: the game is over, so there is no move to choose")
    for col, (given, expected) in enumerate(zip(question.top, compute_tops(board), strict=True)):
        if given != expected:
            raise ProtocolError(f"invalid position: top[{col}] is {given}, but by the stones it must be {expected}")
    return board


def update_board(board: Board, question: Question) -> Board:
    """Return the board of the next question, given the board after the own last move.

    It keeps the history of `board` if one move of the opponent leads from it to the question. Otherwise it is built
    from the stones alone.

    >>> update_board(Board.parse("6x7:4"), make_question(Board.parse("6x7:45"))).notation
    '6x7:45'
    """
    if question.last is not None and not board.is_over and board.is_legal(question.last[1]):
        after = board.copy()
        after.push(question.last[1])
        if make_question(after) == question:
            return after
    return build_board(board.geometry, question)


def _list_stones(geometry: Geometry, question: Question) -> tuple[list[Cell], list[Cell]]:
    """Return the cells of the own and of the opposing stones; the value of the hole's cell is ignored."""
    own: list[Cell] = []
    opposing: list[Cell] = []
    for index, value in enumerate(question.cells):
        cell = divmod(index, geometry.cols)
        if cell == geometry.hole or value == 0:
            continue
        if value not in (_OWN, _OPPOSING):
            raise ProtocolError(f"invalid position: cell {cell} is {value}; cells are 0, 1 or 2")
        (own if value == _OWN else opposing).append(cell)
    return own, opposing
