"""Owns the official distribution of boards: sides 9 to 12 and the hole, each uniform."""

from collections import Counter
from collections.abc import Hashable, Iterable

import pytest

from fourfall import Board

SEEDS = range(8000)


def chi_square(seen: Iterable[Hashable], classes: Iterable[Hashable]) -> float:
    """Return the chi-square statistic of a sample against equally likely classes, none of which may be missed."""
    counts = Counter(seen)
    expected = counts.total() / len(wanted := list(classes))
    assert set(counts) == set(wanted)
    return sum((counts[one] - expected) ** 2 for one in wanted) / expected


@pytest.fixture(scope="module")
def boards() -> list[Board]:
    """Boards of consecutive seeds."""
    return [Board.random(seed) for seed in SEEDS]


def test_the_same_seed_gives_the_same_board() -> None:
    """A seed, up to the last of 64 bits, always names the same empty board."""
    for seed in (0, 1, 2**63, 2**64 - 1):
        board = Board.random(seed)
        assert board == Board.random(seed=seed)
        assert board.ply == 0


def test_without_a_seed_boards_differ() -> None:
    """Unseeded boards are drawn anew each time."""
    assert len({Board.random() for _ in range(50)}) > 10


def test_all_sizes_are_equally_likely(boards: list[Board]) -> None:
    """The sixteen sizes occur about equally often; fifteen degrees of freedom exceed 45 once in ten thousand."""
    sizes = [(rows, cols) for rows in range(9, 13) for cols in range(9, 13)]
    assert chi_square([(board.rows, board.cols) for board in boards], sizes) < 45


@pytest.mark.parametrize("side", range(9, 13))
def test_the_hole_is_anywhere_with_equal_chance(boards: list[Board], side: int) -> None:
    """On boards of each width every column has the hole about equally often, and of each height every row."""
    holes = [(board.rows, board.cols, board.hole) for board in boards if board.hole is not None]
    assert len(holes) == len(boards)
    assert chi_square([hole[0] for rows, _, hole in holes if rows == side], range(side)) < 37
    assert chi_square([hole[1] for _, cols, hole in holes if cols == side], range(side)) < 37


def test_every_cell_of_the_smallest_board_can_be_the_hole(boards: list[Board]) -> None:
    """On 9x9 rows and columns are drawn independently: all 81 cells occur."""
    holes = [board.hole for board in boards if (board.rows, board.cols) == (9, 9)]
    assert chi_square(holes, [(row, col) for row in range(9) for col in range(9)]) < 130
