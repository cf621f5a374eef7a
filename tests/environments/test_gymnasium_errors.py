"""Tests bad input to the Gymnasium environment: actions, options and missing packages."""

import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import error

from fourfall.agents.base import Conditions
from fourfall.agents.registry import open_agent
from fourfall.environments.gymnasium import ENVIRONMENT_ID, GravityFourEnv
from tests.environments.fixed_play import play_columns, play_first_legal, play_last_legal


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (12, "action 12 is not in the action space: expected an integer from 0 to 11"),
        (-1, "action -1 is not in the action space"),
        (1.5, "action 1.5 is not a column: expected an integer from 0 to 11, not float"),
        ("a", "action 'a' is not a column: .* not str"),
        (None, "action None is not a column"),
        (np.array([1, 2]), r"action array\(\[1, 2\]\) is not a column: .* array of int64 with shape \(2,\)"),
        (np.float32(3), "action .*3.0.* is not a column"),
        (True, "action True is not a column: .* not bool"),
        (np.True_, "action .*True.* is not a column: .* not bool"),
    ],
    ids=repr,
)
def test_action_outside_the_action_space_is_an_error(action: object, message: str) -> None:
    """InvalidAction names the action, and the episode continues."""
    environment = GravityFourEnv("6x7", player=0)
    environment.reset(seed=1)
    with pytest.raises(error.InvalidAction, match=message):
        environment.step(action)
    assert environment.board.ply == 0
    environment.step(np.int64(3))


@pytest.mark.parametrize("action", [3, np.int8(3), np.uint32(3), np.int64(3), np.array(3)], ids=repr)
def test_integers_of_python_and_numpy_are_actions(action: object) -> None:
    """Every kind of integer is a column."""
    environment = GravityFourEnv("6x7", player=0, opponent=play_first_legal)
    environment.reset(seed=1)
    environment.step(action)
    assert environment.board.notation == "6x7:41"


@pytest.mark.parametrize(("action", "detail"), [(3, "column 3 is full"), (7, "column 7 is not on the board")])
def test_illegal_column(action: int, detail: str) -> None:
    """By default an illegal column loses; with illegal_action="raise" it is an error that changes nothing."""
    losing = GravityFourEnv("6x7:444444", player=0)
    losing.reset(seed=1)
    _, reward, terminated, truncated, info = losing.step(action)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert (info["ending"], info["winner"], info["detail"]) == ("illegal move", 1, detail)
    raising = GravityFourEnv("6x7:444444", player=0, illegal_action="raise")
    raising.reset(seed=1)
    with pytest.raises(error.InvalidAction, match=f"action {action} is illegal: {detail}; legal: .0, 1, 2, 4, 5, 6"):
        raising.step(action)
    raising.step(0)


def test_step_before_reset_and_after_the_end() -> None:
    """Both raise ResetNeeded, with and without Gymnasium's wrappers."""
    with pytest.raises(error.ResetNeeded):
        gymnasium.make(ENVIRONMENT_ID).step(0)
    environment = GravityFourEnv("6x7", opponent=play_last_legal, player=0, render_mode="ansi")
    for call in (lambda: environment.step(0), environment.render, environment.action_masks):
        with pytest.raises(error.ResetNeeded, match="there is no game yet; call reset first"):
            call()
    play_columns(environment, [0, 0, 0, 0])
    with pytest.raises(error.ResetNeeded, match=r"the episode is over \(win\); call reset"):
        environment.step(0)


@pytest.mark.parametrize(
    ("options", "kind", "message"),
    [
        ({"board": "6x7@9,9"}, ValueError, "board = '6x7@9,9': .*hole"),
        ({"board": "3x3"}, ValueError, "board = '3x3'"),
        ({"board": "6x7:1212121"}, ValueError, "board = '6x7:1212121': the game is over"),
        ({"board": (6, 7)}, TypeError, r"board = \(6, 7\): expected a position in text .*, not tuple"),
        ({"opponent": "level-3"}, ValueError, "there is no level 'level-3'"),
        ({"opponent": "python:/no/bot.py"}, ValueError, "/no/bot.py"),
        ({"opponent": 5}, TypeError, "opponent = 5: expected an address"),
        ({"opponent": open_agent("program:cat", Conditions())}, TypeError, "give its address instead of the agent"),
        ({"player": 2}, ValueError, "player = 2: expected 0"),
        ({"player": True}, ValueError, "player = True"),
        ({"player": "first"}, ValueError, "player = 'first'"),
        ({"padded": False}, ValueError, "padded = False: random boards have different sizes"),
        ({"padded": "no"}, TypeError, "padded = 'no': expected True or False, not str"),
        ({"illegal_action": "pass"}, ValueError, "illegal_action = 'pass'"),
        ({"render_mode": "svg"}, ValueError, "render_mode = 'svg': expected 'human', 'ansi', 'rgb_array' or None"),
        ({"move_time_s": 0}, ValueError, "move_time_s = 0: expected a number of seconds above 0, at most 86400"),
        ({"move_time_s": float("nan")}, ValueError, "move_time_s = nan"),
        ({"move_time_s": 10**400}, ValueError, "move_time_s = 10{400}: "),
        ({"memory_mb": "1"}, TypeError, "memory_mb = '1': expected an integer from 1 to 1048576, not str"),
        ({"memory_mb": 0}, ValueError, "memory_mb = 0: expected an integer from 1 to 1048576"),
        ({"memory_mb": 2**70}, ValueError, "memory_mb = 1180591620717411303424: "),
        ({"sandbox": None}, TypeError, "sandbox = None"),
        ({"size": 7}, TypeError, "size"),
    ],
    ids=str,
)
def test_wrong_option_is_an_error(options: dict[str, Any], kind: type[Exception], message: str) -> None:
    """Errors name the option and its value."""
    with pytest.raises(kind, match=message):
        GravityFourEnv(**options)


@pytest.mark.parametrize(
    ("options", "kind", "message"),
    [
        ({"size": 7}, ValueError, "options: unknown option 'size'; known: 'board', 'player'"),
        ({"player": 5}, ValueError, "player = 5"),
        ({"board": "6x7@9,9"}, ValueError, "board = '6x7@9,9'"),
        ({"board": "7x7"}, ValueError, "without padding the size of the board is fixed"),
        ({"board": None}, ValueError, "board = None: without padding"),
        (["board"], TypeError, r"options = \['board'\]: expected a dictionary, not list"),
    ],
    ids=str,
)
def test_wrong_reset_option_is_an_error(options: Any, kind: type[Exception], message: str) -> None:  # noqa: ANN401
    """Errors name the option; the environment can be reset afterwards."""
    environment = GravityFourEnv("6x7", padded=False)
    with pytest.raises(kind, match=message):
        environment.reset(options=options)
    environment.reset()


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [
        ("gymnasium", "gymnasium", "gymnasium"),
        ("pettingzoo", "pettingzoo", "pettingzoo"),
        ("openspiel", "pyspiel", "openspiel"),
    ],
)
def test_missing_framework_is_one_line(module: str, package: str, extra: str) -> None:
    """Without the framework the import says what to install; the package itself imports no framework."""
    code = (
        "import sys, fourfall.environments\n"
        "assert not {'gymnasium', 'pettingzoo', 'pyspiel'} & set(sys.modules)\n"
        f"sys.modules[{package!r}] = None\n"
        f"import fourfall.environments.{module}\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 1
    last = result.stderr.splitlines()[-1]
    assert last.startswith("ImportError: the ")
    assert last.endswith(f'needs the package {package}; install it with: pip install "fourfall[{extra}]"')
