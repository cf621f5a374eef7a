"""Game rules in JAX for many boards at once; each column is an integer whose lowest bit is the bottom cell.

A cell set is an int32 array [n, 12]: n boards, twelve columns. Columns outside the board are empty sets.
"""

from typing import NamedTuple, TypeVar

import jax
import jax.numpy as jnp
from jax import Array

SIDE = 12
"""Maximum number of rows and columns; smaller boards occupy the lower left corner."""

PLANES = 16
"""Number of input planes of the network; docs/learning.md lists them."""

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Steps (columns, rows) of the four directions in which four stones can be connected."""


T = TypeVar("T")


class Position(NamedTuple):
    """Stones of both sides, from the view of the side to move, and the shape of the board. All are cell sets."""

    own: Array
    opponent: Array
    board: Array  # every cell, including the hole
    playable: Array  # every cell except the hole


class Features(NamedTuple):
    """Facts about positions that follow from the rules and a search of one move. Without a comment: a cell set."""

    empty: Array
    landing: Array  # the cell in which the next stone of each open column lands
    following: Array  # the cell in which the stone after that lands
    own_wins: Array  # empty cells that complete four, even if no stone can land there yet
    opponent_wins: Array
    own_threes: Array  # empty cells that make three stones in a window of four that the other side has not entered
    opponent_threes: Array
    safe: Array  # bool [n, 12]: columns after which the opponent has no immediate win
    over: Array  # bool [n]: the side to move has an immediate win or no safe move, or the board is full
    result: Array  # float32 [n]: 1, 0 or -1 for the side to move if `over`, else 0


def shift(cells: Array, columns: int, rows: int) -> Array:
    """Return the cells from which a step of `columns` and `rows` leads to a cell of `cells`."""
    if columns:
        width = [(0, 0)] * (cells.ndim - 1) + [(max(-columns, 0), max(columns, 0))]
        padded = jnp.pad(cells, width)
        cells = padded[..., columns:] if columns > 0 else padded[..., :columns]
    return cells >> rows if rows >= 0 else (cells << -rows) & ((1 << SIDE) - 1)


def find_wins_and_threes(stones: Array, empty: Array) -> tuple[Array, Array]:
    """Return the empty cells that complete four for `stones`, and those that make three in an open window of four."""
    wins, threes = jnp.zeros_like(stones), jnp.zeros_like(stones)
    for columns, rows in DIRECTIONS:
        own = [shift(stones, step * columns, step * rows) for step in range(4)]
        available = [shift(stones | empty, step * columns, step * rows) for step in range(4)]
        window = available[0] & available[1] & available[2] & available[3]
        one_low, two_low = own[0] ^ own[1], own[0] & own[1]
        one_high, two_high = own[2] ^ own[3], own[2] & own[3]
        with_three = window & ((two_low & one_high) | (one_low & two_high))
        none_low, none_high = ~(own[0] | own[1]), ~(own[2] | own[3])
        with_two = window & ((one_low & one_high) | (two_low & none_high) | (none_low & two_high))
        for step in range(4):
            wins |= shift(with_three, -step * columns, -step * rows)
            threes |= shift(with_two, -step * columns, -step * rows)
    return wins & empty, threes & empty


def find_lowest_free(occupied: Array, board: Array) -> Array:
    """Return the lowest free cell of every column: adding one carries through the occupied cells and the hole."""
    return (occupied + 1) & ~occupied & board


def find_landing_cells(position: Position) -> Array:
    """Return the cell in which the next stone lands, for every open column."""
    return find_lowest_free(position.own | position.opponent | (position.board & ~position.playable), position.board)


def compute_features(position: Position) -> Features:
    """Compute landing cells, winning cells, safe moves, and whether the game is decided within one move."""
    own, opponent, board, playable = position
    occupied = own | opponent | (board & ~playable)
    empty = board & ~occupied
    landing = find_lowest_free(occupied, board)
    following = find_lowest_free(occupied | landing, board)
    (own_wins, opponent_wins), (own_threes, opponent_threes) = find_wins_and_threes(jnp.stack([own, opponent]), empty)
    forced = (landing & opponent_wins) != 0
    threats = forced.sum(-1)
    candidates = jnp.where((threats > 0)[..., None], forced, landing != 0)
    safe = candidates & ((following & opponent_wins) == 0) & (threats < 2)[..., None]
    won = ((landing & own_wins) != 0).any(-1)
    full = (landing == 0).all(-1)
    lost = ~won & ~full & ~safe.any(-1)
    return Features(
        empty=empty,
        landing=landing,
        following=following,
        own_wins=own_wins,
        opponent_wins=opponent_wins,
        own_threes=own_threes,
        opponent_threes=opponent_threes,
        safe=safe,
        over=won | full | lost,
        result=won.astype(jnp.float32) - lost.astype(jnp.float32),
    )


def play(position: Position, landing: Array, column: Array) -> Position:
    """Drop a stone into one column of each board; the result is from the view of the other side."""
    chosen = jnp.arange(SIDE) == column[..., None]
    return position._replace(own=position.opponent, opponent=position.own | jnp.where(chosen, landing, 0))


def follow_forced_moves(position: Position, enabled: Array, limit: int) -> tuple[Position, Features, Array]:
    """Play forced moves (exactly one safe move) on the `enabled` boards, at most `limit` in a row.

    Returns the positions reached, their features, and the number of moves played on each board, int32 [n].
    """

    def follow(turn: Array, state: tuple[Position, Features, Array]) -> tuple[Position, Features, Array]:
        position, features, played = state
        forced = (turn > 0) & enabled & ~features.over & (features.safe.sum(-1) == 1)
        position = select_boards(forced, play(position, features.landing, features.safe.argmax(-1)), position)
        return position, compute_features(position), played + forced

    placeholder = jax.tree.map(
        lambda part: jnp.zeros(part.shape, part.dtype), jax.eval_shape(compute_features, position)
    )
    played = jnp.zeros(position.own.shape[:-1], jnp.int32)
    start = (position, placeholder, played)
    final: tuple[Position, Features, Array] = jax.lax.fori_loop(0, limit + 1, follow, start)
    return final


def select_boards(condition: Array, chosen: T, other: T) -> T:
    """Select whole boards from one of two structures of arrays; `condition` is bool [n]."""

    def select(a: Array, b: Array) -> Array:
        return jnp.where(condition.reshape(condition.shape + (1,) * (a.ndim - condition.ndim)), a, b)

    selected: T = jax.tree.map(select, chosen, other)
    return selected


def mirror(position: Position) -> Position:
    """Reflect the boards left to right.

    They then occupy the lower right corner of the array, which does not change the network's outputs.
    """
    return Position(*(cells[..., ::-1] for cells in position))


def unpack_cells(sets: Array) -> Array:
    """Convert cell sets [..., 12] to booleans [..., row, column], the bottom row first."""
    return ((sets[..., None, :] >> jnp.arange(SIDE)[:, None]) & 1) != 0


def make_input_planes(position: Position, features: Features, dtype: jnp.dtype) -> Array:
    """Return the network's input planes [n, row, column, PLANES], the bottom row first."""
    board = position.board
    below = position.playable
    for step in (1, 2, 4, 8):
        below ^= below << step
    parity = (below << 1) & board
    empty_cells = jax.lax.population_count(features.empty).sum(-1)
    stones = jax.lax.population_count(position.own | position.opponent).sum(-1)
    sets = (
        position.own,
        position.opponent,
        board,
        board & ~position.playable,
        features.landing,
        features.own_wins,
        features.opponent_wins,
        features.own_threes,
        features.opponent_threes,
        parity,
        board * (empty_cells & 1)[..., None],
        features.landing * features.safe,
        board * (stones & 1)[..., None],
        features.following,
    )
    planes = unpack_cells(jnp.stack(sets, axis=-2)).astype(dtype)  # [n, set, row, column]
    on_board = planes[..., 2, :, :]
    empty_fraction = on_board * (empty_cells.astype(jnp.float32) / (SIDE * SIDE)).astype(dtype)[..., None, None]
    planes = jnp.moveaxis(planes, -3, -1)
    return jnp.concatenate([planes, empty_fraction[..., None], jnp.zeros_like(empty_fraction)[..., None]], -1)
