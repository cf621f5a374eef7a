"""Tests the example rate_your_bot.py."""

import re
from pathlib import Path

from fourfall.arena.store import Store
from tests.examples.example_runner import run_example
from tests.marks import needs_sandbox


@needs_sandbox
def test_the_bot_gets_a_level(tmp_path: Path) -> None:
    """The example bot plays its games in the sandbox and gets a level; the games are stored."""
    result = run_example("rate_your_bot.py", "--games", "2", "--workers", "1", cwd=tmp_path)
    assert re.search(r"Strength of your bot: .*level \d+ .*95 % confidence", result.stdout)
    with Store(tmp_path / "arena.db", read_only=True) as store:
        records = list(store.find_records(store.get_event().id, agent="my_bot"))
    assert len(records) == 2
    assert all(record.sandboxed and record.culprit is None for record in records)


def test_a_bot_that_makes_no_move_is_reported(tmp_path: Path) -> None:
    """After four failed games the example stops with the command that reproduces the failure."""
    (tmp_path / "broken.py").write_text("def play(board, limit):\n    raise RuntimeError('not finished')\n")
    arguments = ("--bot", "broken.py", "--no-sandbox", "--workers", "1", "--games", "8")
    result = run_example("rate_your_bot.py", *arguments, cwd=tmp_path, expected_code=1)
    assert "fourfall ask python:" in result.stderr
    assert "4 of 8: lost" in result.stdout
    assert "not finished" in result.stdout


def test_a_missing_bot_is_a_usage_error(tmp_path: Path) -> None:
    """The message names the file that does not exist."""
    result = run_example("rate_your_bot.py", "--bot", "missing.py", cwd=tmp_path, expected_code=2)
    assert "missing.py does not exist" in result.stderr
