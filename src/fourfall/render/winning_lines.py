"""Finds the lines of four or more stones that won a game."""

from fourfall._core import Board

Cell = tuple[int, int]

_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def find_winning_lines(board: Board) -> list[tuple[Cell, Cell]]:
    """Return the two ends of every winning line as (row, column) from the top left; none if nobody won.

    >>> find_winning_lines(Board.parse("6x7:1122334"))
    [((5, 0), (5, 3))]
    """
    outcome = board.outcome()
    cells = set(outcome.cells) if outcome else set[Cell]()
    lines = []
    for row, col in sorted(cells):
        for down, right in _DIRECTIONS:
            if (row - down, col - right) in cells:
                continue
            length = 1
            while (row + length * down, col + length * right) in cells:
                length += 1
            if length >= 4:
                lines.append(((row, col), (row + (length - 1) * down, col + (length - 1) * right)))
    return lines
