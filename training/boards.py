"""Draws empty boards from a weighted mix of size ranges, with or without a hole."""

from collections.abc import Sequence

import jax
import jax.numpy as jnp
from jax import Array

from training.config import BoardRange
from training.rules import SIDE, Position

OFFICIAL = BoardRange(weight=1.0, rows=(9, 12), cols=(9, 12), hole_probability=1.0)


def make_empty_boards(rows: Array, cols: Array, hole_height: Array, hole_col: Array) -> Position:
    """Return empty boards; all arguments are int32 [n].

    `hole_height` is the hole's row counted from the bottom; a negative one means that the board has no hole.
    """
    column = jnp.arange(SIDE)
    board = jnp.where(column < cols[:, None], (1 << rows[:, None]) - 1, 0).astype(jnp.int32)
    has_hole = (hole_height >= 0)[:, None] & (column == hole_col[:, None])
    hole = jnp.where(has_hole, 1 << jnp.maximum(hole_height, 0)[:, None], 0).astype(jnp.int32)
    return Position(jnp.zeros_like(board), jnp.zeros_like(board), board, board & ~hole)


def sample_boards(key: Array, count: int, ranges: Sequence[BoardRange]) -> Position:
    """Draw `count` empty boards from the mix of ranges."""
    range_key, rows_key, cols_key, hole_key, height_key, col_key = jax.random.split(key, 6)
    weights = jnp.array([board_range.weight for board_range in ranges])
    index = jax.random.categorical(range_key, jnp.log(weights), shape=(count,))

    def sample_integers(key: Array, bounds: Sequence[tuple[int, int]]) -> Array:
        low, high = (jnp.array(bound)[index] for bound in zip(*bounds, strict=True))
        return jax.random.randint(key, (count,), low, high + 1)

    rows = sample_integers(rows_key, [board_range.rows for board_range in ranges])
    cols = sample_integers(cols_key, [board_range.cols for board_range in ranges])
    probability = jnp.array([board_range.hole_probability for board_range in ranges])[index]
    has_hole = jax.random.uniform(hole_key, (count,)) < probability
    height = jax.random.randint(height_key, (count,), 0, rows)
    col = jax.random.randint(col_key, (count,), 0, cols)
    return make_empty_boards(rows, cols, jnp.where(has_hole, height, -1), col)
