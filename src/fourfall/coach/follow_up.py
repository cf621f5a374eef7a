"""Proves wins by parity with follow-up play: the opponent must in the end play below a winning cell.

The *follower* has just moved and has a winning cell on which no stone can land yet. The cell directly below it is
*forbidden*: who plays there loses, or gives up the winning cell. All cells that are neither forbidden nor above a
forbidden cell are *usable*. If their number is even, the follower has an answer to every stone of the opponent:

- The usable cells of a column are paired from the top downwards. When the opponent takes the lower cell of a pair, the
  follower takes the upper one.
- A column with an odd number of usable cells has one cell without a partner, the lowest. The number of such columns is
  even; when the opponent takes one of these cells, the follower takes another one.

When the usable cells are full, the opponent must play on a forbidden cell, and the follower wins above it. The opponent
gets at most the lower cells, the cells without a partner and, as its last stone, one forbidden cell. If these cells and
its stones contain no four, the win is proven. The solver uses a stronger form of this bound (docs/solver.md).
"""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from fourfall._core import Board
from fourfall.coach.facts import Cell
from fourfall.coach.lines import list_free_cells

_MAX_CHOICES = 256


class FollowUpWin(NamedTuple):
    """A win by follow-up play.

    Attributes:
        cells: the winning cells above the forbidden cells.
        usable: number of usable cells, even.
        is_above: whether the follower answers every stone directly above it, because no column is odd.
        counts_hole: whether there would be one more usable cell without the hole.
    """

    cells: tuple[Cell, ...]
    usable: int
    is_above: bool
    counts_hole: bool


def find_follow_up_win(board: Board) -> FollowUpWin | None:
    """Return the win by follow-up play of the player who moved last, or None if none is proven.

    Fewer winning cells are preferred, because they are easier to explain.

    >>> find_follow_up_win(Board(6, 7)) is None
    True
    """
    if board.is_over:
        return None
    follower = 1 - board.turn
    winning = set(board.threats(follower))
    columns = [list_free_cells(board, column) for column in range(board.cols)]
    options = [[0, *(at for at in range(1, len(free)) if free[at] in winning)] for free in columns]
    if all(len(choices) == 1 for choices in options):
        return None
    fours = _FourFinder(board)
    stones = fours.mask(
        (row, col) for row in range(board.rows) for col in range(board.cols) if board.stone_at(row, col) == board.turn
    )
    for choice in _list_choices(options):
        win = _prove(board, columns, choice, fours, stones)
        if win is not None:
            return win
    return None


def _list_choices(options: list[list[int]]) -> list[tuple[int, ...]]:
    """Return which winning cell to use in each column (0 for none), the choices with the fewest winning cells first."""
    count = 1
    for choices in options:
        count *= len(choices)
    if count > _MAX_CHOICES:
        options = [choices[:2] for choices in options]
    chosen = [choice for choice in product(*options) if any(choice)]
    return sorted(chosen, key=lambda choice: sum(at > 0 for at in choice))[:_MAX_CHOICES]


def _prove(
    board: Board, columns: list[list[Cell]], choice: tuple[int, ...], fours: "_FourFinder", stones: int
) -> FollowUpWin | None:
    usable = [free[: at - 1] if at else free for free, at in zip(columns, choice, strict=True)]
    total = sum(map(len, usable))
    if total % 2:
        return None
    taken = stones | fours.mask(cell for cells in usable for cell in _list_opponent_cells(cells))
    forbidden = [free[at - 1] for free, at in zip(columns, choice, strict=True) if at]
    if any(fours.has_four(taken | fours.mask([cell])) for cell in forbidden):
        return None
    return FollowUpWin(
        cells=tuple(free[at] for free, at in zip(columns, choice, strict=True) if at),
        usable=total,
        is_above=all(len(cells) % 2 == 0 for cells in usable),
        counts_hole=_counts_hole(board, columns, choice),
    )


def _list_opponent_cells(cells: list[Cell]) -> Iterator[Cell]:
    """Yield the cells of a column that the opponent may get: the lower cell of each pair and the cell without one."""
    odd = len(cells) % 2
    yield from cells[:odd]
    yield from cells[odd::2]


def _counts_hole(board: Board, columns: list[list[Cell]], choice: tuple[int, ...]) -> bool:
    """Whether the number of usable cells would be greater by one without the hole."""
    if board.hole is None:
        return False
    row, column = board.hole
    if any(board.stone_at(above, column) is not None for above in range(row)):
        return False
    free, at = columns[column], choice[column]
    return not at or row > free[at - 1][0]


class _FourFinder:
    """Masks of cells on this board, with a free bit above every column so that lines do not wrap around."""

    def __init__(self, board: Board) -> None:
        self._height = board.rows + 1
        self._shifts = (1, self._height, self._height + 1, self._height - 1)

    def mask(self, cells: Iterator[Cell] | list[Cell]) -> int:
        """Return the mask of some cells."""
        mask = 0
        for row, col in cells:
            mask |= 1 << (col * self._height + row)
        return mask

    def has_four(self, mask: int) -> bool:
        """Whether four cells of the mask are in a row, column or diagonal."""
        for shift in self._shifts:
            pairs = mask & (mask >> shift)
            if pairs & (pairs >> 2 * shift):
                return True
        return False
