"""Cells, columns and lines of a board: what the facts need besides the rules."""

from collections.abc import Iterator

from fourfall._core import Board
from fourfall.coach.facts import Cell, Line, Stone

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def list_free_cells(board: Board, column: int) -> list[Cell]:
    """Return the free cells of a column in the order in which stones reach them, without the hole.

    >>> list_free_cells(Board.parse("6x7@4,3:4"), 3)
    [(3, 3), (2, 3), (1, 3), (0, 3)]
    """
    row = board.landing_row(column)
    return [] if row is None else [(at, column) for at in range(row, -1, -1) if (at, column) != board.hole]


def find_landing_cell(board: Board, column: int) -> Cell:
    """Return the cell on which a stone in this column lands; the column must not be full."""
    return list_free_cells(board, column)[0]


def find_lines(board: Board, cell: Cell, player: int) -> tuple[Line, ...]:
    """Return the lines of four or more that a stone of the player on this cell completes.

    >>> find_lines(Board.parse("6x7:112233"), (5, 3), 0)
    (((5, 0), (5, 1), (5, 2), (5, 3)),)
    """
    lines = []
    for down, right in DIRECTIONS:
        before = list(_follow(board, cell, -down, -right, player))
        line = (*reversed(before), cell, *_follow(board, cell, down, right, player))
        if len(line) >= 4:
            lines.append(line)
    return tuple(lines)


def _follow(board: Board, cell: Cell, down: int, right: int, player: int) -> Iterator[Cell]:
    """Yield the player's stones next to a cell in one direction."""
    row, col = cell[0] + down, cell[1] + right
    while 0 <= row < board.rows and 0 <= col < board.cols and board.stone_at(row, col) == player:
        yield row, col
        row, col = row + down, col + right


def find_playable_threats(board: Board, player: int) -> list[Cell]:
    """Return the cells on which a stone can land now and that would complete four for the player.

    >>> find_playable_threats(Board.parse("6x7:112233"), 0)
    [(5, 3)]
    """
    return sorted(
        (cell for cell in board.threats(player) if cell[0] == board.landing_row(cell[1])), key=lambda cell: cell[1]
    )


def list_stones(board: Board, columns: list[int]) -> tuple[Stone, ...]:
    """Return the stones of a sequence of moves from the position of the board.

    >>> list_stones(Board.parse("6x7:4"), [3, 3])
    (Stone(row=4, col=3, player=1), Stone(row=3, col=3, player=0))
    """
    board = board.copy()
    stones = []
    for column in columns:
        player = board.turn
        board.push(column)
        row, col = board.last_cell or (-1, -1)
        stones.append(Stone(row, col, player))
    return tuple(stones)


def list_windows(board: Board, cell: Cell) -> Iterator[Line]:
    """Yield the lines of four cells of the board through a cell, with the hole or without.

    >>> len(list(list_windows(Board(6, 7), (5, 3)))), len(list(list_windows(Board(6, 7), (5, 0))))
    (7, 3)
    """
    for down, right in DIRECTIONS:
        for start in range(-3, 1):
            window = tuple((cell[0] + at * down, cell[1] + at * right) for at in range(start, start + 4))
            if all(0 <= row < board.rows and 0 <= col < board.cols for row, col in (window[0], window[3])):
                yield window
