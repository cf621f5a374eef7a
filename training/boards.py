"""Owns which boards are played on: a mix of kinds, each a range of sizes with or without a hole."""

from collections.abc import Sequence
from dataclasses import dataclass

import jax
import jax.numpy as jnp
from jax import Array

from training.rules import SIDE, Position


@dataclass(frozen=True)
class BoardKind:
    """Boards drawn with this share of all games: both ends of the ranges included, a hole anywhere or none."""

    share: float
    rows: tuple[int, int]
    cols: tuple[int, int]
    hole: float
    """The probability that a board has a hole."""


OFFICIAL = BoardKind(share=1.0, rows=(9, 12), cols=(9, 12), hole=1.0)


def empty_boards(rows: Array, cols: Array, hole_height: Array, hole_col: Array) -> Position:
    """Return boards without a stone; a hole height below zero means no hole. All arguments are int32 [n]."""
    column = jnp.arange(SIDE)
    board = jnp.where(column < cols[:, None], (1 << rows[:, None]) - 1, 0).astype(jnp.int32)
    has_hole = (hole_height >= 0)[:, None] & (column == hole_col[:, None])
    hole = jnp.where(has_hole, 1 << jnp.maximum(hole_height, 0)[:, None], 0).astype(jnp.int32)
    return Position(jnp.zeros_like(board), jnp.zeros_like(board), board, board & ~hole)


def draw(key: Array, count: int, kinds: Sequence[BoardKind]) -> Position:
    """Draw empty boards from the mix."""
    by_kind, by_row, by_col, by_hole, by_height, by_place = jax.random.split(key, 6)
    shares = jnp.array([kind.share for kind in kinds])
    kind = jax.random.categorical(by_kind, jnp.log(shares), shape=(count,))

    def between(key: Array, ends: Sequence[tuple[int, int]]) -> Array:
        low, high = (jnp.array(end)[kind] for end in zip(*ends, strict=True))
        return jax.random.randint(key, (count,), low, high + 1)

    rows = between(by_row, [kind.rows for kind in kinds])
    cols = between(by_col, [kind.cols for kind in kinds])
    has_hole = jax.random.uniform(by_hole, (count,)) < jnp.array([kind.hole for kind in kinds])[kind]
    height = jax.random.randint(by_height, (count,), 0, rows)
    col = jax.random.randint(by_place, (count,), 0, cols)
    return empty_boards(rows, cols, jnp.where(has_hole, height, -1), col)
