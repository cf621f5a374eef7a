"""Tests that the JAX rules agree with the core's board, cell by cell."""

import random
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from fourfall import Board

pytest.importorskip("jax", reason="needs JAX: pip install '.[train]'")

import jax
import jax.numpy as jnp

from tests.training.positions import to_position
from training import rules
from training.boards import sample_boards
from training.config import BoardRange

COUNT = 192
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
Planes = NDArray[np.float32]
Cell = tuple[int, int]


def play_random_boards() -> list[Board]:
    """Return positions of unfinished random games on boards of all sizes, with and without a hole."""
    rng = random.Random(7)  # noqa: S311
    boards = []
    for _ in range(COUNT):
        rows, cols = rng.randint(4, 12), rng.randint(4, 12)
        hole = (rng.randrange(rows), rng.randrange(cols)) if rng.random() < 0.6 else None
        board = Board(rows, cols, hole=hole)
        for _ in range(rng.randrange(rows * cols)):
            board.push(rng.choice(board.legal_moves))
            if board.is_over:
                board.pop()
                break
        boards.append(board)
    return boards


BOARDS = play_random_boards()


@pytest.fixture(scope="module")
def position() -> rules.Position:
    """Return the random positions as JAX arrays."""
    return to_position(BOARDS)


@pytest.fixture(scope="module")
def features(position: rules.Position) -> rules.Features:
    """Return their features according to the JAX rules."""
    computed: rules.Features = jax.jit(rules.compute_features)(position)
    return computed


def list_windows(board: Board) -> Iterator[list[Cell]]:
    """Yield every window of four cells as (height, column)."""
    for height in range(board.rows):
        for col in range(board.cols):
            for up, right in DIRECTIONS:
                window = [(height + step * up, col + step * right) for step in range(4)]
                if all(0 <= h < board.rows and 0 <= c < board.cols for h, c in window):
                    yield window


def mark_windows(board: Board, out: Planes, plane: int, stones: set[Cell], empty: set[Cell]) -> None:
    """Mark the empty cells of open windows: with three stones in `plane`, with two stones in `plane + 2`."""
    for window in list_windows(board):
        own, free = [cell for cell in window if cell in stones], [cell for cell in window if cell in empty]
        if len(own) + len(free) == 4 and len(own) in (2, 3):
            for cell in free:
                out[(*cell, plane if len(own) == 3 else plane + 2)] = 1


def make_reference_planes(board: Board) -> Planes:
    """Compute the input planes with loops, using the core's board where it has the information."""
    out = np.zeros((12, 12, 16), np.float32)
    hole = (board.rows - 1 - board.hole[0], board.hole[1]) if board.hole else None
    stones = {
        (height, col): stone
        for height in range(board.rows)
        for col in range(board.cols)
        if (stone := board.stone_at(board.rows - 1 - height, col)) is not None
    }
    columns = {c: [(h, c) for h in range(board.rows) if (h, c) != hole] for c in range(board.cols)}
    empty = {cell for cells in columns.values() for cell in cells if cell not in stones}
    safe = board.safe_moves
    for col, cells in columns.items():
        free = [cell for cell in cells if cell in empty]
        for plane, cell in ((4, free[:1]), (13, free[1:2]), (11, free[:1] if col in safe else [])):
            for height, _ in cell:
                out[height, col, plane] = 1
        for height in range(board.rows):
            out[height, col, 9] = sum(below < height for below, _ in cells) % 2
    for (height, col), owner in stones.items():
        out[height, col, 0 if owner == board.turn else 1] = 1
    if hole:
        out[(*hole, 3)] = 1
    for plane, owner in ((5, board.turn), (6, 1 - board.turn)):
        mark_windows(board, out, plane, {cell for cell, other in stones.items() if other == owner}, empty)
    on_board = out[: board.rows, : board.cols]
    on_board[..., 2] = 1
    on_board[..., 10] = len(empty) % 2
    on_board[..., 12] = board.ply % 2
    on_board[..., 14] = len(empty) / 144
    return out


def test_stones_and_legal_moves_agree_with_core(position: rules.Position, features: rules.Features) -> None:
    """After whole games the stones are those of the core's board, and the open columns are its legal moves."""
    own, landing = np.asarray(rules.unpack_cells(position.own)), np.asarray(features.landing)
    for index, board in enumerate(BOARDS):
        assert np.flatnonzero(landing[index]).tolist() == board.legal_moves
        for row in range(board.rows):
            owned = [board.stone_at(row, col) == board.turn for col in range(board.cols)]
            assert own[index, board.rows - 1 - row, : board.cols].tolist() == owned


def test_winning_and_safe_moves_agree_with_core(features: rules.Features) -> None:
    """Immediate wins, safe moves and decided positions are those of the core's board."""
    for index, board in enumerate(BOARDS):
        wins = np.flatnonzero(np.asarray(features.landing & features.own_wins)[index]).tolist()
        safe = np.flatnonzero(np.asarray(features.safe)[index]).tolist()
        assert wins == board.winning_moves
        assert safe == board.safe_moves
        assert bool(features.over[index]) == (bool(wins) or not safe)
        assert float(features.result[index]) == (1 if wins else 0 if safe else -1)


def test_input_planes_agree_with_reference(position: rules.Position, features: rules.Features) -> None:
    """All sixteen planes of every cell agree with loops over windows and columns."""
    planes = np.asarray(jax.jit(rules.make_input_planes, static_argnums=2)(position, features, jnp.float32))
    for index, board in enumerate(BOARDS):
        np.testing.assert_allclose(planes[index], make_reference_planes(board), atol=1e-6, err_msg=board.notation)


def test_forced_moves_are_followed_up_to_the_limit(position: rules.Position) -> None:
    """Afterwards a position is over, has a choice of moves, or the limit of forced moves is reached."""
    follow = jax.jit(rules.follow_forced_moves, static_argnums=2)
    after, features, played = follow(position, jnp.ones(COUNT, bool), 2)
    assert int(played.max()) == 2
    assert bool((features.over | (features.safe.sum(-1) > 1) | (played == 2)).all())
    stones_after = jax.lax.population_count(after.own | after.opponent).sum(-1)
    stones_before = jax.lax.population_count(position.own | position.opponent).sum(-1)
    assert (stones_after - stones_before == played).all()
    unchanged, *_ = follow(position, jnp.zeros(COUNT, bool), 2)
    assert (unchanged.own == position.own).all()


def test_sampled_boards_follow_ranges_and_weights() -> None:
    """Sizes stay in their ranges, the weights are respected, and the hole is on the board or absent."""
    ranges = (
        BoardRange(weight=3, rows=(9, 12), cols=(9, 12), hole_probability=1.0),
        BoardRange(weight=1, rows=(6, 6), cols=(7, 7), hole_probability=0.0),
    )
    position = jax.jit(lambda key: sample_boards(key, 4000, ranges))(jax.random.key(0))
    board, playable = np.asarray(position.board), np.asarray(position.playable)
    cols, rows = (board != 0).sum(-1), np.log2(board[:, 0] + 1)
    holes = np.bitwise_count(board & ~playable).sum(-1)
    is_standard = (rows == 6) & (cols == 7)
    assert 0.22 < is_standard.mean() < 0.28
    assert set(rows[~is_standard]) == set(cols[~is_standard]) == {9, 10, 11, 12}
    assert (holes == ~is_standard).all()
