"""Tests the PettingZoo environment: PettingZoo's own tests, the observations, rewards and bad input."""

import pickle
import random
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test

from fourfall import Board
from fourfall.environments.pettingzoo import ENVIRONMENT_ID, env, parallel_env, raw_env

BOARDS: list[dict[str, Any]] = [{}, {"board": "6x7"}, {"board": "4x5@1,1:33", "padded": False}]

# api_test expects dictionaries only of PettingZoo's own board games, which it knows by their names.
for_dictionaries = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
]


def with_marks(function: Any) -> Any:  # noqa: ANN401
    """Apply the filters of warnings to a test."""
    for mark in for_dictionaries:
        function = mark(function)
    return function


@with_marks
@pytest.mark.parametrize("options", BOARDS, ids=str)
@pytest.mark.parametrize("create", [env, raw_env], ids=["env", "raw_env"])
def test_api(create: Any, options: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:  # noqa: ANN401
    """PettingZoo's api_test passes, without a warning about anything but the dictionary."""
    api_test(create(**options), num_cycles=200)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("options", BOARDS, ids=str)
def test_seed(options: dict[str, Any]) -> None:
    """PettingZoo's seed_test passes."""
    seed_test(lambda: env(**options), num_cycles=100)


@pytest.mark.parametrize("options", BOARDS, ids=str)
def test_render(options: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    """PettingZoo's render_test passes; "human" prints the board."""
    render_test(lambda render_mode: env(render_mode=render_mode, **options))
    assert " 0 " in capsys.readouterr().out


@pytest.mark.parametrize("options", BOARDS, ids=str)
def test_parallel(options: dict[str, Any]) -> None:
    """PettingZoo's tests of parallel environments pass."""
    parallel_api_test(parallel_env(**options), num_cycles=100)
    parallel_seed_test(lambda: parallel_env(**options), num_cycles=100)


@pytest.mark.parametrize("options", [{}, {"board": "6x7"}], ids=str)
def test_random_games_agree_with_the_board(options: dict[str, Any]) -> None:
    """Masks, planes, turns and rewards agree with the board in random games."""
    source = random.Random(1)  # noqa: S311
    environment = env(**options)
    for seed in range(10):
        environment.reset(seed=seed)
        rewards: dict[str, float] = {}
        for agent in environment.agent_iter():
            observation, reward, terminated, truncated, _ = environment.last()
            board: Board = environment.unwrapped.board
            player = int(agent[-1])
            planes = observation["observation"]
            assert [int(planes[plane].sum()) for plane in (2, 3)] == [board.hole is not None, board.rows * board.cols]
            cells = [(row, col) for row in range(board.rows) for col in range(board.cols)]
            assert all((planes[0][cell] == 1) == (board.stone_at(*cell) == player) for cell in cells)
            assert all((planes[1][cell] == 1) == (board.stone_at(*cell) == 1 - player) for cell in cells)
            assert not truncated
            assert terminated == board.is_over
            if terminated:
                rewards[agent] = reward
                environment.step(None)
                continue
            assert reward == 0
            assert player == board.turn
            assert list(np.flatnonzero(observation["action_mask"])) == board.legal_moves
            assert not environment.observe(f"player_{1 - player}")["action_mask"].any()
            environment.step(source.choice(board.legal_moves))
        outcome = board.outcome()
        assert outcome is not None
        expected = {None: (0, 0), 0: (1, -1), 1: (-1, 1)}[outcome.winner]
        assert (rewards["player_0"], rewards["player_1"]) == expected


def test_seed_determines_the_random_boards() -> None:
    """Boards follow from the seed; without a seed the next one of the same sequence comes."""
    boards = []
    environment = env()
    for seed in [5, None, None, 5, None, None]:
        environment.reset(seed=seed)
        boards.append(environment.unwrapped.board.notation)
    assert boards[:3] == boards[3:]
    assert len(set(boards)) == 3


def test_environment_is_registered() -> None:
    """`pettingzoo.make` creates both kinds."""
    for kind in ("aec", "parallel"):
        environment = pettingzoo.make(kind, ENVIRONMENT_ID, board="6x7")
        environment.reset(seed=1)
        assert environment.unwrapped.board == Board(6, 7)


def test_raw_environment_can_be_pickled() -> None:
    """A pickled environment has the same options."""
    environment = pickle.loads(pickle.dumps(raw_env("5x6@0,0", padded=False)))  # noqa: S301
    environment.reset()
    assert environment.observe("player_0")["observation"].shape == (4, 5, 6)


def test_opening_and_reset_option() -> None:
    """A start position may contain moves; reset takes another one and ignores options that it does not know."""
    environment = env("6x7:444")
    environment.reset()
    assert environment.agent_selection == "player_1"
    environment.reset(options={"board": "9x9@2,0:1", "speed": 3})
    assert environment.unwrapped.board.notation == "9x9@2,0:1"


@pytest.mark.parametrize("action", [12, -1, 1.5, True, "a", None, np.array([1])], ids=repr)
def test_action_outside_the_action_space_is_an_error(action: object) -> None:
    """AssertionError names the player and the action, and the game continues."""
    environment = env("6x7")
    environment.reset()
    with pytest.raises(AssertionError, match=r"player_0: action .* is not") as failure:
        environment.step(action)
    assert str(action) in str(failure.value) or repr(action) in str(failure.value)
    environment.step(np.int32(3))
    assert environment.unwrapped.board.notation == "6x7:4"


@pytest.mark.parametrize("action", [3, 7])
def test_illegal_column_loses(action: int) -> None:
    """A full column, or one that is not on the board, ends the game with -1 for the player; raw_env raises an error."""
    environment = env("6x7:444444")
    environment.reset()
    environment.step(action)
    assert environment.rewards == {"player_0": -1.0, "player_1": 0}
    assert all(environment.terminations.values())
    raw = raw_env("6x7:444444")
    raw.reset()
    with pytest.raises(ValueError, match=f"column {action} is"):
        raw.step(action)
    assert raw.agent_selection == "player_0"


def test_wrong_order_of_calls() -> None:
    """Steps before reset and actions after the end are the errors that PettingZoo's users know."""
    with pytest.raises(AssertionError, match=r"reset\(\) needs to be called before step"):
        env().step(0)
    with pytest.raises(RuntimeError, match="there is no game yet; call reset first"):
        raw_env().step(0)
    environment = env("6x7:121212")
    environment.reset()
    environment.step(0)
    with pytest.raises(ValueError, match="the only valid action is None"):
        environment.step(0)
    environment.step(None)
    environment.step(None)
    with pytest.raises(RuntimeError, match="the game is over and both players have left it; call reset"):
        environment.unwrapped.step(0)


@pytest.mark.parametrize(
    ("options", "kind", "message"),
    [
        ({"board": "6x7@6,0"}, ValueError, "board = '6x7@6,0': .*hole"),
        ({"board": 7}, TypeError, "board = 7: expected a position in text"),
        ({"padded": False}, ValueError, "padded = False: random boards have different sizes"),
        ({"padded": 1}, TypeError, "padded = 1: expected True or False, not int"),
        ({"render_mode": "svg"}, ValueError, "render_mode = 'svg'"),
        ({"size": 7}, TypeError, "size"),
    ],
    ids=str,
)
def test_wrong_option_is_an_error(options: dict[str, Any], kind: type[Exception], message: str) -> None:
    """Errors name the option and its value."""
    with pytest.raises(kind, match=message):
        env(**options)


def test_wrong_reset_option_is_an_error() -> None:
    """Options must be a dictionary, and a board must fit without padding."""
    environment = env("6x7", padded=False)
    with pytest.raises(TypeError, match="options = 5: expected a dictionary, not int"):
        environment.reset(options=5)
    with pytest.raises(ValueError, match="board = '7x7': without padding the size of the board is fixed"):
        environment.reset(options={"board": "7x7"})
    environment.reset()
    with pytest.raises(ValueError, match="agent = 'player_2': the players are 'player_0' and 'player_1'"):
        environment.observe("player_2")
