"""Parses the positions of requests and describes positions for replies."""

from typing import Literal

from fourfall import Board, Geometry, InvalidBoard
from fourfall.arena.judge import Verdict, judge_board
from fourfall.render import COLUMN_NAMES
from fourfall.web.errors import RequestError
from fourfall.web.messages.schemas import Cell, OutcomeInfo, PositionInfo


def parse_position(text: str) -> Board:
    """Parse a position of a request; RequestError with the code `bad_position` says what is wrong."""
    try:
        return Board.parse(text)
    except ValueError as error:
        raise RequestError("bad_position", problem=str(error)) from None


def parse_unfinished_position(text: str) -> Board:
    """Parse a position at which the game is not over."""
    board = parse_position(text)
    if board.is_over:
        raise RequestError("game_over")
    return board


def require_legal_move(board: Board, column: int) -> None:
    """Raise RequestError `illegal_move` or `column_full` if no stone can be dropped in the column."""
    if column >= board.cols:
        raise RequestError("illegal_move", column=COLUMN_NAMES[column], columns=board.cols)
    if not board.is_legal(column):
        raise RequestError("column_full", column=COLUMN_NAMES[column])


def split_moves(board: Board, ply: int) -> tuple[Board, list[int]]:
    """Return the position after `ply` stones and the moves that follow it. Raises RequestError `bad_message`.

    >>> start, moves = split_moves(Board.parse("6x7:445"), 2)
    >>> start.notation, moves
    ('6x7:44', [4])
    """
    if ply > board.ply:
        problem = f"start_ply must be at most {board.ply}, the number of stones, not {ply}"
        raise RequestError("bad_message", problem=problem)
    start = Board.from_geometry(board.geometry)
    for move in board.moves[:ply]:
        start.push(move)
    return start, board.moves[ply:]


def find_position(rows: int, cols: int, hole: Cell | None, first: list[Cell], second: list[Cell]) -> Board:
    """Return a board with these stones and a legal order of moves; RequestError says why there is none.

    >>> find_position(6, 7, None, first=[(5, 3), (5, 4)], second=[(4, 3)]).notation
    '6x7:445'
    """
    try:
        return Board.from_stones(Geometry(rows, cols, hole), first, second)
    except InvalidBoard as error:
        raise RequestError("impossible_stones", problem=str(error)) from None


def describe_position(board: Board) -> PositionInfo:
    """Describe a position with its legal moves and threats."""
    return PositionInfo(
        position=board.notation,
        rows=board.rows,
        cols=board.cols,
        hole=board.hole,
        ply=board.ply,
        turn=board.turn,
        moves=board.moves,
        legal=board.legal_moves,
        last=board.last_cell,
        outcome=describe_outcome(board),
        threats=(board.threats(0), board.threats(1)),
    )


def describe_outcome(board: Board, verdict: Verdict | None = None) -> OutcomeInfo | None:
    """Describe how a game ended, by `verdict` or else on the board; None if it is not over."""
    verdict = verdict or judge_board(board)
    if verdict is None:
        return None
    outcome = board.outcome()
    return OutcomeInfo(
        winner=convert_player(verdict.winner),
        ending=verdict.ending.value,
        cells=[] if outcome is None else outcome.cells,
        detail=verdict.detail,
    )


def convert_player(player: int | None) -> Literal[0, 1] | None:
    """Convert the number of a player to the type of the messages."""
    return None if player is None else 1 if player else 0
