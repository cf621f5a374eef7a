"""Converts boards of the core to positions of the JAX rules, for comparison."""

import jax
import jax.numpy as jnp

from fourfall import Board
from training import rules
from training.boards import make_empty_boards


def to_position(boards: list[Board]) -> rules.Position:
    """Replay the boards' moves with the JAX rules."""
    holes = [(board.rows - 1 - board.hole[0], board.hole[1]) if board.hole else (-1, -1) for board in boards]
    numbers = [(board.rows, board.cols, *hole) for board, hole in zip(boards, holes, strict=True)]
    position = make_empty_boards(*(jnp.array(column, jnp.int32) for column in zip(*numbers, strict=True)))
    for ply in range(max(board.ply for board in boards)):
        column = jnp.array([board.moves[ply] if ply < board.ply else 0 for board in boards])
        position = _push(position, column, jnp.array([ply < board.ply for board in boards]))
    return position


@jax.jit
def _push(position: rules.Position, column: jax.Array, has_move: jax.Array) -> rules.Position:
    after = rules.play(position, rules.find_landing_cells(position), column)
    return rules.select_boards(has_move, after, position)
