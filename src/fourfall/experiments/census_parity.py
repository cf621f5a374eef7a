"""Tests whether the result with a hole depends on parities: cells below and above the hole, free cells of the board."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from fourfall.census import SolvedBoard

RESULTS = ("first", "draw", "second")
"""Results under perfect play: the first player wins, draw, the second player wins."""


CELLS_BELOW = "cells below the hole"


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
        p_value: Result of `compute_exact_p`; None if no size has both parities.
    """

    group: str
    number: str
    even: Counter[str]
    odd: Counter[str]
    p_value: float | None


def compare_parities(boards: Sequence[HoleBoard]) -> list[Comparison]:
    """Compare parities within the groups in which they vary.

    With an even number of rows, one of the numbers of cells below and above the hole is even and the other is odd. With
    an odd number of rows both have the same parity. So each group has one parity of the hole.
    """
    even_rows = [board for board in boards if board.rows % 2 == 0]
    odd_rows = [board for board in boards if board.rows % 2]
    return [
        _compare("all boards", "free cells", boards, lambda board: board.free),
        _compare("even rows", CELLS_BELOW, even_rows, lambda board: board.below),
        *(
            _compare(
                f"odd rows, {name} columns",
                CELLS_BELOW,
                [board for board in odd_rows if name_parity(board.cols) == name],
                lambda board: board.below,
            )
            for name in ("even", "odd")
        ),
    ]


@dataclass(frozen=True)
class Table:
    """Boards of one size: wins of the first player and other results, by parity of a number."""

    even_wins: int
    even_others: int
    odd_wins: int
    odd_others: int


def compute_exact_p(tables: Iterable[Table]) -> float:
    """Return the two-sided p-value of an exact test of "the first player wins" against the parity, within each size.

    Under the null hypothesis the wins of each size are distributed at random among its boards. The p-value is the
    probability of all numbers of wins with an even number that are at most as probable as the observed one. For one
    table this is Fisher's exact test.

    >>> round(compute_exact_p([Table(3, 1, 1, 3)]), 4), round(compute_exact_p([Table(10, 0, 0, 10)]), 7)
    (0.4857, 1.08e-05)
    >>> compute_exact_p([Table(2, 0, 0, 2), Table(2, 0, 0, 2)]) == 2 / 36
    True
    """
    ways, observed = [1], 0  # ways[k]: assignments with k wins among the boards with an even number
    for table in tables:
        even = table.even_wins + table.even_others
        odd = table.odd_wins + table.odd_others
        wins = table.even_wins + table.odd_wins
        own = [math.comb(even, k) * math.comb(odd, wins - k) for k in range(min(even, wins) + 1)]
        ways = [
            sum(ways[k - j] * own[j] for j in range(len(own)) if 0 <= k - j < len(ways))
            for k in range(len(ways) + len(own) - 1)
        ]
        observed += table.even_wins
    return sum(count for count in ways if count <= ways[observed]) / sum(ways)


def _compare(
    group: str, number: str, boards: Sequence[HoleBoard], get_number: Callable[[HoleBoard], int]
) -> Comparison:
    counts: dict[str, Counter[str]] = {"even": Counter(), "odd": Counter()}
    sizes: dict[tuple[int, int], Counter[tuple[str, bool]]] = {}
    for board in boards:
        parity = name_parity(get_number(board))
        counts[parity][board.result] += 1
        sizes.setdefault((board.rows, board.cols), Counter())[parity, board.result == RESULTS[0]] += 1
    tables = [
        Table(each["even", True], each["even", False], each["odd", True], each["odd", False]) for each in sizes.values()
    ]
    is_testable = any((t.even_wins + t.even_others) and (t.odd_wins + t.odd_others) for t in tables)
    return Comparison(group, number, counts["even"], counts["odd"], compute_exact_p(tables) if is_testable else None)
