"""Tests the opponents of the Gymnasium environment: agents, third-party code and functions, also those that fail."""

import gc
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from gymnasium import error

from fourfall import Board, Limit
from fourfall.agents.base import AgentError, AgentMove, Fault
from fourfall.environments.gymnasium import GravityFourEnv
from fourfall.environments.opponents import OpponentError
from tests.environments.fixed_play import play_columns, play_first_legal
from tests.processes import wait_until


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
