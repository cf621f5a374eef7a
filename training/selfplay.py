"""Owns the games that the network learns from: all boards move at once, finished ones are replaced by fresh ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from training.boards import BoardKind, draw
from training.network import Weights
from training.rules import Position, choose, look, play, settle
from training.search import Searcher


@dataclass(frozen=True)
class SelfPlaySettings:
    """How games are played."""

    boards: int
    """Games at once."""
    moves: int
    """Moves on every board in one iteration."""
    opening_share: float = 0.5
    """The share of games that begin with random moves."""
    opening_moves: int = 6
    """At most so many of them."""
    random_moves: float = 0.01
    """The share of later moves that are random."""
    play_on: float = 0.1
    """The share of only moves that are searched all the same, and of proved positions that are played on."""


class Games(NamedTuple):
    """The games in progress."""

    position: Position
    ply: Array  # int32 [n]
    opening: Array  # int32 [n]: random moves at the start of this game


class Move(NamedTuple):
    """What is kept of one move on every board; cell sets are int16 [n, 12], the rest has shape [n] or as said."""

    mine: Array
    theirs: Array
    board: Array
    playable: Array
    policy: Array  # float16 [n, 12]: the search's improved policy
    value: Array  # float32: the search's value, for the side to move
    over: Array  # bool: the game ended with this move
    result: Array  # float32: its result for the side that made the move, 0 unless it is over
    sign: Array  # float32: 1 if the side that moves next on this board is the same, else -1
    broken: Array  # bool: the move was random, so what followed says nothing about this position
    ply: Array  # int16
    end_first: Array  # int16 [n, 12]: stones of the first player at the end, where the game is over
    end_second: Array


def begin(key: Array, settings: SelfPlaySettings, kinds: Sequence[BoardKind], spread: int) -> Games:
    """Start all games, each after a different number of random moves so that they do not march in step."""
    position = draw(key, settings.boards, kinds)
    opening = jax.random.randint(jax.random.fold_in(key, 1), (settings.boards,), 0, spread + 1)
    return Games(position, jnp.zeros(settings.boards, jnp.int32), opening)


def step(
    weights: Weights,
    searcher: Searcher,
    settings: SelfPlaySettings,
    kinds: Sequence[BoardKind],
    games: Games,
    key: Array,
) -> tuple[Games, Move]:
    """Make one move on every board."""
    for_search, for_chance, for_random, for_boards, for_opening, for_play_on = jax.random.split(key, 6)
    count = settings.boards
    position, ply = games.position, games.ply
    outlook = look(position)
    found = searcher.search(weights, for_search, position, outlook)
    by_chance = (ply < games.opening) | (jax.random.uniform(for_chance, (count,)) < settings.random_moves)
    random_move = jax.random.categorical(for_random, jnp.where(outlook.safe, 0.0, -jnp.inf))
    hurries = jax.random.uniform(for_play_on, (count,)) >= settings.play_on
    after = play(position, outlook.landing, jnp.where(by_chance, random_move, found.action))
    after, seen, made = settle(after, hurries, searcher.settings.only_moves)

    proved = (found.proof != 0) & hurries & (ply >= games.opening)
    sign = jnp.where(made % 2 == 0, -1.0, 1.0)
    over = proved | seen.over
    result = jnp.where(proved, found.proof, jnp.where(seen.over, sign * seen.result, 0))
    first_to_move = ((ply + made) % 2 == 1)[:, None]  # after the move and the only moves that followed it
    move = Move(
        mine=position.mine.astype(jnp.int16),
        theirs=position.theirs.astype(jnp.int16),
        board=position.board.astype(jnp.int16),
        playable=position.playable.astype(jnp.int16),
        policy=found.policy.astype(jnp.float16),
        value=found.value,
        over=over,
        result=result,
        sign=sign,
        broken=by_chance & ~proved,
        ply=ply.astype(jnp.int16),
        end_first=jnp.where(first_to_move, after.mine, after.theirs).astype(jnp.int16),
        end_second=jnp.where(first_to_move, after.theirs, after.mine).astype(jnp.int16),
    )
    by_length, by_share = jax.random.split(for_opening)
    length = jax.random.randint(by_length, (count,), 0, settings.opening_moves + 1)
    opening = jnp.where(jax.random.uniform(by_share, (count,)) < settings.opening_share, length, 0)
    fresh = Games(draw(for_boards, count, kinds), jnp.zeros_like(ply), opening)
    return choose(over, fresh, Games(after, ply + 1 + made, games.opening)), move


def summary(moves: Move) -> dict[str, Array]:
    """Return sums over one iteration, from which the curves are made; see `training.progress`."""
    over = moves.over
    first = jnp.where(moves.ply % 2 == 0, moves.result, -moves.result)
    policy = moves.policy.astype(jnp.float32)
    return {
        "games": over.sum(),
        "plies": (over * (moves.ply.astype(jnp.int32) + 1)).sum(),
        "draws": (over & (moves.result == 0)).sum(),
        "first": (over * first).sum(),
        "certainty": jnp.abs(moves.value).mean(),
        "entropy": -(policy * jnp.log(policy + 1e-6)).sum(-1).mean(),
    }
