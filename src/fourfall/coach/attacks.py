"""Facts about moves that leave the opponent no reply, or few: every other reply loses to a forced sequence.

They look one move further than `sequences.py`: the opponent has several replies that do not lose at once, and each is
refuted by a forced win of its own.
"""

from fourfall._core import Board
from fourfall.coach.facts import Fact, FactKind
from fourfall.coach.forced_win import PositionBudget, find_forced_win
from fourfall.coach.lines import find_playable_threats, list_stones

MAX_REPLIES = 3
"""Largest number of replies that are called few."""
_MIN_REFUTED = 3


def list_unrefuted_replies(board: Board, budget: PositionBudget, most: int) -> list[int] | None:
    """Return the columns of the side to move that do not lose at once or by a forced sequence, as far as is known.

    None if there are more than `most`; the search then ends early.
    """
    replies: list[int] = []
    for column in board.legal_moves:
        after = board.copy()
        after.push(column)
        if after.is_over or find_forced_win(after, budget) is None:
            replies.append(column)
            if len(replies) > most:
                return None
    return replies


def find_attack(board: Board, column: int, budget: PositionBudget) -> Fact | None:
    """Return the fact that every reply to the move loses, or that all but a few do; no reply wins at once."""
    after = board.copy()
    after.push(column)
    replies = _find_replies(after, budget)
    if replies is None:
        return None
    cells = tuple((after.landing_row(reply) or 0, reply) for reply in replies)
    kind = FactKind.FEW_REPLIES if replies else FactKind.NO_DEFENCE
    return Fact(kind, board.turn, cells, moves=list_stones(board, [column]))


def find_allowed_attack(board: Board, column: int, budget: PositionBudget) -> Fact | None:
    """Return the opponent's reply to the move after which every move of the side to move loses."""
    after = board.copy()
    after.push(column)
    reply = _find_winning_attack(after, budget)
    if reply is None:
        return None
    return Fact(FactKind.ALLOWS_ATTACK, after.turn, (), (), list_stones(board, [column, reply]), column=reply)


def find_allowed_pressure(board: Board, column: int, reply: int, budget: PositionBudget) -> Fact | None:
    """Return the fact that after this reply all but a few moves of the side to move lose."""
    after = board.copy()
    after.push(column)
    if not after.is_legal(reply):
        return None
    moves = list_stones(board, [column, reply])
    after.push(reply)
    replies = _find_replies(after, budget)
    if not replies:
        return None
    cells = tuple((after.landing_row(answer) or 0, answer) for answer in replies)
    return Fact(FactKind.ALLOWS_FEW_REPLIES, 1 - board.turn, cells, (), moves, column=reply)


def find_missed_attack(board: Board, column: int, budget: PositionBudget) -> Fact | None:
    """Return another move after which every reply of the opponent loses; no move wins by a forced sequence."""
    other = _find_winning_attack(board, budget)
    if other is None or other == column:
        return None
    return Fact(FactKind.MISSES_ATTACK, board.turn, (), (), list_stones(board, [other]), column=other)


def _find_replies(after: Board, budget: PositionBudget) -> list[int] | None:
    """Return the few replies that are not refuted; None if there are many, or if a block is the only question."""
    if after.is_over or after.winning_moves or find_playable_threats(after, 1 - after.turn):
        return None
    replies = list_unrefuted_replies(after, budget, MAX_REPLIES)
    if replies is None or budget.left < 0 or len(after.legal_moves) - len(replies) < _MIN_REFUTED:
        return None
    return replies


def _find_winning_attack(board: Board, budget: PositionBudget) -> int | None:
    """Return the first safe column after which every reply is refuted."""
    for column in board.safe_moves:
        after = board.copy()
        after.push(column)
        if after.is_over or budget.left < 0:
            continue
        if list_unrefuted_replies(after, budget, 0) == []:
            return column
    return None
