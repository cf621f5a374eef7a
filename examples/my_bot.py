"""A bot in one function: wins if it can, makes no move that loses at once, and prefers cells with many open lines.

Change it and rate it with:

    python examples/rate_your_bot.py
"""

from fourfall import Board, Limit

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def play(board: Board, limit: Limit) -> int:
    """Return the column to play, counted from 0; `limit.time` is the time for the move in seconds."""
    columns = board.winning_moves or board.safe_moves or board.legal_moves
    return max(columns, key=lambda column: count_open_lines(board, column))


def count_open_lines(board: Board, column: int) -> int:
    """Count the lines of four through the landing cell that the opponent cannot block any more, plus our stones."""
    row = board.landing_row(column)
    if row is None:  # the column is full
        return 0
    total = 0
    for down, right in DIRECTIONS:
        for start in range(-3, 1):
            cells = [(row + (start + step) * down, column + (start + step) * right) for step in range(4)]
            if all(is_open(board, *cell) for cell in cells):
                total += 1 + sum(board.stone_at(*cell) == board.turn for cell in cells)
    return total


def is_open(board: Board, row: int, column: int) -> bool:
    """Return whether a cell is on the board, is not the hole and has no stone of the opponent."""
    is_inside = 0 <= row < board.rows and 0 <= column < board.cols
    return is_inside and (row, column) != board.hole and board.stone_at(row, column) != 1 - board.turn
