"""Tests of the command ladder: add, run, show, remove, resume, error messages and kill -9."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fourfall.arena.store import Store
from tests.cli.conftest import Fourfall

FAST = ("seed-000?simulations=4", "seed-002?simulations=4", "level-2")


def test_ladder_is_run_and_shown(fourfall: Fourfall, tmp_path: Path) -> None:
    """Agents are added, play, are shown with ratings and history, and the other commands know their games."""
    (tmp_path / "bot.py").write_text("def play(board, limit):\n    return 99\n", encoding="utf-8")
    done = fourfall("ladder", "create", "--board", "6x7", "--name", "Class 3")
    assert done.returncode == 0, done.stderr
    done = fourfall("ladder", "add", *FAST)
    assert "3 active agents; start the ladder: fourfall ladder run" in done.stdout, done.stderr
    done = fourfall("ladder", "add", "python:bot.py", "--time", "1")
    assert f"Added bot (python:{tmp_path / 'bot.py'})" in done.stdout, done.stderr
    done = fourfall("ladder", "run", "--games", "16", "--workers", "1")
    assert done.returncode == 0, done.stderr
    assert "bot is suspended: it lost its last 4 games by failures" in done.stdout
    assert f"reproduce with: fourfall ask python:{tmp_path / 'bot.py'}" in done.stdout
    shown = json.loads(fourfall("ladder", "show", "--json", "--history").stdout)
    assert (shown["name"], shown["state"], len(shown["agents"])) == ("Class 3", "stopped", 4)
    assert [row["state"] for row in shown["agents"]] == ["active"] * 3 + ["suspended"]
    assert shown["agents"][-1]["suspension"]["ending"] == "illegal move"
    assert shown["history"][-1]["pairs"] == shown["pairs"]
    text = fourfall("ladder", "show", "--history").stdout
    for words in (
        "Class 3, event 1:",
        "Elo to mean (95 %)",
        "suspended, 4 failures",
        "reproduce with:",
        "Ratings after 2 to",
    ):
        assert words in text
    assert "Removed level-2; its games are kept." in fourfall("ladder", "remove", "level-2").stdout
    assert "bot is active again." in fourfall("ladder", "resume", "bot").stdout
    assert f"{shown['games']} games, stopped" in fourfall("events", "ladder.db", "--event", "1").stdout


def test_ladder_survives_kill(fourfall: Fourfall, tmp_path: Path) -> None:
    """After kill -9 the ladder continues: no game is stored twice, and a half pair is completed."""
    assert fourfall("ladder", "add", *FAST).returncode == 0
    database = tmp_path / "ladder.db"
    program = Path(sys.executable).with_name("fourfall")
    process = subprocess.Popen([program, "ladder", "run", "--workers", "2"], cwd=tmp_path, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 30
    with Store(database, read_only=True) as store:
        while store.get_event().games < 5 and time.monotonic() < deadline:
            time.sleep(0.01)
        process.kill()
        process.wait()
        before = store.get_played_numbers(1)
        done = fourfall("ladder", "run", "--games", "2", "--workers", "1")
        assert done.returncode == 0, done.stderr
        numbers = [record.number for record in store.find_records(1)]
    assert len(before) >= 5
    assert before < set(numbers)
    assert len(numbers) == len(set(numbers))
    assert all(number ^ 1 in numbers for number in numbers)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("add", "library:./missing.so"), "missing.so does not exist"),
        (("add", *FAST, "--name", "x"), "a name can be given only with one address"),
        (("add", "level-2", "--name", "two\nlines"), "name must be one line of text"),
        (("create", "--board", "6x"), "boards.list: '6x'"),
        (("run",), "ladder.db: the database does not exist"),
        (("show", "--db", "arena.db"), "arena.db: the database has no ladder"),
        (("run", "--games", "3"), "3 is odd"),
    ],
)
def test_bad_input(fourfall: Fourfall, tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    """Bad input is one line that says what is wrong, with exit code 2; no ladder is created."""
    with Store(tmp_path / "arena.db"):
        pass
    done = fourfall("ladder", *arguments)
    assert done.returncode == 2
    assert message in " ".join(done.stderr.replace("│", " ").split())
    assert "Traceback" not in done.stderr
    if (tmp_path / "ladder.db").exists():
        with Store(tmp_path / "ladder.db") as store:
            assert store.find_ladder() is None
