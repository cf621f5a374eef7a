"""Facts about forced sequences: those that a move begins, allows or misses, and moves that alone prevent one."""

from collections.abc import Collection

from fourfall._core import Board
from fourfall.coach.facts import Fact, FactKind
from fourfall.coach.forced_win import ForcedWin, PositionBudget, find_forced_win, find_forced_win_after
from fourfall.coach.lines import list_stones
from fourfall.coach.tactics import find_double_threat

DOUBLE_THREATS = (FactKind.DOUBLE_THREAT, FactKind.STACKED_THREAT, FactKind.NO_SAFE_REPLY)


def find_sequence(board: Board, column: int, budget: PositionBudget) -> Fact | None:
    """Return the forced win that the move begins; a double threat if the next stone wins."""
    win = find_forced_win_after(board, column, budget)
    if win is None:
        return None
    ending = _describe_ending(board, win.columns)
    kind = ending.kind if win.stones == 2 else FactKind.FORCED_SEQUENCE
    return _make_fact(kind, board, win.columns, ending)


def find_allowed_sequence(board: Board, column: int, budget: PositionBudget) -> Fact | None:
    """Return the forced win of the opponent after the move; the opponent cannot win at once."""
    after = board.copy()
    after.push(column)
    win = None if after.is_over else find_forced_win(after, budget)
    if win is None:
        return None
    columns = [column, *win.columns]
    return _make_fact(FactKind.ALLOWS_SEQUENCE, board, columns, _describe_ending(board, columns), column=win.columns[0])


def find_missed_sequence(board: Board, column: int, budget: PositionBudget) -> Fact | None:
    """Return the forced win of the side to move that begins with another column; nobody can win at once."""
    win = find_forced_win(board, budget)
    if win is None or win.columns[0] == column:
        return None
    ending = _describe_ending(board, win.columns)
    return _make_fact(FactKind.MISSES_SEQUENCE, board, win.columns, ending, column=win.columns[0])


def find_only_move(board: Board, column: int, budget: PositionBudget, lost: Collection[int] = ()) -> Fact | None:
    """Return the fact that every other column loses: at once, by a forced sequence, or as proven elsewhere.

    Args:
        board: the position before the move; the opponent does not threaten four, so that the move is not a block.
        column: the explained move.
        budget: positions that may be searched.
        lost: columns that are known to lose.
    """
    longest: list[int] = []
    others = [other for other in board.legal_moves if other != column]
    for other in others:
        win = _find_refutation(board, other, budget)
        if win is None and other not in lost:
            return None
        if win is not None and len(win.columns) >= len(longest):
            longest = [other, *win.columns]
    return Fact(FactKind.ONLY_MOVE, board.turn, moves=list_stones(board, longest)) if others else None


def _find_refutation(board: Board, column: int, budget: PositionBudget) -> ForcedWin | None:
    after = board.copy()
    after.push(column)
    return None if after.is_over else find_forced_win(after, budget)


def _describe_ending(board: Board, columns: list[int]) -> Fact:
    """Return the double threat at the end of a sequence, before the last reply."""
    end = board.copy()
    for column in columns[:-2]:
        end.push(column)
    fact = find_double_threat(end)
    if fact is None:
        raise AssertionError(f"no double threat after {columns[:-2]} in {board.notation}")
    return fact


def _make_fact(
    kind: FactKind,
    board: Board,
    columns: list[int],
    ending: Fact,
    *,
    column: int | None = None,
) -> Fact:
    moves = list_stones(board, columns)
    return Fact(
        kind,
        ending.player,
        ending.cells,
        ending.lines,
        moves,
        column,
        count=sum(stone.player == ending.player for stone in moves),
        ending=ending.kind,
    )
