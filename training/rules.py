"""Owns the game on the accelerator: many boards at once, every column an integer whose lowest bit is the bottom cell.

All arrays have a leading axis of boards and a last axis of the twelve columns; columns beside the board are empty sets.
"""

from typing import NamedTuple, TypeVar

import jax
import jax.numpy as jnp
from jax import Array

SIDE = 12
"""Boards are at most this high and wide; smaller ones lie in the lower left corner."""

PLANES = 16
"""How many features of each cell the network sees; docs/learning.md lists them."""

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Steps in columns and heights along the four kinds of line."""


T = TypeVar("T")


class Position(NamedTuple):
    """The stones of both sides, from the side to move, and the board below them. Each is an int32 of shape [n, 12]."""

    mine: Array
    theirs: Array
    board: Array  # every cell, the hole included
    playable: Array  # every cell but the hole


class Outlook(NamedTuple):
    """What the rules alone say about positions. Cell sets are int32 [n, 12], the rest has shape [n] or as said."""

    empty: Array
    landing: Array  # where a stone would come to lie now, one cell in every open column
    following: Array  # where the stone after it in the same column would lie
    my_wins: Array  # empty cells that complete four, whether or not a stone can land there yet
    their_wins: Array
    my_threes: Array  # empty cells that make three of an open window of four
    their_threes: Array
    safe: Array  # bool [n, 12]: columns after which the opponent has no immediate win
    over: Array  # bool: decided for whoever looks one move ahead, or the board is full
    result: Array  # float: 1, 0 or -1 for the side to move where the game is over, else 0


def shifted(cells: Array, columns: int, heights: int) -> Array:
    """Return the cells from which a step of so many columns and heights leads into the given ones."""
    if columns:
        width = [(0, 0)] * (cells.ndim - 1) + [(max(-columns, 0), max(columns, 0))]
        padded = jnp.pad(cells, width)
        cells = padded[..., columns:] if columns > 0 else padded[..., :columns]
    return cells >> heights if heights >= 0 else (cells << -heights) & ((1 << SIDE) - 1)


def wins_and_threes(stones: Array, empty: Array) -> tuple[Array, Array]:
    """Return the empty cells that complete four for these stones, and those that make three of an open window."""
    wins, threes = jnp.zeros_like(stones), jnp.zeros_like(stones)
    for columns, heights in DIRECTIONS:
        own = [shifted(stones, step * columns, step * heights) for step in range(4)]
        room = [shifted(stones | empty, step * columns, step * heights) for step in range(4)]
        window = room[0] & room[1] & room[2] & room[3]
        one_low, two_low = own[0] ^ own[1], own[0] & own[1]
        one_high, two_high = own[2] ^ own[3], own[2] & own[3]
        with_three = window & ((two_low & one_high) | (one_low & two_high))
        neither_low, neither_high = ~(own[0] | own[1]), ~(own[2] | own[3])
        with_two = window & ((one_low & one_high) | (two_low & neither_high) | (neither_low & two_high))
        for step in range(4):
            wins |= shifted(with_three, -step * columns, -step * heights)
            threes |= shifted(with_two, -step * columns, -step * heights)
    return wins & empty, threes & empty


def lowest_free(filled: Array, board: Array) -> Array:
    """Return the lowest free cell of every column: adding one carries through the filled cells and past the hole."""
    return (filled + 1) & ~filled & board


def landing(position: Position) -> Array:
    """Return where a stone would come to lie, in every open column."""
    return lowest_free(position.mine | position.theirs | (position.board & ~position.playable), position.board)


def look(position: Position) -> Outlook:
    """Say what the rules know: landing cells, winning cells, safe moves, and whether all is decided."""
    mine, theirs, board, playable = position
    filled = mine | theirs | (board & ~playable)
    empty = board & ~filled
    landing = lowest_free(filled, board)
    following = lowest_free(filled | landing, board)
    (my_wins, their_wins), (my_threes, their_threes) = wins_and_threes(jnp.stack([mine, theirs]), empty)
    forced = (landing & their_wins) != 0
    threats = forced.sum(-1)
    candidates = jnp.where((threats > 0)[..., None], forced, landing != 0)
    safe = candidates & ((following & their_wins) == 0) & (threats < 2)[..., None]
    won = ((landing & my_wins) != 0).any(-1)
    full = (landing == 0).all(-1)
    lost = ~won & ~full & ~safe.any(-1)
    result = won.astype(jnp.float32) - lost.astype(jnp.float32)
    return Outlook(
        empty, landing, following, my_wins, their_wins, my_threes, their_threes, safe, won | full | lost, result
    )


def play(position: Position, landing: Array, column: Array) -> Position:
    """Drop a stone into one column of each board; the result is seen by the other side."""
    chosen = jnp.arange(SIDE) == column[..., None]
    return position._replace(mine=position.theirs, theirs=position.mine | jnp.where(chosen, landing, 0))


def settle(position: Position, wanted: Array, limit: int) -> tuple[Position, Outlook, Array]:
    """Look, and follow only moves on the wanted boards, at most `limit` of them; also returns how many were made."""

    def follow(turn: Array, state: tuple[Position, Outlook, Array]) -> tuple[Position, Outlook, Array]:
        position, outlook, made = state
        forced = (turn > 0) & wanted & ~outlook.over & (outlook.safe.sum(-1) == 1)
        position = choose(forced, play(position, outlook.landing, outlook.safe.argmax(-1)), position)
        return position, look(position), made + forced

    unseen = jax.tree.map(lambda part: jnp.zeros(part.shape, part.dtype), jax.eval_shape(look, position))
    made = jnp.zeros(position.mine.shape[:-1], jnp.int32)
    settled: tuple[Position, Outlook, Array] = jax.lax.fori_loop(0, limit + 1, follow, (position, unseen, made))
    return settled


def choose(condition: Array, chosen: T, other: T) -> T:
    """Pick whole boards from one of two equal structures of arrays."""

    def pick(a: Array, b: Array) -> Array:
        return jnp.where(condition.reshape(condition.shape + (1,) * (a.ndim - condition.ndim)), a, b)

    picked: T = jax.tree.map(pick, chosen, other)
    return picked


def mirrored(position: Position) -> Position:
    """Return the boards reflected; they now lie in the lower right corner, which is all the same to the network."""
    return Position(*(cells[..., ::-1] for cells in position))


def cells(sets: Array) -> Array:
    """Unfold cell sets [..., 12] into booleans [..., height, column]."""
    return ((sets[..., None, :] >> jnp.arange(SIDE)[:, None]) & 1) != 0


def planes(position: Position, outlook: Outlook, dtype: jnp.dtype) -> Array:
    """Return what the network sees: [n, height, column, PLANES], the bottom row first."""
    board = position.board
    below = position.playable
    for step in (1, 2, 4, 8):
        below ^= below << step
    parity = (below << 1) & board
    left = jax.lax.population_count(outlook.empty).sum(-1)
    stones = jax.lax.population_count(position.mine | position.theirs).sum(-1)
    sets = (
        position.mine,
        position.theirs,
        board,
        board & ~position.playable,
        outlook.landing,
        outlook.my_wins,
        outlook.their_wins,
        outlook.my_threes,
        outlook.their_threes,
        parity,
        board * (left & 1)[..., None],
        outlook.landing * outlook.safe,
        board * (stones & 1)[..., None],
        outlook.following,
    )
    seen = cells(jnp.stack(sets, axis=-2)).astype(dtype)  # [n, set, height, column]
    on_board = seen[..., 2, :, :]
    share_left = on_board * (left.astype(jnp.float32) / (SIDE * SIDE)).astype(dtype)[..., None, None]
    seen = jnp.moveaxis(seen, -3, -1)
    return jnp.concatenate([seen, share_left[..., None], jnp.zeros_like(share_left)[..., None]], -1)
