"""Tests of ``fourfall ask``, which requests one move from an agent and prints the judge's verdict."""

import re
import shlex
from pathlib import Path

import pytest

from fourfall.agents.base import Conditions
from fourfall.agents.registry import open_agent
from fourfall.arena.game import ScheduledGame, Seat, play_game
from tests.agents.bots import Bots, FaultyBots
from tests.cli.conftest import Fourfall


def mask_times(text: str) -> str:
    """Replace all times in an output by T."""
    return re.sub(r"\d+\.\d{3}", "T", text)


def test_legal_move_is_printed_with_time_score_and_verdict(fourfall: Fourfall) -> None:
    """The output lists start time, move, time, score and verdict; the exit code is 0."""
    result = fourfall("ask", "level-90", "6x7:112233", "--time", "1")
    assert (
        mask_times(result.stdout)
        == "start    T s\nmove     4\ntime     T s of 1 s\nscore    wins in 1\nverdict  legal\n"
    )
    assert (result.returncode, result.stderr) == (0, "")


def test_earlier_moves_of_the_agent_are_requested_first(fourfall: Fourfall, bots: Bots) -> None:
    """The bot gets every position of the game in which it had to move, in order."""
    result = fourfall("ask", bots.addresses["library"], "6x7:44455")
    assert result.returncode == 0
    assert "move     4 (row 2)\n" in result.stdout
    assert result.stdout.endswith("stderr\nquestion 1\nquestion 2\nquestion 3\n")


def test_illegal_move_is_reported(fourfall: Fourfall, faulty_bots: FaultyBots) -> None:
    """The verdict names the reason; the exit code is 1."""
    result = fourfall("ask", faulty_bots.library("play-hole"), "9x9@8,4")
    assert "move     5 (row 8)\n" in result.stdout
    assert "verdict  illegal move: row 8, column 5 is the hole\n" in result.stdout
    assert result.returncode == 1


def test_failure_at_an_earlier_position_is_reported(fourfall: Fourfall, faulty_bots: FaultyBots) -> None:
    """If the bot fails before the requested position, the verdict names the position of the failure."""
    result = fourfall("ask", faulty_bots.python("raise_exception"), "6x7:4455")
    assert "verdict  crash at 6x7: exception: KeyError: 'on purpose'\n" in result.stdout
    assert 'raise KeyError("on purpose")' in result.stdout
    assert result.returncode == 1


@pytest.mark.parametrize("mode", ["segfault", "play-hole", "loop"])
def test_reproducer_shows_the_same_failure(fourfall: Fourfall, faulty_bots: FaultyBots, mode: str) -> None:
    """The command stored in a record reproduces the failure."""
    seats = (
        Seat("level", "level-2", Conditions()),
        Seat("bot", faulty_bots.program(mode), Conditions(move_time_s=0.4, memory_mb=300)),
    )
    record = play_game(ScheduledGame(0, 0, seats, "9x9@4,4"), open_agent)
    program, *words = shlex.split(record.reproducer)
    assert program == "fourfall"
    result = fourfall(*words)
    assert result.returncode == 1
    assert f"verdict  {record.ending}: {record.detail.partition(' within')[0]}" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["libary:x.so", "6x7"], "'libary:x.so': unknown kind 'libary'; similar: library"),
        (["library:x.so", "6x7"], "'library:x.so': FOLDER/x.so does not exist"),
        (["seed-02", "6x7"], "there is no preset or level 'seed-02'; similar: seed-002, seed-003, seed-001"),
        (["level-2", "6x7:4x"], "character 6 'x': not a column; the columns are 1..7"),
    ],
)
def test_bad_input_prints_one_line(fourfall: Fourfall, tmp_path: Path, arguments: list[str], message: str) -> None:
    """The exit code is 2 and no agent is started."""
    result = fourfall("ask", *arguments)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == f"fourfall: {message.replace('FOLDER', str(tmp_path))}\n"


def test_finished_game_is_rejected(fourfall: Fourfall) -> None:
    """A position at which the game is over is a usage error."""
    result = fourfall("ask", "level-2", "6x7:1212121")
    assert result.returncode == 2
    assert "the game is over" in result.stderr
