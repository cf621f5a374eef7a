"""Replay buffer of recent self-play moves, and the training targets computed from it.

The buffer is circular and keeps the moves of every board in time order. Targets are recomputed before each round of
learning, so a position whose game was unfinished when it was stored gets the game's result as soon as it is known.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from training.rules import select_boards
from training.self_play import Transition


class Targets(NamedTuple):
    """Training targets of each stored move; arrays are [time, board]."""

    value: Array  # float32: the TD(lambda) return, for the side to move
    end: Array  # int32: index in time at which the game ended, -1 if it has not and in sidelines


class ReplayBuffer(NamedTuple):
    """The most recent moves of all boards, arrays [time, board, ...]."""

    transitions: Transition
    head: Array  # int32: index in time at which the next move is written
    filled: Array  # int32: number of stored moves per board


def create_buffer(example: Transition, iterations: int) -> ReplayBuffer:
    """Return an empty buffer of this many iterations; `example` has the shapes of one iteration, [time, board, ...]."""
    transitions = jax.tree.map(
        lambda part: jnp.zeros((iterations * part.shape[0], *part.shape[1:]), part.dtype), example
    )
    return ReplayBuffer(transitions, jnp.int32(0), jnp.int32(0))


def append(buffer: ReplayBuffer, transitions: Transition) -> ReplayBuffer:
    """Overwrite the oldest iteration with a new one."""

    def write(stored: Array, new: Array) -> Array:
        return jax.lax.dynamic_update_slice_in_dim(stored, new, buffer.head, axis=0)

    stored = jax.tree.map(write, buffer.transitions, transitions)
    capacity, count = buffer.transitions.value.shape[0], transitions.value.shape[0]
    return ReplayBuffer(stored, (buffer.head + count) % capacity, jnp.minimum(buffer.filled + count, capacity))


class _Later(NamedTuple):
    """What is known about the next position of each game, or of each sideline, while time runs backwards."""

    returns: Array
    value: Array
    exists: Array  # bool


def compute_targets(buffer: ReplayBuffer, td_lambda: Array) -> Targets:
    """Compute TD(lambda) returns backwards in time: G = s ((1 - lambda) V' + lambda G').

    G is the result where the game ends, and the search's value V after a random move, for the last position of a
    sideline and for the newest position of a game.
    """
    stored = buffer.transitions
    capacity, boards = stored.value.shape
    times = (buffer.head - 1 - jnp.arange(capacity)) % capacity  # newest first

    def step_back(
        carry: tuple[_Later, _Later, Array], time: Array
    ) -> tuple[tuple[_Later, _Later, Array], tuple[Array, Array]]:
        game, sideline, next_end = carry
        value, over, is_sideline = stored.value[time], stored.over[time], stored.is_sideline[time]
        later = select_boards(is_sideline, sideline, game)
        blend = stored.sign[time] * ((1 - td_lambda) * later.value + td_lambda * later.returns)
        returns = jnp.where(over, stored.result[time], jnp.where(later.exists, blend, value))
        returns = jnp.where(stored.is_random[time], value, returns)
        end = jnp.where(over & ~is_sideline, time, next_end)
        here = _Later(returns, value, jnp.ones_like(over))
        game = select_boards(is_sideline, game, here)
        sideline = here._replace(exists=is_sideline)
        return (game, sideline, end), (returns, jnp.where(is_sideline, -1, end))

    nothing = _Later(jnp.zeros(boards), jnp.zeros(boards), jnp.zeros(boards, bool))
    _, (returns, end) = jax.lax.scan(step_back, (nothing, nothing, jnp.full(boards, -1, jnp.int32)), times)
    return Targets(jnp.zeros_like(returns).at[times].set(returns), jnp.zeros_like(end).at[times].set(end))
