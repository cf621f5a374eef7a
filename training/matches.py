"""Owns matches between two networks of one size: pairs of games on one board, each side beginning once."""

from collections.abc import Sequence
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from training.boards import BoardKind, draw
from training.network import Weights
from training.rules import SIDE, Position, choose, look, play
from training.search import Searcher

LONGEST = SIDE * SIDE
OPENING = 4
"""Random moves at the start, the same in both games of a pair."""


class Score(NamedTuple):
    """The first network's share of the points, its standard error over pairs, and the share of draws."""

    share: Array
    error: Array
    draws: Array


def match(
    first: Weights, second: Weights, key: Array, searcher: Searcher, kinds: Sequence[BoardKind], pairs: int
) -> Score:
    """Play pairs of games; with no simulations the networks play their first impressions."""
    both = jax.tree.map(lambda a, b: jnp.stack([a, b]), first, second)
    boards = draw(key, pairs, kinds)
    position = Position(*(jnp.stack([sets, sets]) for sets in boards))  # [2, pairs, 12]: game 0 is begun by `first`

    def moves_of(game: Array, turn: Array, position: Position) -> Array:
        weights = jax.tree.map(lambda part: part[(game + turn) % 2], both)
        return searcher.search(weights, key, position, look(position)).action

    def go_on(state: tuple[Array, Position, Array, Array]) -> Array:
        turn, _, over, _ = state
        return (turn < LONGEST) & ~over.all()

    def turn_of_both(state: tuple[Array, Position, Array, Array]) -> tuple[Array, Position, Array, Array]:
        turn, position, over, result = state
        outlook = look(position)
        first_moves = ((jnp.arange(2) + turn) % 2 == 0)[:, None]
        now = outlook.over & ~over
        result = jnp.where(now, jnp.where(first_moves, outlook.result, -outlook.result), result)
        over |= outlook.over
        chosen = jax.lax.map(lambda game: moves_of(game[0], turn, game[1]), (jnp.arange(2), position))
        dice = jax.random.uniform(jax.random.fold_in(key, turn), (pairs, SIDE))
        by_chance = jnp.where(outlook.safe, dice, -1).argmax(-1)
        played = play(position, outlook.landing, jnp.where(turn < OPENING, by_chance, chosen))
        return turn + 1, choose(over, position, played), over, result

    nothing = jnp.zeros((2, pairs))
    *_, result = jax.lax.while_loop(go_on, turn_of_both, (jnp.int32(0), position, nothing > 0, nothing))
    points = (1 + result.mean(0)) / 2
    return Score(points.mean(), points.std() / jnp.sqrt(pairs), (result == 0).mean())
