"""Tests of bit sets, hashes and splits."""

import random
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from fourfall import Board
from fourfall.datasets.random_positions import play_random_moves
from fourfall.datasets.stones import SIZE, choose_split, get_stone_sets, hash_position


@st.composite
def positions(draw: st.DrawFn) -> Board:
    """Return a random position on a board of any size, with or without a hole."""
    rows, cols = draw(st.integers(4, 12)), draw(st.integers(4, 12))
    hole = draw(st.none() | st.tuples(st.integers(0, rows - 1), st.integers(0, cols - 1)))
    source = random.Random(draw(st.integers(0, 1000)))  # noqa: S311 (tests must be repeatable)
    board = Board(rows, cols, hole)
    return play_random_moves(board, draw(st.integers(0, 12)), source, immediate_wins=True) or board


def get_hash(board: Board) -> int:
    """Return the hash of a board."""
    return hash_position(board.geometry, get_stone_sets(board))


@given(positions())
def test_bits_are_the_stones_of_the_board(board: Board) -> None:
    """Bit 12 * row + col is set exactly if the player has a stone there, also in the mirror image."""
    sets, mirror = get_stone_sets(board), board.mirror()
    for row in range(board.rows):
        for col in range(board.cols):
            bit = 1 << (SIZE * row + col)
            assert (bool(sets.first & bit), bool(sets.second & bit)) == tuple(
                board.stone_at(row, col) == player for player in (0, 1)
            )
            assert (bool(sets.mirror_first & bit), bool(sets.mirror_second & bit)) == tuple(
                mirror.stone_at(row, col) == player for player in (0, 1)
            )


@given(positions())
def test_hash_is_that_of_the_position(board: Board) -> None:
    """The mirror image has the same hash; the positions after each move have others."""
    assert get_hash(board) == get_hash(board.mirror())
    assert -(2**63) <= get_hash(board) < 2**63
    hashes = set()
    for column in board.legal_moves:
        after = board.copy()
        after.push(column)
        hashes.add(get_hash(after))
    assert get_hash(board) not in hashes


def test_order_of_the_moves_does_not_change_the_hash() -> None:
    """Transpositions have one hash; swapped players, other sizes and other holes have different ones."""
    assert get_hash(Board.parse("6x7:123")) == get_hash(Board.parse("6x7:321"))
    texts = ("6x7:12", "6x7:21", "7x6:12", "6x7@0,0:12", "6x7@0,1:12", "6x7")
    assert len({get_hash(Board.parse(text)) for text in texts}) == len(texts)


def test_splits_have_their_shares() -> None:
    """About 80, 10 and 10 per cent of the positions are in the three splits."""
    source = random.Random(1)  # noqa: S311
    boards = (play_random_moves(Board(6, 7), 8, source, immediate_wins=True) for _ in range(3000))
    counts = Counter(choose_split(get_hash(board)) for board in boards if board is not None)
    assert 2250 < counts["train"] < 2550
    assert min(counts["validation"], counts["test"]) > 220
