"""Generates self-play games: one search and one move on all boards at once; finished games are replaced by new ones.

From some positions of a game a *sideline* is played: it begins with another move than the one played, has a few
searched moves, and then the game continues. A search evaluates many positions beside the best line; sidelines are like
them.
"""

from collections.abc import Sequence
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from training.boards import sample_boards
from training.config import BoardRange, SelfPlayConfig
from training.gumbel_search import GumbelSearch
from training.network import Weights
from training.rules import Features, Position, compute_features, follow_forced_moves, play, select_boards

SIDELINE_RANDOM_PROBABILITY = 0.5
"""Fraction of random moves in sidelines after the first one, which is always random."""


class Games(NamedTuple):
    """The games in progress."""

    position: Position
    ply: Array  # int32 [n]
    opening: Array  # int32 [n]: number of random moves at the start of this game
    main: Position  # the position at which the game continues after the sideline
    main_ply: Array  # int32 [n]: its ply
    sideline: Array  # int32 [n]: searched moves left in the sideline; 0 in the game itself


class Transition(NamedTuple):
    """One searched move on every board, in a game or in a sideline, as stored in the replay buffer.

    Cell sets are int16 [n, 12]; arrays without a shape in the comment have shape [n].
    """

    own: Array
    opponent: Array
    board: Array
    playable: Array
    policy: Array  # float16 [n, 12]: the improved policy of the search
    value: Array  # float32: the value of the search, for the side to move
    over: Array  # bool: the game, or the sideline's, ended with this move
    result: Array  # float32: its result for the side that moved, 0 unless `over`
    sign: Array  # float32: 1 if the same side moves next on this board, else -1
    is_random: Array  # bool: the move was random, so the later moves say nothing about the value of this position
    is_sideline: Array  # bool: the position is in a sideline
    ply: Array  # int16
    final_first: Array  # int16 [n, 12]: the first player's stones at the end, if `over`
    final_second: Array  # int16 [n, 12]: the second player's stones at the end, if `over`


def start_games(key: Array, config: SelfPlayConfig, ranges: Sequence[BoardRange], max_opening: int) -> Games:
    """Start all games with 0 to `max_opening` random moves each, so that they do not end at the same time."""
    position = sample_boards(key, config.parallel_games, ranges)
    opening = jax.random.randint(jax.random.fold_in(key, 1), (config.parallel_games,), 0, max_opening + 1)
    return _create_games(position, opening)


def play_step(
    weights: Weights,
    search: GumbelSearch,
    config: SelfPlayConfig,
    ranges: Sequence[BoardRange],
    games: Games,
    key: Array,
) -> tuple[Games, Transition]:
    """Search and play one move on every board, then the forced moves that follow it."""
    search_key, chance_key, move_key, boards_key, opening_key, continue_key, sideline_key = jax.random.split(key, 7)
    count = config.parallel_games
    position, ply, in_sideline = games.position, games.ply, games.sideline > 0
    features = compute_features(position)
    found = search.search(weights, search_key, position, features)
    chance = jax.random.uniform(chance_key, (count,))
    is_random = (ply < games.opening) | (chance < config.random_move_probability)
    is_random = jnp.where(in_sideline, chance < SIDELINE_RANDOM_PROBABILITY, is_random)
    flat_move = jax.random.categorical(move_key, jnp.where(features.safe, 0.0, -jnp.inf))
    tempered_move = _draw_move(move_key, found.policy, features.safe)
    random_move = jnp.where(in_sideline, tempered_move, flat_move)
    move = jnp.where(is_random, random_move, found.action)
    shortcut = jax.random.uniform(continue_key, (count,)) >= config.continue_probability
    after = play(position, features.landing, move)
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
        is_sideline=in_sideline,
        ply=ply.astype(jnp.int16),
        final_first=jnp.where(first_to_move, after.own, after.opponent).astype(jnp.int16),
        final_second=jnp.where(first_to_move, after.opponent, after.own).astype(jnp.int16),
    )
    continued = games._replace(position=after, ply=ply + 1 + played, sideline=jnp.maximum(games.sideline - 1, 0))
    begins, sidelines = _begin_sidelines(sideline_key, search, config, features, found.policy, move, games, continued)
    resumed = games._replace(position=games.main, ply=games.main_ply, sideline=jnp.zeros_like(games.sideline))
    new_games = _create_new_games(boards_key, opening_key, config, ranges)
    following = select_boards(begins & ~over, sidelines, continued)
    following = select_boards(in_sideline & (over | (games.sideline == 1)), resumed, following)
    return select_boards(over & ~in_sideline, new_games, following), transition


def _begin_sidelines(
    key: Array,
    search: GumbelSearch,
    config: SelfPlayConfig,
    features: Features,
    policy: Array,
    move: Array,
    games: Games,
    continued: Games,
) -> tuple[Array, Games]:
    """Return on which boards a sideline begins, and these sidelines; after them the games are as in `continued`."""
    chance_key, move_key = jax.random.split(key)
    others = features.safe & (jnp.arange(features.safe.shape[1]) != move[:, None])
    first = play(games.position, features.landing, _draw_move(move_key, policy, others))
    enabled = jnp.ones_like(games.ply, bool)
    position, features_there, played = follow_forced_moves(first, enabled, search.config.max_forced_moves)
    begins = jax.random.uniform(chance_key, games.ply.shape) < config.sideline_probability
    begins &= (games.sideline == 0) & (games.ply >= games.opening) & others.any(-1) & ~features_there.over
    sidelines = continued._replace(
        position=position,
        ply=games.ply + 1 + played,
        main=continued.position,
        main_ply=continued.ply,
        sideline=jnp.full_like(games.sideline, config.sideline_moves),
    )
    return begins, sidelines


def _draw_move(key: Array, policy: Array, allowed: Array) -> Array:
    """Draw an allowed move with a probability proportional to policy^u; u is uniform between 0 and 1 for each board."""
    power_key, move_key = jax.random.split(key)
    power = jax.random.uniform(power_key, (policy.shape[0], 1))
    return jax.random.categorical(move_key, jnp.where(allowed, power * jnp.log(policy + 1e-9), -jnp.inf))


def _create_new_games(
    boards_key: Array, opening_key: Array, config: SelfPlayConfig, ranges: Sequence[BoardRange]
) -> Games:
    """Draw a new board and a number of random opening moves for every game."""
    count = config.parallel_games
    length_key, share_key = jax.random.split(opening_key)
    length = jax.random.randint(length_key, (count,), 0, config.max_opening_moves + 1)
    opening = jnp.where(jax.random.uniform(share_key, (count,)) < config.opening_probability, length, 0)
    return _create_games(sample_boards(boards_key, count, ranges), opening)


def _create_games(position: Position, opening: Array) -> Games:
    """Return games that begin at these positions."""
    zeros = jnp.zeros_like(opening)
    return Games(position, zeros, opening, position, zeros, zeros)


def summarise(transitions: Transition) -> dict[str, Array]:
    """Return sums and means over one iteration, from which `training.training_run` computes the metrics."""
    over = transitions.over & ~transitions.is_sideline
    first_player_result = jnp.where(transitions.ply % 2 == 0, transitions.result, -transitions.result)
    policy = transitions.policy.astype(jnp.float32)
    return {
        "games": over.sum(),
        "plies": (over * (transitions.ply.astype(jnp.int32) + 1)).sum(),
        "sideline_positions": transitions.is_sideline.mean(),
        "draws": (over & (transitions.result == 0)).sum(),
        "first_player_result": (over * first_player_result).sum(),
        "mean_abs_value": jnp.abs(transitions.value).mean(),
        "policy_entropy": -(policy * jnp.log(policy + 1e-6)).sum(-1).mean(),
    }
