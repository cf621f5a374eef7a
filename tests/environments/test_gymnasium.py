"""Tests the Gymnasium environment: Gymnasium's own checks, the spaces, rewards, opponents and bad input."""

import copy
import gc
import os
import pickle
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import error
from gymnasium.utils.env_checker import check_env, data_equivalence

from fourfall import Board, Geometry, Limit
from fourfall.agents.base import AgentError, AgentMove, Conditions, Fault
from fourfall.agents.registry import open_agent
from fourfall.environments.gymnasium import ENVIRONMENT_ID, GravityFourEnv
from fourfall.environments.opponents import OpponentError
from tests.processes import wait_until


def play_first_legal(board: Board) -> int:
    """Play the first column that is not full."""
    return board.legal_moves[0]


def play_last_legal(board: Board) -> int:
    """Play the last column that is not full."""
    return board.legal_moves[-1]


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


def play_columns(environment: GravityFourEnv, columns: list[int]) -> list[tuple[Any, ...]]:
    """Begin an episode and play columns; return what step returns."""
    environment.reset(seed=1)
    return [environment.step(column) for column in columns]


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


class Recorder:
    """An agent that plays the first legal column and counts its games."""

    stderr = ""

    def __init__(self) -> None:
        self.starts = self.closes = 0

    def start(self, board: Board) -> float:
        """Count a game."""
        self.starts += 1
        return 0.0

    def play(self, board: Board, limit: Limit | None = None) -> AgentMove:
        """Play the first legal column."""
        return AgentMove(board.legal_moves[0], 0.0)

    def stop(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Count the end."""
        self.closes += 1


def test_agent_as_opponent() -> None:
    """An agent object plays all episodes: it is started for each of them and not closed."""
    agent = Recorder()
    environment = GravityFourEnv("6x7", opponent=agent, player=0)
    for _ in range(2):
        play_columns(environment, [3])
    environment.close()
    assert (environment.board.notation, agent.starts, agent.closes) == ("6x7:41", 2, 0)


def test_agent_that_cannot_start_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault in `start` is an OpponentError that names the agent."""

    def fail(self: Recorder, board: Board) -> float:
        raise AgentError(Fault.TIMEOUT, "no answer")

    monkeypatch.setattr(Recorder, "start", fail)
    with pytest.raises(OpponentError, match="the opponent 'Recorder' cannot start: timeout: no answer"):
        GravityFourEnv("6x7", opponent=Recorder()).reset()


def test_third_party_opponent(tmp_path: Path) -> None:
    """A Python file plays in the sandbox, where it cannot write files; a later exception loses the game."""
    bot = tmp_path / "bot.py"
    bot.write_text(
        "def play(board, limit):\n"
        "    if board.ply > 2:\n"
        "        raise ValueError('broken')\n"
        "    try:\n"
        f"        open({str(tmp_path / 'written')!r}, 'w')\n"
        "    except OSError:\n"
        "        return 5\n"
        "    return 0\n"
    )
    environment = GravityFourEnv("6x7", opponent=f"python:{bot}", player=0)
    first, second = play_columns(environment, [3, 3])
    environment.close()
    assert first[1:3] == (0.0, False)
    assert environment.board.notation == "6x7:464"
    assert second[1:3] == (1.0, True)
    assert second[4]["ending"] == "crash"
    assert "broken" in second[4]["detail"]


def find_children() -> set[int]:
    """Return the child processes of this process."""
    listings = Path(f"/proc/{os.getpid()}/task").glob("*/children")
    return {int(child) for listing in listings for child in listing.read_text().split()}


def test_opponent_ends_with_the_environment(tmp_path: Path) -> None:
    """The process of a third-party opponent ends when the environment is deleted without close."""
    bot = tmp_path / "bot.py"
    bot.write_text("def agent(observation, configuration):\n    return 0\n")
    environment = GravityFourEnv("6x7", opponent=f"python:{bot}", player=0)
    before = find_children()
    environment.reset(seed=1)
    opponent = find_children() - before
    assert opponent
    del environment
    gc.collect()
    assert wait_until(lambda: not find_children() & opponent)


def test_opponent_that_fails_before_the_first_move_is_an_error(tmp_path: Path) -> None:
    """An opponent that cannot start, or that fails before the learner has moved, raises OpponentError in reset."""
    missing = tmp_path / "missing.py"
    missing.write_text("import no_such_module\n")
    with pytest.raises(OpponentError, match=r"cannot start: cannot load: .*no_such_module"):
        GravityFourEnv("6x7", opponent=f"python:{missing}").reset()
    illegal = tmp_path / "illegal.py"
    illegal.write_text("def play(board, limit):\n    return 99\n")
    with pytest.raises(OpponentError, match="failed at its first move: illegal move: column 100 is not on the board"):
        GravityFourEnv("6x7", opponent=f"python:{illegal}", player=1).reset()


def test_start_that_the_opponent_ends_is_an_error() -> None:
    """A position in which the opponent wins with its first move leaves no episode to the learner."""
    environment = GravityFourEnv("6x7:121212", opponent=play_first_legal, player=1)
    with pytest.raises(ValueError, match="board = '6x7:121212': the opponent's first move ends the game"):
        environment.reset()


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
    ("function", "message"),
    [
        (lambda board: 9, "the opponent's function returned 9 on 6x7: column 9 is off the board"),
        (lambda board: "a", "the opponent's function returned 'a' on 6x7: not an integer"),
    ],
)
def test_wrong_move_of_a_function_is_an_error(function: Callable[[Board], Any], message: str) -> None:
    """A function of the caller that returns no legal column is an error of the caller, not a win."""
    with pytest.raises(ValueError, match=message):
        GravityFourEnv("6x7", opponent=function, player=1).reset()


def test_exception_of_a_function_takes_the_step_back() -> None:
    """After an exception of the opponent the learner is still to move; after one in reset there is no game."""

    def play_once(board: Board) -> int:
        if board.ply != 1:
            raise KeyError("no move")
        return 0

    environment = GravityFourEnv("6x7", opponent=play_once, player=0)
    environment.reset(seed=1)
    environment.step(3)
    with pytest.raises(KeyError):
        environment.step(3)
    assert environment.board.notation == "6x7:41"
    with pytest.raises(KeyError):
        environment.reset(options={"player": 1})
    with pytest.raises(error.ResetNeeded):
        environment.step(3)


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
