"""Tests of the examples in docs/agents.md: each agent of the page is built as described and plays a game."""

import csv
import re
from pathlib import Path

import pytest

from fourfall.agents.base import Conditions
from fourfall.agents.levels import LEVELS
from fourfall.agents.registry import open_agent
from fourfall.arena.game import ScheduledGame, Seat, play_game
from tests.agents.bots import compile_bot

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "agents.md").read_text()
NUMBERS = ("simulations", "elo", "error")
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
    """The page of the levels lists every level with its preset, its simulations and its rating."""
    page = (DOCS / "levels.md").read_text()
    for name, level in LEVELS.items():
        row = f"| `{name}` | `{level.preset}` | {level.simulations} | {level.elo} | {level.error} |"
        assert row in page, row


def test_the_ratings_of_the_levels_are_those_of_the_calibration() -> None:
    """The package has the ratings that were fitted to the tournament of the levels."""
    with (DOCS.parent / "experiments" / "levels" / "ratings.csv").open(newline="") as file:
        rows = [(row["level"], row["preset"], *(int(row[key]) for key in NUMBERS)) for row in csv.DictReader(file)]
    assert rows == [(name, *level) for name, level in LEVELS.items()]
