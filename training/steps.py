"""Compiled steps of a training run: self-play, replay buffer update, learning, evaluation match."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import Array

from training import learner, replay_buffer, self_play
from training.boards import OFFICIAL
from training.config import RunConfig
from training.evaluation_matches import MatchScore, play_match
from training.gumbel_search import GumbelSearch, make_halving_table
from training.learner import LearnerState
from training.network import Size, Weights
from training.replay_buffer import ReplayBuffer
from training.self_play import Games, Transition

MAX_INITIAL_OPENING = 40
"""Maximum number of random moves in the first game of every board."""

OBSERVED_BATCHES = 16
"""Batches in which a unit that is never positive counts as inactive."""


class Steps:
    """Functions of one configuration, compiled by JAX at their first call."""

    def __init__(self, config: RunConfig) -> None:
        self._config = config
        self._dtype = jnp.dtype(jnp.bfloat16 if config.precision == "bf16" else jnp.float32)
        self._start_games = jax.jit(self._trace_start_games)
        self._create_learner = jax.jit(learner.create_learner, static_argnums=1)
        self._self_play = jax.jit(self._trace_self_play)
        self._prepare_units = jax.jit(self._trace_prepare_units)
        self._learn = jax.jit(self._trace_learn, donate_argnums=0)
        self._match = jax.jit(self._trace_match)
        self.append = jax.jit(replay_buffer.append, donate_argnums=0)

    @property
    def updates_per_iteration(self) -> int:
        """Number of Adam steps in one iteration."""
        play, config = self._config.self_play, self._config.learner
        moves = play.parallel_games * play.moves_per_iteration
        return max(1, round(config.replay_ratio * moves / config.batch_size))

    def start_games(self, key: Array) -> Games:
        """Start all self-play games."""
        games: Games = self._start_games(key)
        return games

    def create_learner(self, key: Array, size: Size) -> LearnerState:
        """Return the state of an untrained network."""
        state: LearnerState = self._create_learner(key, size)
        return state

    def create_buffer(self, weights: Weights, games: Games, key: Array) -> ReplayBuffer:
        """Return an empty replay buffer for this configuration."""
        example = jax.eval_shape(self._self_play, weights, games, key, *self._schedule(1))[1]
        return replay_buffer.create_buffer(example, self._config.learner.buffer_iterations)

    def play_iteration(
        self, weights: Weights, games: Games, key: Array, simulations: int
    ) -> tuple[Games, Transition, dict[str, Array]]:
        """Play one iteration on all boards; return the games, the moves for the replay buffer, and a summary."""
        played: tuple[Games, Transition, dict[str, Array]] = self._self_play(
            weights, games, key, *self._schedule(simulations)
        )
        return played

    def prepare_units(
        self, learners: tuple[LearnerState, ...], buffer: ReplayBuffer, key: Array
    ) -> tuple[tuple[LearnerState, ...], tuple[dict[str, int], ...]]:
        """Prepare the hidden units of all networks; return the networks and the number of restarted units by layer."""
        prepared, counts = self._prepare_units(learners, buffer, key)
        return prepared, tuple({name: int(count) for name, count in each.items()} for each in counts)

    def learn(
        self, learners: tuple[LearnerState, ...], buffer: ReplayBuffer, key: Array, rate: float, td_lambda: float
    ) -> tuple[tuple[LearnerState, ...], Array]:
        """Update all networks for one iteration; return them and the mean losses [network, part]."""
        updated: tuple[tuple[LearnerState, ...], Array] = self._learn(
            learners, buffer, key, jnp.float32(rate), jnp.float32(td_lambda)
        )
        return updated

    def match(self, first: Weights, second: Weights, key: Array, simulations: int) -> MatchScore:
        """Play an evaluation match on official boards."""
        score: MatchScore = self._match(first, second, key, *self._schedule(simulations))
        return score

    def _schedule(self, simulations: int) -> tuple[Array, Array]:
        search = self._config.search
        table = make_halving_table(search.considered_moves, simulations, search.max_simulations)
        return jnp.int32(simulations), jnp.asarray(table)

    def _create_search(self, simulations: Array, table: Array, noise: float) -> GumbelSearch:
        return GumbelSearch(self._config.search, self._dtype, simulations, table, jnp.float32(noise))

    def _trace_start_games(self, key: Array) -> Games:
        return self_play.start_games(key, self._config.self_play, self._config.boards, MAX_INITIAL_OPENING)

    def _trace_self_play(
        self, weights: Weights, games: Games, key: Array, simulations: Array, table: Array
    ) -> tuple[Games, Transition, dict[str, Array]]:
        search = self._create_search(simulations, table, noise=1)
        config = self._config.self_play
        step = partial(self_play.play_step, weights, search, config, self._config.boards)
        games, transitions = jax.lax.scan(step, games, jax.random.split(key, config.moves_per_iteration))
        return games, transitions, self_play.summarise(transitions)

    def _trace_learn(
        self, learners: tuple[LearnerState, ...], buffer: ReplayBuffer, key: Array, rate: Array, td_lambda: Array
    ) -> tuple[tuple[LearnerState, ...], Array]:
        config = self._config.learner
        targets = replay_buffer.compute_targets(buffer, td_lambda)

        def step(learners: tuple[LearnerState, ...], key: Array) -> tuple[tuple[LearnerState, ...], Array]:
            batch = learner.sample_batch(buffer, targets, key, config.batch_size, self._dtype)
            return learner.update_all(learners, batch, config.loss_weights, rate, config.weight_decay, config.ema_rate)

        learners, losses = jax.lax.scan(step, learners, jax.random.split(key, self.updates_per_iteration))
        return learners, losses.mean(0)

    def _trace_prepare_units(
        self, learners: tuple[LearnerState, ...], buffer: ReplayBuffer, key: Array
    ) -> tuple[tuple[LearnerState, ...], tuple[dict[str, Array], ...]]:
        config = self._config.learner
        targets = replay_buffer.compute_targets(buffer, jnp.float32(1))

        def sample_planes(key: Array) -> Array:
            return learner.sample_batch(buffer, targets, key, config.batch_size, self._dtype).planes

        sample_key, restart_key = jax.random.split(key)
        batches = jax.lax.map(sample_planes, jax.random.split(sample_key, OBSERVED_BATCHES))
        prepared = [
            learner.prepare_units(state, size, batches, restart_key)
            for state, size in zip(learners, self._config.networks, strict=True)
        ]
        return tuple(state for state, _ in prepared), tuple(counts for _, counts in prepared)

    def _trace_match(self, first: Weights, second: Weights, key: Array, simulations: Array, table: Array) -> MatchScore:
        search = self._create_search(simulations, table, noise=0)
        return play_match(first, second, key, search, (OFFICIAL,), self._config.match.pairs)
