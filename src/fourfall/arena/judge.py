"""Rules on moves, boards and failures: pure functions that decide whether and how a game ends."""

import enum
from dataclasses import dataclass

from fourfall._core import Board
from fourfall.agents.base import AgentError, AgentMove, Fault


class Ending(enum.StrEnum):
    """How a game ended."""

    WIN = "win"
    TIE = "tie"
    RESIGNATION = "resignation"  # only of a person; agents do not resign
    TIME = "time"  # the clock of the whole game, only on the page; TIMEOUT is the limit of one move
    ILLEGAL_MOVE = "illegal move"
    TIMEOUT = Fault.TIMEOUT.value
    CRASH = Fault.CRASH.value
    BROKEN_PROTOCOL = Fault.BROKEN_PROTOCOL.value
    CANNOT_LOAD = Fault.CANNOT_LOAD.value
    INTERFACE_MISSING = Fault.INTERFACE_MISSING.value
    MEMORY_EXCEEDED = Fault.MEMORY_EXCEEDED.value


@dataclass(frozen=True)
class Verdict:
    """The end of a game: how it ended, the winner, and the culprit (the player that failed). Players are 0 and 1."""

    ending: Ending
    winner: int | None
    culprit: int | None = None
    detail: str = ""


def judge_move(board: Board, move: AgentMove, move_time_s: float) -> Verdict | None:
    """Rule on an agent's move; None means that it is legal and in time.

    >>> judge_move(Board.parse("6x7"), AgentMove(column=7, seconds=0.1), 3.0)
    Verdict(ending=<Ending.ILLEGAL_MOVE: 'illegal move'>, winner=1, culprit=0, detail='column 8 is not on the board')
    """
    turn = board.turn
    if move.seconds > move_time_s:
        detail = f"{move.seconds:.3f} s for a move, {move_time_s:g} s allowed"
        return Verdict(Ending.TIMEOUT, 1 - turn, turn, detail)
    if (reason := describe_illegal_move(board, move)) is not None:
        return Verdict(Ending.ILLEGAL_MOVE, 1 - turn, turn, reason)
    return None


def judge_board(board: Board) -> Verdict | None:
    """Rule on a board after a legal move; None means that the game continues.

    >>> judge_board(Board.parse("6x7:1122334"))
    Verdict(ending=<Ending.WIN: 'win'>, winner=0, culprit=None, detail='')
    """
    outcome = board.outcome()
    if outcome is None:
        return None
    return Verdict(Ending.TIE if outcome.is_draw else Ending.WIN, outcome.winner)


def judge_failure(player: int, failure: AgentError) -> Verdict:
    """Rule on an agent that failed: its opponent wins."""
    return Verdict(Ending(failure.fault.value), 1 - player, player, str(failure))


def describe_illegal_move(board: Board, move: AgentMove) -> str | None:
    """Say why a move is illegal; None means that it is legal.

    >>> describe_illegal_move(Board.parse("6x7@5,0"), AgentMove(column=0, row=5, seconds=0))
    'row 5, column 1 is the hole'
    >>> describe_illegal_move(Board.parse("6x7"), AgentMove(column=0, row=3, seconds=0))
    'a stone in column 1 lands on row 5, not on row 3'
    """
    if not 0 <= move.column < board.cols:
        return f"column {move.column + 1} is not on the board"
    if move.row is not None and not 0 <= move.row < board.rows:
        return f"row {move.row} is not on the board"
    if move.row is not None and (move.row, move.column) == board.hole:
        return f"row {move.row}, column {move.column + 1} is the hole"
    if not board.is_legal(move.column):
        return f"column {move.column + 1} is full"
    landing_row = board.landing_row(move.column)
    if move.row is not None and move.row != landing_row:
        return f"a stone in column {move.column + 1} lands on row {landing_row}, not on row {move.row}"
    return None
