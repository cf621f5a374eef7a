"""Tests of agents of the kind kaggle: how a file is loaded, and the overage time."""

from pathlib import Path

import pytest

from fourfall import Board
from fourfall.agents.base import AgentError, Conditions, Fault
from fourfall.agents.registry import AddressError, check_address, open_agent

CONDITIONS = Conditions(move_time_s=0.3, startup_time_s=30.0)
BOARD = Board.parse("6x7@5,0:44")


def play(folder: Path, source: str, options: str = "", moves: int = 1) -> tuple[list[int], list[float], str]:
    """Ask an agent with this source for moves in one position; return its columns, its times and its stderr."""
    (folder / "bot.py").write_text(source)
    agent = open_agent(f"kaggle:bot.py{options}", CONDITIONS, folder)
    try:
        agent.start(BOARD.copy())
        answers = [agent.play(BOARD.copy()) for _ in range(moves)]
    finally:
        agent.close()
    return [answer.column for answer in answers], [answer.seconds for answer in answers], agent.stderr


def test_last_callable_plays(tmp_path: Path) -> None:
    """Kaggle takes the last callable, whatever its name, also with one parameter; `__file__` does not exist."""
    source = """
def agent(observation, configuration):
    return 1

def helper(observation):
    return 2 + ("__file__" in globals())

numbers = [1, 2]
"""
    assert play(tmp_path, source)[0] == [2]


def test_observation_is_that_of_kaggle(tmp_path: Path) -> None:
    """The position, the time per move and the overage time are given as on Kaggle."""
    source = """
import sys

def agent(observation, configuration):
    assert configuration["actTimeout"] == configuration.timeout == 0.3
    assert (configuration.rows, configuration.columns, configuration.inarow) == (6, 7, 4)
    assert (observation.mark, observation.step, observation.board[38], observation.board[35]) == (1, 2, 1, 3)
    print(observation.remainingOverageTime, file=sys.stderr)
    return 4
"""
    columns, _, stderr = play(tmp_path, source)
    assert (columns, stderr) == ([4], "60.0\n")
    assert play(tmp_path, source, "?overage=7.5")[2] == "7.5\n"


def test_late_moves_use_the_overage_time(tmp_path: Path) -> None:
    """A move after the time per move counts as in time, and the rest of the overage time becomes smaller."""
    source = """
import sys, time

def agent(observation):
    print(observation.remainingOverageTime, file=sys.stderr)
    time.sleep(0.8)
    return 3
"""
    columns, seconds, stderr = play(tmp_path, source, moves=2)
    first, second = map(float, stderr.split())
    assert (columns, max(seconds)) == ([3, 3], 0.3)
    assert first == 60.0
    assert 40 < second < 59.6
    with pytest.raises(AgentError) as failure:
        play(tmp_path, source, "?overage=0.2")
    assert failure.value.fault is Fault.TIMEOUT


def test_file_without_function_is_reported(tmp_path: Path) -> None:
    """The failure says what Kaggle calls; an exception while the file is executed is a failure to load."""
    with pytest.raises(AgentError, match=r"there is no function in bot\.py; Kaggle calls the last function") as failure:
        play(tmp_path, "x = 1\n")
    assert failure.value.fault is Fault.INTERFACE_MISSING
    with pytest.raises(AgentError, match="ZeroDivisionError") as failure:
        play(tmp_path, "1 / 0\n")
    assert failure.value.fault is Fault.CANNOT_LOAD


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("kaggle:none.py", r"'kaggle:none\.py': .*/none\.py does not exist"),
        ("kaggle:.", r"is a folder without the file main\.py"),
        ("kaggle:bot.py?overage=-1", "overage must be a number of seconds from 0 to 86400, not '-1'"),
        ("kaggle:bot.py?time=1", "unknown option 'time'; allowed: overage, read"),
    ],
)
def test_errors_of_addresses(tmp_path: Path, address: str, message: str) -> None:
    """The error names the wrong part."""
    (tmp_path / "bot.py").write_text("def agent(observation):\n    return 0\n")
    with pytest.raises(AddressError, match=message):
        check_address(address, tmp_path)
