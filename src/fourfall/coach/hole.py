"""Facts about the hole: lines that it breaks. How it changes parity is in `parity.py`."""

from fourfall._core import Board
from fourfall.coach.facts import Fact, FactKind, Line
from fourfall.coach.lines import find_landing_cell, list_windows


def find_broken_line(board: Board, column: int) -> Fact | None:
    """Return a line of the move's stone that the hole breaks.

    The move makes three stones of four adjacent cells, the fourth cell is the hole, and the three stones cannot be part
    of another four in this direction.
    """
    if board.hole is None:
        return None
    cell = find_landing_cell(board, column)
    for window in list_windows(board, cell):
        stones = {other for other in window if other != board.hole}
        if len(stones) == 4 or any(board.stone_at(*other) != board.turn for other in stones if other != cell):
            continue
        if not any(stones < set(other) and _is_open(board, other, cell) for other in list_windows(board, cell)):
            return Fact(FactKind.HOLE_LINE, 1 - board.turn, (board.hole,), (window,))
    return None


def _is_open(board: Board, window: Line, cell: tuple[int, int]) -> bool:
    """Whether the side to move can still occupy all cells of a window."""
    opponent = 1 - board.turn
    return board.hole not in window and all(board.stone_at(*other) != opponent for other in window if other != cell)
