"""Tests whether the result with a hole depends on parities: cells below and above the hole, free cells of the board."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fourfall.census import SolvedBoard

RESULTS = ("first", "draw", "second")
"""Results under perfect play: the first player wins, draw, the second player wins."""


FREE_CELLS, CELLS_BELOW = "free cells", "cells below the hole"


@dataclass(frozen=True)
class HoleBoard:
    """Parities of a solved board with a hole.

    Attributes:
        position: The board in text.
        rows: Number of rows.
        cols: Number of columns.
        below: Cells below the hole in its column.
        above: Cells above the hole in its column.
        result: One of `RESULTS`.
    """

    position: str
    rows: int
    cols: int
    below: int
    above: int
    result: str

    @property
    def free(self) -> int:
        """Cells that stones can occupy."""
        return self.rows * self.cols - 1


def get_result(solved: SolvedBoard) -> str:
    """Return the result of an empty board, one of `RESULTS`."""
    return RESULTS[0 if solved.score.is_win else 1 if solved.score.is_draw else 2]


def list_hole_boards(boards: Iterable[SolvedBoard]) -> list[HoleBoard]:
    """Return the boards with a hole, each once; reflections are not counted."""
    found = []
    for solved in boards:
        board = solved.board
        if board.hole is not None:
            row = board.hole[0]
            found.append(
                HoleBoard(solved.position, board.rows, board.cols, board.rows - 1 - row, row, get_result(solved))
            )
    return found


def name_parity(number: int) -> str:
    """Return "even" or "odd".

    >>> name_parity(3)
    'odd'
    """
    return "odd" if number % 2 else "even"


@dataclass(frozen=True)
class Comparison:
    """Results of boards in which a number is even, beside those in which it is odd.

    Attributes:
        group: The boards that are compared.
        number: The number whose parity is compared.
        even: Boards of each result in which the number is even.
        odd: Boards of each result in which the number is odd.
    """

    group: str
    number: str
    even: Counter[str]
    odd: Counter[str]

    @property
    def is_testable(self) -> bool:
        """Whether both parities occur within one size; otherwise sizes are compared, of which there are few."""
        return self.number != FREE_CELLS and bool(self.even.total() and self.odd.total())

    @property
    def p_value(self) -> float:
        """Two-sided p-value of Fisher's exact test of "the first player wins" against the parity."""
        wins = (self.even[RESULTS[0]], self.odd[RESULTS[0]])
        return compute_fisher_p(wins[0], self.even.total() - wins[0], wins[1], self.odd.total() - wins[1])


def compare_parities(boards: Sequence[HoleBoard]) -> list[Comparison]:
    """Compare parities within the groups in which they vary.

    With an even number of rows, one of the numbers of cells below and above the hole is even and the other is odd. With
    an odd number of rows both have the same parity. So each group has one parity of the hole.
    """
    even_rows = [board for board in boards if board.rows % 2 == 0]
    odd_rows = [board for board in boards if board.rows % 2]
    return [
        _compare("all boards", FREE_CELLS, [(board.free, board.result) for board in boards]),
        _compare("even rows", CELLS_BELOW, [(board.below, board.result) for board in even_rows]),
        *(
            _compare(
                f"odd rows, {name} columns",
                CELLS_BELOW,
                [(board.below, board.result) for board in odd_rows if name_parity(board.cols) == name],
            )
            for name in ("even", "odd")
        ),
    ]


def compute_fisher_p(a: int, b: int, c: int, d: int) -> float:
    """Return the two-sided p-value of Fisher's exact test of the table ((a, b), (c, d)).

    It is the probability, given the sums of rows and columns, of all tables that are at most as probable as this one.

    >>> round(compute_fisher_p(3, 1, 1, 3), 4), round(compute_fisher_p(10, 0, 0, 10), 7)
    (0.4857, 1.08e-05)
    """
    row, column, total = a + b, a + c, a + b + c + d
    counts = [
        math.comb(row, first) * math.comb(total - row, column - first)
        for first in range(max(0, column - (total - row)), min(row, column) + 1)
    ]
    own = math.comb(row, a) * math.comb(total - row, column - a)
    return sum(count for count in counts if count <= own) / math.comb(total, column)


def _compare(group: str, number: str, values: Iterable[tuple[int, str]]) -> Comparison:
    even: Counter[str] = Counter()
    odd: Counter[str] = Counter()
    for value, result in values:
        (odd if value % 2 else even)[result] += 1
    return Comparison(group, number, even, odd)
