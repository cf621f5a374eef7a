"""Facts about possible lines: how many fours a player can still complete through a cell.

A line of four cells is *possible* for a player if it contains neither the hole nor a stone of the other player.
"""

from fourfall._core import Board
from fourfall.coach.facts import Cell, Fact, FactKind
from fourfall.coach.lines import find_landing_cell, list_windows


def count_possible_lines(board: Board, cell: Cell, player: int) -> int:
    """Return the number of possible lines of a player through a cell.

    >>> count_possible_lines(Board(6, 7), (5, 3), 0), count_possible_lines(Board(6, 7), (5, 0), 0)
    (7, 3)
    """
    return sum(
        board.hole not in window and all(board.stone_at(*other) != 1 - player for other in window)
        for window in list_windows(board, cell)
    )


def find_open_lines(board: Board, column: int) -> Fact | None:
    """Return the number of possible lines through the cell, if no column has more and some column has fewer."""
    counts = {other: _count_after(board, other) for other in board.legal_moves}
    count = counts[column]
    if count < max(counts.values()) or count == min(counts.values()):
        return None
    return Fact(FactKind.OPEN_LINES, board.turn, (find_landing_cell(board, column),), count=count)


def find_fewer_lines(board: Board, column: int, better: int) -> Fact | None:
    """Return the fact that fewer possible lines go through the cell than through that of the better move."""
    count, other_count = _count_after(board, column), _count_after(board, better)
    if count >= other_count:
        return None
    cells = (find_landing_cell(board, column), find_landing_cell(board, better))
    return Fact(FactKind.FEWER_LINES, 1 - board.turn, cells, column=better, count=count, other_count=other_count)


def find_left_cell(board: Board, column: int, better: int) -> Fact | None:
    """Return the possible lines of both players through the cell of the better move, where the opponent can play."""
    after = board.copy()
    after.push(column)
    if column == better or not after.is_legal(better):
        return None
    cell = find_landing_cell(after, better)
    own, opposing = (count_possible_lines(after, cell, player) for player in (board.turn, after.turn))
    if not own or not opposing:
        return None
    return Fact(FactKind.LEAVES_CELL, after.turn, (cell,), column=better, count=opposing, other_count=own)


def _count_after(board: Board, column: int) -> int:
    return count_possible_lines(board, find_landing_cell(board, column), board.turn)
