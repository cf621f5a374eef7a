"""Owns the tests of ask: a question as the judge asks it, and what came of it."""

import re
import shlex
from pathlib import Path

import pytest

from fourfall.agents.base import Conditions
from fourfall.agents.registry import open_agent
from fourfall.arena.game import ScheduledGame, Seat, play_game
from tests.agents.bots import Bots, FaultyBots
from tests.cli.conftest import Fourfall


def shape(text: str) -> str:
    """Return an output without its times."""
    return re.sub(r"\d+\.\d{3}", "T", text)


def test_a_legal_answer(fourfall: Fourfall) -> None:
    """The move, the time, the score and the verdict are told."""
    result = fourfall("ask", "level-9", "6x7:112233", "--time", "1")
    assert shape(result.stdout) == "start    T s\nmove     4\ntime     T s of 1 s\nscore    wins in 1\nverdict  legal\n"
    assert (result.returncode, result.stderr) == (0, "")


def test_earlier_questions_come_first(fourfall: Fourfall, bots: Bots) -> None:
    """A bot that remembers is led through the whole game, on its own turns only."""
    result = fourfall("ask", bots.addresses["library"], "6x7:44455")
    assert result.returncode == 0
    assert "move     4 (row 2)\n" in result.stdout
    assert result.stdout.endswith("stderr\nquestion 1\nquestion 2\nquestion 3\n")


def test_an_illegal_answer(fourfall: Fourfall, faulty_bots: FaultyBots) -> None:
    """The judge's word on it, and exit code 1."""
    result = fourfall("ask", faulty_bots.library("play-hole"), "9x9@8,4")
    assert "move     5 (row 8)\n" in result.stdout
    assert "verdict  illegal move: row 8, column 5 is the hole\n" in result.stdout
    assert result.returncode == 1


def test_an_earlier_failure_is_shown(fourfall: Fourfall, faulty_bots: FaultyBots) -> None:
    """A bot that does not come as far as the position fails where it fails."""
    result = fourfall("ask", faulty_bots.python("raise_exception"), "6x7:4455")
    assert "verdict  crash at 6x7: exception: KeyError: 'on purpose'\n" in result.stdout
    assert 'raise KeyError("on purpose")' in result.stdout
    assert result.returncode == 1


@pytest.mark.parametrize("mode", ["segfault", "play-hole", "loop"])
def test_a_reproducer_reproduces(fourfall: Fourfall, faulty_bots: FaultyBots, mode: str) -> None:
    """The command in a game's record shows the same failure again."""
    seats = (
        Seat("level", "level-1", Conditions()),
        Seat("bot", faulty_bots.program(mode), Conditions(move_time_s=0.4, memory_mb=300)),
    )
    record = play_game(ScheduledGame(0, 0, seats, "9x9@4,4"), open_agent)
    program, *words = shlex.split(record.reproducer)
    assert program == "fourfall"
    result = fourfall(*words)
    assert result.returncode == 1
    assert f"verdict  {record.ending}: {record.detail.partition(' within')[0]}" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["libary:x.so", "6x7"], "'libary:x.so': unknown kind 'libary'; similar: library"),
        (["library:x.so", "6x7"], "'library:x.so': FOLDER/x.so does not exist"),
        (["seed-02", "6x7"], "there is no preset or level 'seed-02'; similar: seed-002, seed-003, seed-001"),
        (["level-1", "6x7:4x"], "character 6 'x': not a column; this board has 1..7"),
    ],
)
def test_a_mistake_is_one_line(fourfall: Fourfall, tmp_path: Path, arguments: list[str], complaint: str) -> None:
    """Bad input is exit code 2 and nothing is asked."""
    result = fourfall("ask", *arguments)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == f"fourfall: {complaint.replace('FOLDER', str(tmp_path))}\n"


def test_a_finished_game_has_nothing_to_ask(fourfall: Fourfall) -> None:
    """The position is refused."""
    result = fourfall("ask", "level-1", "6x7:1212121")
    assert result.returncode == 2
    assert "the game is over" in result.stderr
