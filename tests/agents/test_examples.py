"""Tests of the examples in docs/agents.md: each agent of the page is built as described and plays a game."""

import re
from pathlib import Path

import pytest

from fourfall.agents.base import Conditions
from fourfall.agents.levels import LEVELS
from fourfall.agents.registry import open_agent
from fourfall.arena.game import ScheduledGame, Seat, play_game
from tests.agents.bots import compile_bot

PAGE = (Path(__file__).parents[2] / "docs" / "agents.md").read_text()
LIBRARY, PROGRAM, PYTHON, KAGGLE = re.findall(r"```(?:cpp|python)\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize(
    ("source", "file", "address"),
    [
        (LIBRARY, "bot.cpp", "library:bot.so"),
        (PROGRAM, "bot.py", "program:python3 bot.py"),
        (PYTHON, "bot.py", "python:bot.py"),
        (KAGGLE, "bot.py", "python:bot.py:agent"),
    ],
    ids=["library", "program", "python", "kaggle"],
)
def test_an_example_plays_a_game(tmp_path: Path, source: str, file: str, address: str) -> None:
    """The example is complete and plays a whole game without a fault."""
    (tmp_path / file).write_text(source)
    if file == "bot.cpp":
        compile_bot(str(tmp_path / file), tmp_path / "bot.so")
    seats = (Seat("bot", address, Conditions()), Seat("level", "level-2", Conditions(seed=1)))
    record = play_game(
        ScheduledGame(0, 0, seats, "9x10@8,4"), lambda name, conditions: open_agent(name, conditions, tmp_path)
    )
    assert record.culprit is None, record.detail + record.stderr


def test_the_table_of_levels_is_complete() -> None:
    """The page lists every level with its preset and its simulations."""
    for name, level in LEVELS.items():
        assert f"| `{name}` | `{level.preset}` | {level.simulations} |" in PAGE
