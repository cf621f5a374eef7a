"""Lists the empty boards of a census: all sizes up to a number of cells, every hole up to reflection."""

from collections.abc import Iterator

from fourfall._core import Board

MIN_SIDE, MAX_SIDE = 4, 12
"""Least and greatest number of rows and of columns of a board."""


def list_sizes(max_cells: int) -> list[tuple[int, int]]:
    """List the sizes (rows, columns) with at most `max_cells` cells including the hole, the smallest first.

    >>> list_sizes(24)
    [(4, 4), (4, 5), (5, 4), (4, 6), (6, 4)]
    """
    sides = range(MIN_SIDE, MAX_SIDE + 1)
    sizes = [(rows, cols) for rows in sides for cols in sides if rows * cols <= max_cells]
    return sorted(sizes, key=lambda size: (size[0] * size[1], size))


def list_boards(rows: int, cols: int) -> Iterator[Board]:
    """Yield the empty boards of a size: without a hole, then with each hole in the left half or the middle column.

    A hole in the right half gives a reflection of one of these boards.

    >>> len(list(list_boards(4, 5))), next(list_boards(4, 5))
    (13, Board.parse('4x5'))
    """
    yield Board(rows, cols)
    for col in range((cols + 1) // 2):
        for row in range(rows):
            yield Board(rows, cols, hole=(row, col))
