"""Tests that no command prints terminal codes that come from a bot, a record or a database."""

import json
import re
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from fourfall.arena.judge import Ending
from fourfall.arena.record import EXAMPLE, GameRecord
from fourfall.arena.record_check import check_record
from fourfall.arena.spec import Spec
from fourfall.arena.tables import Grid, format_match
from fourfall.cli.progress import Progress
from tests.cli.conftest import Fourfall

CODES = "\x1b]0;title\x07\x1b[2J\x9b31m\x85\r\x08\u202e\u2066\u200b\x7f"
BOT = f"""
import sys

def play(board, limit):
    sys.stderr.buffer.write({f"line one{CODES}"!r}.encode() + b"\\nline two\\n")
    sys.stderr.flush()
    raise ValueError({f"reason{CODES}"!r})
"""
LEGAL_BOT = f"""
import sys

def play(board, limit):
    sys.stderr.write({f"noise{CODES}"!r})
    sys.stderr.flush()
    return board.legal_moves[0]
"""
NAMES = (f"left{CODES}", f"right{CODES}")
FAILED = replace(
    EXAMPLE,
    group=f"group{CODES}",
    names=NAMES,
    addresses=NAMES,
    moves="11",
    times_ms=(1.0, 2.0, 3.0),
    scores=(None, None),
    ending=Ending.CRASH,
    winner=1,
    culprit=0,
    detail=f"detail{CODES}",
    stderr=f"first{CODES}\nlast{CODES}",
    reproducer=f"fourfall ask {CODES}",
    version=f"1{CODES}",
)
WON = replace(EXAMPLE, number=1, names=NAMES[::-1], group=FAILED.group)


def assert_clean(text: str) -> None:
    """Check that each line of an output is printable."""
    for line in re.split("\n", text):
        assert line.isprintable(), ascii(line)


@pytest.fixture
def imported(fourfall: Fourfall, tmp_path: Path) -> GameRecord:
    """Import two games whose texts contain terminal codes; return the first."""
    for record in (FAILED, WON):
        check_record(record)
    (tmp_path / "games.jsonl").write_text(f"{FAILED.to_json()}\n{WON.to_json()}\n", encoding="utf-8")
    result = fourfall("import", "arena.db", "games.jsonl")
    assert (result.returncode, result.stderr) == (0, "")
    with sqlite3.connect(tmp_path / "arena.db") as connection:
        connection.execute("UPDATE events SET name = ?", [f"event{CODES}"])
    connection.close()
    return FAILED


@pytest.mark.parametrize(
    "arguments",
    [
        ["games"],
        ["games", "--json"],
        ["show", "1", "--all"],
        ["show", "games.jsonl:1", "--all"],
        ["events"],
        ["events", "--json"],
        ["events", "--event", "1"],
        ["events", "--event", "1", "--json"],
        ["export", "games", "arena.db", "-"],
        ["export", "games", "arena.db", "out.jsonl"],
        ["games", "--agent", "lef"],
    ],
    ids=" ".join,
)
def test_texts_of_records_are_cleaned(fourfall: Fourfall, imported: GameRecord, arguments: list[str]) -> None:
    """Names, group, detail, stderr, reproducer, version and the event's name are printed without terminal codes."""
    result = fourfall(*arguments)
    assert "Traceback" not in result.stderr
    assert result.stdout + result.stderr
    assert_clean(result.stdout)
    assert_clean(result.stderr)


def test_exported_games_are_unchanged(fourfall: Fourfall, imported: GameRecord, tmp_path: Path) -> None:
    """An export escapes terminal codes; reading it gives the same record."""
    assert fourfall("export", "games", "arena.db", "out.jsonl").returncode == 0
    text = (tmp_path / "out.jsonl").read_text(encoding="utf-8").split("\n")[0]
    assert_clean(text)
    assert GameRecord.from_json(text) == imported


def test_warning_about_a_damaged_record_is_cleaned(fourfall: Fourfall, imported: GameRecord, tmp_path: Path) -> None:
    """The warning quotes the text of the record without terminal codes."""
    with sqlite3.connect(tmp_path / "arena.db") as connection:
        text = json.dumps(json.loads(imported.to_json()) | {f"unknown{CODES}": 1}, ensure_ascii=False)
        connection.execute("UPDATE games SET record = ? WHERE id = 1", [text])
    connection.close()
    for arguments in (["games"], ["show", "1"]):
        result = fourfall(*arguments)
        assert "game 1 is damaged" in result.stderr
        assert_clean(result.stderr)


@pytest.mark.parametrize("source", [BOT, LEGAL_BOT], ids=["failing", "legal"])
def test_output_of_a_bot_is_cleaned(fourfall: Fourfall, tmp_path: Path, source: str) -> None:
    """Stderr and the text of the exception are printed without terminal codes by every command that runs a bot."""
    (tmp_path / "bot.py").write_text(source, encoding="utf-8")
    asked = fourfall("ask", "python:bot.py", "6x7")
    assert ("reason" if source is BOT else "noise") in asked.stdout
    if source is BOT:
        assert "\nline one" in asked.stdout
        assert "\nline two\n" in asked.stdout
    done = [
        asked,
        fourfall("compete", "python:bot.py", "level-2", "result.txt", "1"),
        fourfall("match", "python:bot.py", "level-2", "--games", "2"),
        fourfall("gauntlet", "python:bot.py", "--field", "level-2", "--field", "level-4", "--games", "2"),
        fourfall("games"),
        fourfall("events", "--event", "1"),
        fourfall("show", "1", "--all"),
    ]
    for result in done:
        assert "Traceback (most recent call last):\n  File" not in result.stderr
        assert result.stdout
        assert_clean(result.stdout)
        assert_clean(result.stderr)


def test_error_message_is_cleaned(fourfall: Fourfall, tmp_path: Path) -> None:
    """A message that quotes a file's text or an argument has one line without terminal codes."""
    (tmp_path / "spec.toml").write_text('[[agents]]\naddress = "a\\u001b[2J\\u009b\\u202e"\n', encoding="utf-8")
    for arguments in (["tournament", "spec.toml"], ["match", f"library:{CODES}.so", "level-2"], ["games", f"x{CODES}"]):
        result = fourfall(*arguments)
        assert result.returncode in (1, 2)
        assert_clean(result.stderr)


def test_progress_and_reports_are_cleaned() -> None:
    """Names in progress lines, titles of tables and reports of matches are cleaned."""
    spec = Spec.match("left", "right", pairs=1)
    assert_clean(Progress(spec, [FAILED, WON]).list_leaders())
    assert all(line.isprintable() for line in format_match([FAILED, WON], *NAMES))
    grid = Grid(("agent",), ((NAMES[0],),), title=f"title{CODES}")
    assert all(line.isprintable() for line in grid.to_lines())
    assert str(grid.to_rich().title).isprintable()
