"""Tests of sidelines: games continue where they were left, and the targets of games and sidelines do not mix."""

from functools import partial
from pathlib import Path

import pytest

pytest.importorskip("jax", reason="needs JAX: pip install '.[train]'")

import jax
import jax.numpy as jnp
import numpy as np

from training.config import load_config
from training.gumbel_search import GumbelSearch, make_halving_table
from training.network import Size, initialize_weights
from training.replay_buffer import ReplayBuffer, compute_targets
from training.self_play import Games, Transition, play_step, start_games

CONFIG = load_config(Path(__file__).parents[2] / "training" / "configs" / "toy.toml")
SELF_PLAY = CONFIG.self_play.model_copy(
    update={"sideline_probability": 0.5, "sideline_moves": 2, "random_move_probability": 0.0, "parallel_games": 32}
)


@pytest.fixture(scope="module")
def transitions() -> Transition:
    """Play 24 moves on 32 boards with an untrained network."""
    weights = initialize_weights(jax.random.key(1), Size(8, 1))
    table = jnp.asarray(make_halving_table(CONFIG.search.considered_moves, 4, CONFIG.search.max_simulations))
    search = GumbelSearch(CONFIG.search, jnp.dtype(jnp.float32), jnp.int32(4), table, jnp.float32(1))
    step = partial(play_step, weights, search, SELF_PLAY, CONFIG.boards)

    @jax.jit
    def play(games: Games) -> Transition:
        return jax.lax.scan(step, games, jax.random.split(jax.random.key(2), 24))[1]

    played: Transition = play(start_games(jax.random.key(3), SELF_PLAY, CONFIG.boards, 0))
    return jax.tree.map(np.asarray, played)


def test_game_continues_after_sideline(transitions: Transition) -> None:
    """Without the sidelines, each position of a game contains the stones of the one before; in sidelines, too."""
    sidelines = 0
    stones = transitions.own | transitions.opponent
    for board in range(stones.shape[1]):
        previous, is_over = stones[0, board], bool(transitions.over[0, board])
        for time in range(1, len(stones)):
            now = stones[time, board]
            if transitions.is_sideline[time, board]:
                sidelines += 1
                assert time < 2 or not transitions.is_sideline[time - 2 : time + 1, board].all()
                before = stones[time - 1, board]
                assert (before & now == before).all()
                assert (before != now).any()
                continue
            if not is_over:
                assert (previous & now == previous).all()
                assert (previous != now).any()
            previous, is_over = now, bool(transitions.over[time, board])
    assert sidelines > 100


def test_first_move_of_sideline_differs_from_game(transitions: Transition) -> None:
    """A sideline of two searched moves and the game have the same stones before, but other stones after it."""
    stones = transitions.own | transitions.opponent
    sideline = transitions.is_sideline
    compared = 0
    for time, board in zip(*np.nonzero(sideline[1:-2] & ~sideline[:-3]), strict=True):
        first = time + 1  # of the sideline
        back = first + 2 if sideline[first + 1, board] else first + 1
        assert not sideline[back, board]
        assert (stones[first, board] != stones[back, board]).any()
        compared += 1
    assert compared > 50


def test_targets_of_games_and_sidelines_do_not_mix() -> None:
    """A game won by the side that moves at times 0 and 4; the sideline at times 1 and 2 ends without a result."""
    steps, sideline = 5, [False, True, True, False, False]
    over = [False, False, False, False, True]
    value = [0.1, 0.5, -0.25, -0.2, 0.3]

    def column(numbers: object, dtype: object = jnp.float32) -> jax.Array:
        return jnp.asarray(numbers, dtype)[:, None]

    cells = jnp.zeros((steps, 1, 12), jnp.int16)
    stored = Transition(
        own=cells,
        opponent=cells,
        board=cells,
        playable=cells,
        policy=cells.astype(jnp.float16),
        value=column(value),
        over=column(over, bool),
        result=column([0, 0, 0, 0, 1]),
        sign=column([-1] * steps),
        is_random=column([False] * steps, bool),
        is_sideline=column(sideline, bool),
        ply=column(range(steps), jnp.int16),
        final_first=cells,
        final_second=cells,
    )
    targets = compute_targets(ReplayBuffer(stored, jnp.int32(0), jnp.int32(steps)), jnp.float32(0.5))
    # the game: 1; -(0.5 * 0.3 + 0.5 * 1) = -0.65; -(0.5 * -0.2 + 0.5 * -0.65) = 0.425; the sideline: -0.25; 0.25
    np.testing.assert_allclose(targets.value[:, 0], [0.425, 0.25, -0.25, -0.65, 1.0], atol=1e-6)
    assert targets.end[:, 0].tolist() == [4, -1, -1, 4, 4]
