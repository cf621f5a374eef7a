"""Tests the distribution of Board.random: sides 9 to 12 and the hole, all uniform."""

from collections import Counter
from collections.abc import Hashable, Iterable

import pytest

from fourfall import Board

SEEDS = range(8000)


def compute_chi_square(sample: Iterable[Hashable], classes: Iterable[Hashable]) -> float:
    """Return the chi-square statistic of a sample against equally likely classes, all of which must occur."""
    counts = Counter(sample)
    expected = counts.total() / len(wanted := list(classes))
    assert set(counts) == set(wanted)
    return sum((counts[one] - expected) ** 2 for one in wanted) / expected


@pytest.fixture(scope="module")
def boards() -> list[Board]:
    """Return boards for consecutive seeds."""
    return [Board.random(seed) for seed in SEEDS]


def test_same_seed_gives_the_same_board() -> None:
    """Every 64-bit seed always gives the same empty board."""
    for seed in (0, 1, 2**63, 2**64 - 1):
        board = Board.random(seed)
        assert board == Board.random(seed=seed)
        assert board.ply == 0


def test_boards_without_a_seed_differ() -> None:
    """Without a seed each call draws a new board."""
    assert len({Board.random() for _ in range(50)}) > 10


def test_all_sizes_are_equally_likely(boards: list[Board]) -> None:
    """The sixteen sizes are uniform: with 15 degrees of freedom, 45 is exceeded once in ten thousand samples."""
    sizes = [(rows, cols) for rows in range(9, 13) for cols in range(9, 13)]
    assert compute_chi_square([(board.rows, board.cols) for board in boards], sizes) < 45


@pytest.mark.parametrize("side", range(9, 13))
def test_rows_and_columns_of_the_hole_are_uniform(boards: list[Board], side: int) -> None:
    """For each width all columns of the hole are equally likely, for each height all rows."""
    holes = [(board.rows, board.cols, board.hole) for board in boards if board.hole is not None]
    assert len(holes) == len(boards)
    assert compute_chi_square([hole[0] for rows, _, hole in holes if rows == side], range(side)) < 37
    assert compute_chi_square([hole[1] for _, cols, hole in holes if cols == side], range(side)) < 37


def test_every_cell_of_the_smallest_board_can_be_the_hole(boards: list[Board]) -> None:
    """On 9x9 all 81 cells occur, uniformly."""
    holes = [board.hole for board in boards if (board.rows, board.cols) == (9, 9)]
    assert compute_chi_square(holes, [(row, col) for row in range(9) for col in range(9)]) < 130
