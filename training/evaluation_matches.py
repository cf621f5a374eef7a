"""Plays evaluation matches between two networks of one size: two games per board, each network starts once."""

from collections.abc import Sequence
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from training.boards import sample_boards
from training.config import BoardRange
from training.gumbel_search import GumbelSearch
from training.network import Weights
from training.rules import SIDE, Position, compute_features, play, select_boards

MAX_PLIES = SIDE * SIDE
OPENING_MOVES = 4
"""Random moves at the start, the same in both games of a pair."""


class MatchScore(NamedTuple):
    """Score of the first network."""

    score: Array  # points divided by games; a draw is half a point
    standard_error: Array  # of the score, over pairs
    draws: Array  # fraction of the games


def play_match(
    first: Weights, second: Weights, key: Array, search: GumbelSearch, ranges: Sequence[BoardRange], pairs: int
) -> MatchScore:
    """Play pairs of games; with 0 simulations the networks play the move with the highest prior."""
    both = jax.tree.map(lambda a, b: jnp.stack([a, b]), first, second)
    boards = sample_boards(key, pairs, ranges)
    position = Position(*(jnp.stack([sets, sets]) for sets in boards))  # [2, pairs, 12]: `first` starts game 0

    def search_moves(game: Array, turn: Array, position: Position) -> Array:
        weights = jax.tree.map(lambda part: part[(game + turn) % 2], both)
        return search.search(weights, key, position, compute_features(position)).action

    def is_running(state: tuple[Array, Position, Array, Array]) -> Array:
        turn, _, over, _ = state
        return (turn < MAX_PLIES) & ~over.all()

    def play_turn(state: tuple[Array, Position, Array, Array]) -> tuple[Array, Position, Array, Array]:
        turn, position, over, result = state
        features = compute_features(position)
        first_moves = ((jnp.arange(2) + turn) % 2 == 0)[:, None]
        ends_now = features.over & ~over
        result = jnp.where(ends_now, jnp.where(first_moves, features.result, -features.result), result)
        over |= features.over
        chosen = jax.lax.map(lambda game: search_moves(game[0], turn, game[1]), (jnp.arange(2), position))
        numbers = jax.random.uniform(jax.random.fold_in(key, turn), (pairs, SIDE))
        random_move = jnp.where(features.safe, numbers, -1).argmax(-1)
        after = play(position, features.landing, jnp.where(turn < OPENING_MOVES, random_move, chosen))
        return turn + 1, select_boards(over, position, after), over, result

    zeros = jnp.zeros((2, pairs))
    *_, result = jax.lax.while_loop(is_running, play_turn, (jnp.int32(0), position, zeros > 0, zeros))
    points = (1 + result.mean(0)) / 2
    return MatchScore(points.mean(), points.std() / jnp.sqrt(pairs), (result == 0).mean())
