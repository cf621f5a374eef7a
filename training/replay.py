"""Owns the memory of recent moves and the targets made from it.

The memory is a ring in time order for every board, so targets are made anew before each round of learning: a position
whose game was unfinished when it was stored gets the game's result as soon as that is known.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from training.selfplay import Move


class Targets(NamedTuple):
    """What to learn about each stored move; [time, board]."""

    value: Array  # float32: the TD(lambda) return, for the side to move
    end: Array  # int32: the time at which the game ended, -1 if it has not


class Replay(NamedTuple):
    """The last moves of all boards, [time, board, ...]; `filled` moves are there, the next is written at `head`."""

    moves: Move
    head: Array  # int32
    filled: Array  # int32


def empty(example: Move, capacity: int) -> Replay:
    """Return a memory of so many iterations; the example is one iteration's moves, [time, board, ...]."""
    moves = jax.tree.map(lambda part: jnp.zeros((capacity * part.shape[0], *part.shape[1:]), part.dtype), example)
    return Replay(moves, jnp.int32(0), jnp.int32(0))


def stored(replay: Replay, moves: Move) -> Replay:
    """Write one iteration's moves over the oldest."""

    def write(ring: Array, new: Array) -> Array:
        return jax.lax.dynamic_update_slice_in_dim(ring, new, replay.head, axis=0)

    ring = jax.tree.map(write, replay.moves, moves)
    capacity, count = replay.moves.value.shape[0], moves.value.shape[0]
    return Replay(ring, (replay.head + count) % capacity, jnp.minimum(replay.filled + count, capacity))


def targets(replay: Replay, trace: Array) -> Targets:
    """Walk back in time: G = s ((1 - lambda) V' + lambda G'), the result where the game ends, V after a random move."""
    moves = replay.moves
    capacity, boards = moves.value.shape
    times = (replay.head - 1 - jnp.arange(capacity)) % capacity  # newest first

    def back(carry: tuple[Array, Array, Array, Array], time: Array) -> tuple[tuple[Array, ...], tuple[Array, Array]]:
        later_return, later_value, later_end, newest = carry
        value, over = moves.value[time], moves.over[time]
        blend = moves.sign[time] * ((1 - trace) * later_value + trace * later_return)
        gained = jnp.where(over, moves.result[time], jnp.where(newest, value, blend))
        gained = jnp.where(moves.broken[time], value, gained)
        end = jnp.where(over, time, later_end)
        return (gained, value, end, jnp.zeros_like(newest)), (gained, end)

    start = (jnp.zeros(boards), jnp.zeros(boards), jnp.full(boards, -1, jnp.int32), jnp.ones(boards, bool))
    _, (gained, end) = jax.lax.scan(back, start, times)
    return Targets(jnp.zeros_like(gained).at[times].set(gained), jnp.zeros_like(end).at[times].set(end))
