"""Owns the rulings on a game: pure functions from what an agent did to how the game goes on or ends."""

import enum
from dataclasses import dataclass

from fourfall._core import Board
from fourfall.agents.base import AgentError, AgentMove, Fault


class Ending(enum.StrEnum):
    """How a game ended."""

    WIN = "win"
    TIE = "tie"
    RESIGNATION = "resignation"  # of a person; agents play on
    ILLEGAL_MOVE = "illegal move"
    TIMEOUT = Fault.TIMEOUT.value
    CRASH = Fault.CRASH.value
    BROKEN_PROTOCOL = Fault.BROKEN_PROTOCOL.value
    CANNOT_LOAD = Fault.CANNOT_LOAD.value
    INTERFACE_MISSING = Fault.INTERFACE_MISSING.value
    MEMORY_EXCEEDED = Fault.MEMORY_EXCEEDED.value


@dataclass(frozen=True)
class Verdict:
    """The end of a game: how, who won, and who is to blame if somebody is. Players are 0 and 1; None is nobody."""

    ending: Ending
    winner: int | None
    culprit: int | None = None
    detail: str = ""


def rule_on_answer(board: Board, answer: AgentMove, limit_s: float) -> Verdict | None:
    """Rule on an answer to a board; None: it is legal and the game may go on with it.

    >>> rule_on_answer(Board.parse("6x7"), AgentMove(column=7, seconds=0.1), 3.0)
    Verdict(ending=<Ending.ILLEGAL_MOVE: 'illegal move'>, winner=1, culprit=0, detail='column 8 is not on the board')
    """
    turn = board.turn
    if answer.seconds > limit_s:
        detail = f"{answer.seconds:.3f} s for a move, {limit_s:g} s allowed"
        return Verdict(Ending.TIMEOUT, 1 - turn, turn, detail)
    if (complaint := illegality(board, answer)) is not None:
        return Verdict(Ending.ILLEGAL_MOVE, 1 - turn, turn, complaint)
    return None


def rule_on_board(board: Board) -> Verdict | None:
    """Rule on a board after a legal move; None: the game goes on.

    >>> rule_on_board(Board.parse("6x7:1122334"))
    Verdict(ending=<Ending.WIN: 'win'>, winner=0, culprit=None, detail='')
    """
    outcome = board.outcome()
    if outcome is None:
        return None
    return Verdict(Ending.TIE if outcome.is_draw else Ending.WIN, outcome.winner)


def rule_on_failure(player: int, failure: AgentError) -> Verdict:
    """Rule on an agent that did not answer: the other one wins."""
    return Verdict(Ending(failure.fault.value), 1 - player, player, str(failure))


def illegality(board: Board, answer: AgentMove) -> str | None:
    """Say what is wrong with a move, or None.

    >>> illegality(Board.parse("6x7@5,0"), AgentMove(column=0, row=5, seconds=0))
    'row 5, column 1 is the hole'
    >>> illegality(Board.parse("6x7"), AgentMove(column=0, row=3, seconds=0))
    'a stone in column 1 lands on row 5, not on row 3'
    """
    if not 0 <= answer.column < board.cols:
        return f"column {answer.column + 1} is not on the board"
    if answer.row is not None and not 0 <= answer.row < board.rows:
        return f"row {answer.row} is not on the board"
    if answer.row is not None and (answer.row, answer.column) == board.hole:
        return f"row {answer.row}, column {answer.column + 1} is the hole"
    if not board.is_legal(answer.column):
        return f"column {answer.column + 1} is full"
    if answer.row is not None:
        landing = landing_row(board, answer.column)
        if answer.row != landing:
            return f"a stone in column {answer.column + 1} lands on row {landing}, not on row {answer.row}"
    return None


def landing_row(board: Board, column: int) -> int:
    """Return the row, counted from the top, on which a stone dropped into an open column lands.

    >>> landing_row(Board.parse("6x7@4,3:4"), 3)
    3
    """
    free = [row for row in range(board.rows) if board.stone_at(row, column) is None and (row, column) != board.hole]
    return max(free)
