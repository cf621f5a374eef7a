"""Tests the Gymnasium environment: Gymnasium's own checks, the spaces, rewards, boards and copies."""

import copy
import pickle
import random
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence

from fourfall import Board, Geometry
from fourfall.environments.gymnasium import ENVIRONMENT_ID, GravityFourEnv
from tests.environments.fixed_play import play_columns, play_first_legal, play_last_legal


def play_random_episode(environment: gymnasium.Env[Any, Any], seed: int) -> Iterator[tuple[Any, ...]]:
    """Play an episode with random legal actions; yield what reset and step return."""
    source = random.Random(seed)  # noqa: S311
    result: tuple[Any, ...] = environment.reset(seed=seed)
    yield result
    while len(result) == 2 or not result[2]:
        result = environment.step(source.choice(np.flatnonzero(result[-1]["action_mask"])))
        yield result


@pytest.mark.parametrize("render_mode", [None, "human", "ansi", "rgb_array"])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"board": "6x7", "player": 0},
        {"board": "12x12@11,11", "player": 1, "opponent": "level-10"},
        {"board": "4x5@1,1", "padded": False},
    ],
    ids=str,
)
def test_check_env_passes_without_warnings(options: dict[str, Any], render_mode: str | None) -> None:
    """Gymnasium's checks pass; a warning would fail the test."""
    check_env(gymnasium.make(ENVIRONMENT_ID, render_mode=render_mode, **options).unwrapped)


@pytest.mark.parametrize("seed", range(5))
def test_observations_describe_the_board(seed: int) -> None:
    """Planes and mask agree with the board in every position of random games on official boards."""
    environment = GravityFourEnv()
    for observation, *_, info in play_random_episode(environment, seed):
        board, player = environment.board, environment.player
        assert observation in environment.observation_space
        inside = [(row, col) for row in range(board.rows) for col in range(board.cols)]
        for plane, cells in enumerate(
            [
                [cell for cell in inside if board.stone_at(*cell) == player],
                [cell for cell in inside if board.stone_at(*cell) == 1 - player],
                [board.hole],
                inside,
            ]
        ):
            assert list(zip(*np.nonzero(observation[plane]), strict=True)) == cells
        if not board.is_over:
            assert list(np.flatnonzero(info["action_mask"])) == board.legal_moves
            assert list(np.flatnonzero(environment.action_masks())) == board.legal_moves
            assert environment.action_masks().dtype == np.bool_
            assert board.turn == player


def test_mask_is_not_empty_after_the_end() -> None:
    """The mask of the last observation has all columns of the board, so that a softmax with it is defined."""
    environment = GravityFourEnv("6x7", opponent=play_last_legal, player=0)
    *_, (_, reward, terminated, _, info) = play_columns(environment, [0, 0, 0, 0])
    assert (reward, terminated) == (1.0, True)
    assert list(info["action_mask"]) == [1] * 7 + [0] * 5


def test_rewards_and_ends() -> None:
    """A win gives 1, a loss -1, a draw and other moves 0; the info of the last step says how the game ended."""
    won = play_columns(GravityFourEnv("6x7", opponent=play_last_legal, player=0), [0, 0, 0, 0])
    assert [result[1:4] for result in won] == [(0.0, False, False)] * 3 + [(1.0, True, False)]
    end = won[-1][4]
    assert (end["ending"], end["winner"], end["notation"], end["detail"]) == ("win", 0, "6x7:1717171", "")
    lost = play_columns(GravityFourEnv("6x7", opponent=play_last_legal, player=1), [0, 0, 0])
    assert lost[-1][1:4] == (-1.0, True, False)
    assert (lost[-1][4]["ending"], lost[-1][4]["winner"]) == ("win", 0)


def test_draw_has_reward_zero() -> None:
    """A full board without four in a row ends the episode with reward 0 and no winner."""
    moves = find_draw()
    start = Board.parse("4x4")
    for column in moves[:-1]:
        start.push(column)
    environment = GravityFourEnv(start, opponent=play_first_legal, player=start.turn)
    (result,) = play_columns(environment, [moves[-1]])
    assert result[1:4] == (0.0, True, False)
    assert (result[4]["ending"], result[4]["winner"]) == ("tie", -1)


def find_draw() -> list[int]:
    """Return the columns of a game on 4x4 that ends in a draw."""
    source = random.Random(1)  # noqa: S311
    while True:
        board = Board(4, 4)
        while not board.is_over:
            board.push(source.choice(board.legal_moves))
        outcome = board.outcome()
        if outcome is not None and outcome.is_draw:
            return board.moves


@pytest.mark.parametrize("options", [{}, {"board": "6x7", "opponent": "level-20"}], ids=str)
def test_same_seed_repeats_episodes(options: dict[str, Any]) -> None:
    """The same seed and actions give the same episodes, in another environment too; other seeds give others."""
    environments = [GravityFourEnv(**options) for _ in range(2)]
    first, second, other = (
        list(play_random_episode(environment, seed))
        for environment, seed in [(environments[0], 7), (environments[1], 7), (environments[0], 8)]
    )
    assert len(first) == len(second)
    assert all(data_equivalence(left, right, exact=True) for left, right in zip(first, second, strict=True))
    assert not data_equivalence(first[-1][0], other[-1][0])


def test_engine_varies_between_episodes() -> None:
    """The opponent gets another seed in every episode, so that a learner does not meet the same game again."""
    environment = GravityFourEnv("6x7", opponent="level-2", player=1)
    environment.reset(seed=1)
    moves = set()
    for _ in range(30):
        environment.reset()
        moves.add(environment.board.moves[0])
    assert len(moves) >= 4


def test_player_and_board_options() -> None:
    """`player` fixes the side, "random" gives both; options of reset replace both for one episode."""
    environment = GravityFourEnv("6x7", opponent=play_first_legal)
    environment.reset(seed=1)
    sides = []
    for _ in range(20):
        _, info = environment.reset()
        sides.append(info["player"])
        assert environment.board.ply == environment.player == info["player"]
    assert set(sides) == {0, 1}
    _, info = environment.reset(options={"board": "9x10@4,7:44", "player": 1})
    assert (environment.board.notation, info["player"]) == ("9x10@4,7:441", 1)
    environment.reset(options={"player": 0})
    assert environment.board == Board(6, 7)


@pytest.mark.parametrize("source", ["6x7@2,3", Board.parse("6x7@2,3"), Geometry(6, 7, hole=(2, 3))], ids=type)
def test_board_may_be_text_board_or_geometry(source: str | Board | Geometry) -> None:
    """The start position is given as text, as Board or as Geometry."""
    environment = GravityFourEnv(source, player=0)
    environment.reset(seed=1)
    assert environment.board == Board.parse("6x7@2,3")


def test_without_padding_the_spaces_have_the_size_of_the_board() -> None:
    """Observations and actions have the size of the board."""
    environment = GravityFourEnv("5x6@0,0", padded=False)
    assert environment.observation_space.shape == (4, 5, 6)
    assert environment.action_space == gymnasium.spaces.Discrete(6)


def test_rendering() -> None:
    """Text is the board, pixels show blue and orange stones, and "human" prints."""
    text = GravityFourEnv("6x7:44", player=0, render_mode="ansi")
    text.reset()
    assert text.render() == str(Board.parse("6x7:44"))
    pixels = GravityFourEnv("6x7:44", player=0, render_mode="rgb_array")
    pixels.reset()
    image = pixels.render()
    assert isinstance(image, np.ndarray)
    colors = {tuple(color) for color in image.reshape(-1, 3).tolist()}
    assert {(0, 0x72, 0xB2), (0xCF, 0x5B, 0)} <= colors


def test_human_mode_prints_the_board(capsys: pytest.CaptureFixture[str]) -> None:
    """The board is printed after reset and after every step."""
    environment = GravityFourEnv("4x4", player=0, opponent=play_first_legal, render_mode="human")
    environment.reset()
    environment.step(1)
    assert capsys.readouterr().out == f"{Board(4, 4)}\n\n{Board.parse('4x4:21')}\n\n"


@pytest.mark.parametrize(("mode", "kwargs"), [("sync", {}), ("async", {"context": "spawn"})], ids=["sync", "async"])
def test_vector_environment(mode: str, kwargs: dict[str, str]) -> None:
    """`make_vec` works in one process and in several (without fork, because tests use threads); masks are one array."""
    environments = gymnasium.make_vec(
        ENVIRONMENT_ID, num_envs=2, vectorization_mode=mode, vector_kwargs=kwargs, board="6x7", player=0
    )
    observations, infos = environments.reset(seed=3)
    assert observations.shape == (2, 4, 12, 12)
    for _ in range(30):
        assert infos["action_mask"].shape == (2, 12)
        actions = infos["action_mask"].argmax(axis=1)
        observations, _, _, _, infos = environments.step(actions)
    assert environments.call("player") == (0, 0)  # type: ignore[attr-defined]
    environments.close()


def test_specification_survives_json() -> None:
    """An environment can be created again from its specification in JSON."""
    environment = gymnasium.make(ENVIRONMENT_ID, board="6x7", opponent="level-4")
    assert environment.spec is not None
    again = gymnasium.make(gymnasium.envs.registration.EnvSpec.from_json(environment.spec.to_json()))
    again.reset(seed=1)
    assert again.get_wrapper_attr("board").rows == 6


def test_pickle_and_copy_create_the_same_environment() -> None:
    """A pickled or copied environment has the same options; it must be reset first."""
    environment = GravityFourEnv("5x6@0,0", "level-10", 0, padded=False)
    for again in (pickle.loads(pickle.dumps(environment)), copy.deepcopy(environment)):  # noqa: S301
        assert data_equivalence(environment.reset(seed=3), again.reset(seed=3))
        assert data_equivalence(environment.step(2), again.step(2))
