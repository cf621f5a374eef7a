"""Owns the rules on the accelerator: they agree with the core's board, cell by cell."""

import random
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from fourfall import Board

pytest.importorskip("jax", reason="needs the extra: pip install 'fourfall[train]'")

import jax
import jax.numpy as jnp

from training import rules
from training.boards import BoardKind, draw, empty_boards

COUNT = 192
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
Planes = NDArray[np.float32]
Cell = tuple[int, int]


def random_boards() -> list[Board]:
    """Return positions of unfinished random games on boards of all sizes, with and without a hole."""
    chance = random.Random(7)  # noqa: S311 - no secret
    boards = []
    for _ in range(COUNT):
        rows, cols = chance.randint(4, 12), chance.randint(4, 12)
        hole = (chance.randrange(rows), chance.randrange(cols)) if chance.random() < 0.6 else None
        board = Board(rows, cols, hole=hole)
        for _ in range(chance.randrange(rows * cols)):
            board.push(chance.choice(board.legal_moves))
            if board.is_over:
                board.pop()
                break
        boards.append(board)
    return boards


def replayed(boards: list[Board]) -> rules.Position:
    """Play the boards' moves with the accelerator's rules."""
    holes = [(board.rows - 1 - board.hole[0], board.hole[1]) if board.hole else (-1, -1) for board in boards]
    numbers = [(board.rows, board.cols, *hole) for board, hole in zip(boards, holes, strict=True)]
    position = empty_boards(*(jnp.array(column, jnp.int32) for column in zip(*numbers, strict=True)))
    for ply in range(max(board.ply for board in boards)):
        column = jnp.array([board.moves[ply] if ply < board.ply else 0 for board in boards])
        position = _push(position, column, jnp.array([ply < board.ply for board in boards]))
    return position


@jax.jit
def _push(position: rules.Position, column: jax.Array, goes_on: jax.Array) -> rules.Position:
    return rules.choose(goes_on, rules.play(position, rules.landing(position), column), position)


BOARDS = random_boards()


@pytest.fixture(scope="module")
def position() -> rules.Position:
    """Return the random positions on the accelerator."""
    return replayed(BOARDS)


@pytest.fixture(scope="module")
def outlook(position: rules.Position) -> rules.Outlook:
    """Return what the accelerator's rules say about them."""
    seen: rules.Outlook = jax.jit(rules.look)(position)
    return seen


def windows(board: Board) -> Iterator[list[Cell]]:
    """Yield every run of four cells as (height, column)."""
    for height in range(board.rows):
        for col in range(board.cols):
            for up, right in DIRECTIONS:
                run = [(height + step * up, col + step * right) for step in range(4)]
                if all(0 <= h < board.rows and 0 <= c < board.cols for h, c in run):
                    yield run


def mark_windows(board: Board, out: Planes, plane: int, stones: set[Cell], empty: set[Cell]) -> None:
    """Mark the empty cells of open windows: in this plane where three stones are there, two planes on where two are."""
    for run in windows(board):
        own, free = [cell for cell in run if cell in stones], [cell for cell in run if cell in empty]
        if len(own) + len(free) == 4 and len(own) in (2, 3):
            for cell in free:
                out[(*cell, plane if len(own) == 3 else plane + 2)] = 1


def reference_planes(board: Board) -> Planes:
    """Say again, slowly, what the network sees; the board's own words where it has them."""
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


def test_moves_land_where_the_core_lets_them_land(position: rules.Position, outlook: rules.Outlook) -> None:
    """After whole games the stones lie as on the core's board, and the open columns are its legal moves."""
    mine, landing = np.asarray(rules.cells(position.mine)), np.asarray(outlook.landing)
    for index, board in enumerate(BOARDS):
        assert np.flatnonzero(landing[index]).tolist() == board.legal_moves
        for row in range(board.rows):
            owned = [board.stone_at(row, col) == board.turn for col in range(board.cols)]
            assert mine[index, board.rows - 1 - row, : board.cols].tolist() == owned


def test_safe_moves_and_wins_are_the_cores(outlook: rules.Outlook) -> None:
    """Immediate wins, safe moves and decided positions are what the core says."""
    for index, board in enumerate(BOARDS):
        wins = np.flatnonzero(np.asarray(outlook.landing & outlook.my_wins)[index]).tolist()
        safe = np.flatnonzero(np.asarray(outlook.safe)[index]).tolist()
        assert wins == board.winning_moves
        assert safe == board.safe_moves
        assert bool(outlook.over[index]) == (bool(wins) or not safe)
        assert float(outlook.result[index]) == (1 if wins else 0 if safe else -1)


def test_planes_are_what_the_slow_reference_says(position: rules.Position, outlook: rules.Outlook) -> None:
    """All sixteen planes of every cell agree with loops over windows and columns."""
    seen = np.asarray(jax.jit(rules.planes, static_argnums=2)(position, outlook, jnp.float32))
    for index, board in enumerate(BOARDS):
        np.testing.assert_allclose(seen[index], reference_planes(board), atol=1e-6, err_msg=board.notation)


def test_only_moves_are_followed(position: rules.Position, outlook: rules.Outlook) -> None:
    """Settled positions are over, have a choice, or come after as many only moves as were allowed."""
    settle = jax.jit(rules.settle, static_argnums=2)
    after, seen, made = settle(position, jnp.ones(COUNT, bool), 2)
    assert int(made.max()) == 2
    assert bool((seen.over | (seen.safe.sum(-1) > 1) | (made == 2)).all())
    stones = jax.lax.population_count(after.mine | after.theirs).sum(-1)
    before = jax.lax.population_count(position.mine | position.theirs).sum(-1)
    assert (stones - before == made).all()
    unwanted, *_ = settle(position, jnp.zeros(COUNT, bool), 2)
    assert (unwanted.mine == position.mine).all()


def test_boards_are_drawn_as_the_mix_says() -> None:
    """Sizes stay in their ranges, shares are kept, and a hole lies on the board or is not there."""
    kinds = (BoardKind(3, (9, 12), (9, 12), 1.0), BoardKind(1, (6, 6), (7, 7), 0.0))
    position = jax.jit(lambda key: draw(key, 4000, kinds))(jax.random.key(0))
    board, playable = np.asarray(position.board), np.asarray(position.playable)
    cols, rows = (board != 0).sum(-1), np.log2(board[:, 0] + 1)
    holes = np.bitwise_count(board & ~playable).sum(-1)
    standard = (rows == 6) & (cols == 7)
    assert 0.22 < standard.mean() < 0.28
    assert set(rows[~standard]) == set(cols[~standard]) == {9, 10, 11, 12}
    assert (holes == ~standard).all()
