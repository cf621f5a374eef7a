"""Generates self-play games: one search and one move on all boards at once; finished games are replaced by new ones."""

from collections.abc import Sequence
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from training.boards import sample_boards
from training.config import BoardRange, SelfPlayConfig
from training.gumbel_search import GumbelSearch
from training.network import Weights
from training.rules import Position, compute_features, follow_forced_moves, play, select_boards


class Games(NamedTuple):
    """The games in progress."""

    position: Position
    ply: Array  # int32 [n]
    opening: Array  # int32 [n]: number of random moves at the start of this game


class Transition(NamedTuple):
    """One searched move on every board, as stored in the replay buffer.

    Cell sets are int16 [n, 12]; arrays without a shape in the comment have shape [n].
    """

    own: Array
    opponent: Array
    board: Array
    playable: Array
    policy: Array  # float16 [n, 12]: the improved policy of the search
    value: Array  # float32: the value of the search, for the side to move
    over: Array  # bool: the game ended with this move
    result: Array  # float32: result of the game for the side that moved, 0 unless `over`
    sign: Array  # float32: 1 if the same side moves next on this board, else -1
    is_random: Array  # bool: the move was random, so the later moves say nothing about the value of this position
    ply: Array  # int16
    final_first: Array  # int16 [n, 12]: the first player's stones at the end, if `over`
    final_second: Array  # int16 [n, 12]: the second player's stones at the end, if `over`


def start_games(key: Array, config: SelfPlayConfig, ranges: Sequence[BoardRange], max_opening: int) -> Games:
    """Start all games with 0 to `max_opening` random moves each, so that they do not end at the same time."""
    position = sample_boards(key, config.parallel_games, ranges)
    opening = jax.random.randint(jax.random.fold_in(key, 1), (config.parallel_games,), 0, max_opening + 1)
    return Games(position, jnp.zeros(config.parallel_games, jnp.int32), opening)


def play_step(
    weights: Weights,
    search: GumbelSearch,
    config: SelfPlayConfig,
    ranges: Sequence[BoardRange],
    games: Games,
    key: Array,
) -> tuple[Games, Transition]:
    """Search and play one move on every board, then the forced moves that follow it."""
    search_key, chance_key, move_key, boards_key, opening_key, continue_key = jax.random.split(key, 6)
    count = config.parallel_games
    position, ply = games.position, games.ply
    features = compute_features(position)
    found = search.search(weights, search_key, position, features)
    is_random = (ply < games.opening) | (jax.random.uniform(chance_key, (count,)) < config.random_move_probability)
    random_move = jax.random.categorical(move_key, jnp.where(features.safe, 0.0, -jnp.inf))
    shortcut = jax.random.uniform(continue_key, (count,)) >= config.continue_probability
    after = play(position, features.landing, jnp.where(is_random, random_move, found.action))
    after, features_after, played = follow_forced_moves(after, shortcut, search.config.max_forced_moves)

    proven = (found.proof != 0) & shortcut & (ply >= games.opening)
    sign = jnp.where(played % 2 == 0, -1.0, 1.0)
    over = proven | features_after.over
    result = jnp.where(proven, found.proof, jnp.where(features_after.over, sign * features_after.result, 0))
    first_to_move = ((ply + played) % 2 == 1)[:, None]  # in `after`
    transition = Transition(
        own=position.own.astype(jnp.int16),
        opponent=position.opponent.astype(jnp.int16),
        board=position.board.astype(jnp.int16),
        playable=position.playable.astype(jnp.int16),
        policy=found.policy.astype(jnp.float16),
        value=found.value,
        over=over,
        result=result,
        sign=sign,
        is_random=is_random & ~proven,
        ply=ply.astype(jnp.int16),
        final_first=jnp.where(first_to_move, after.own, after.opponent).astype(jnp.int16),
        final_second=jnp.where(first_to_move, after.opponent, after.own).astype(jnp.int16),
    )
    new_games = _create_new_games(boards_key, opening_key, config, ranges)
    return select_boards(over, new_games, Games(after, ply + 1 + played, games.opening)), transition


def _create_new_games(
    boards_key: Array, opening_key: Array, config: SelfPlayConfig, ranges: Sequence[BoardRange]
) -> Games:
    """Draw a new board and a number of random opening moves for every game."""
    count = config.parallel_games
    length_key, share_key = jax.random.split(opening_key)
    length = jax.random.randint(length_key, (count,), 0, config.max_opening_moves + 1)
    opening = jnp.where(jax.random.uniform(share_key, (count,)) < config.opening_probability, length, 0)
    return Games(sample_boards(boards_key, count, ranges), jnp.zeros(count, jnp.int32), opening)


def summarise(transitions: Transition) -> dict[str, Array]:
    """Return sums and means over one iteration, from which `training.training_run` computes the metrics."""
    over = transitions.over
    first_player_result = jnp.where(transitions.ply % 2 == 0, transitions.result, -transitions.result)
    policy = transitions.policy.astype(jnp.float32)
    return {
        "games": over.sum(),
        "plies": (over * (transitions.ply.astype(jnp.int32) + 1)).sum(),
        "draws": (over & (transitions.result == 0)).sum(),
        "first_player_result": (over * first_player_result).sum(),
        "mean_abs_value": jnp.abs(transitions.value).mean(),
        "policy_entropy": -(policy * jnp.log(policy + 1e-6)).sum(-1).mean(),
    }
