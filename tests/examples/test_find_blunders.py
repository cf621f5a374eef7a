"""Tests the example find_blunders.py."""

from pathlib import Path

from fourfall.arena.jsonl import write_games
from fourfall.arena.record import EXAMPLE
from fourfall.arena.store import Store
from tests.examples.example_runner import run_example


def test_blunders_in_json_lines(tmp_path: Path) -> None:
    """A move that allows a double threat is listed with the best move and the win chances."""
    write_games(tmp_path / "games.jsonl", [EXAMPLE])
    output = run_example("find_blunders.py", "games.jsonl", "--simulations", "50", cwd=tmp_path).stdout
    assert output.startswith("game 1 of the file, left (blue) against right (orange): left won")
    assert "move 6: column 3 instead of 4" in output
    assert "fourfall analyse 6x7:11223" in output


def test_blunders_of_one_player_in_a_database(tmp_path: Path) -> None:
    """Only the moves of the named player are listed; the same game in a database gives the same blunders."""
    with Store(tmp_path / "arena.db") as store:
        store.import_games("games", [EXAMPLE])
    first, second = EXAMPLE.names
    arguments = ("arena.db", "--simulations", "50", "--player", second)
    output = run_example("find_blunders.py", *arguments, cwd=tmp_path).stdout
    assert f"  {second}, move 6: column 3 instead of 4" in output
    assert f"  {first}, move" not in output


def test_packaged_games_have_blunders(tmp_path: Path) -> None:
    """Without arguments the example reads the games beside it."""
    output = run_example("find_blunders.py", "--simulations", "20", cwd=tmp_path).stdout
    assert output.splitlines()[-1].endswith("blunders in 4 games")


def test_a_damaged_record_is_a_usage_error(tmp_path: Path) -> None:
    """The message names the file and the line."""
    (tmp_path / "games.jsonl").write_text('{"number": 1}\n')
    result = run_example("find_blunders.py", "games.jsonl", cwd=tmp_path, expected_code=2)
    assert "games.jsonl:1:" in result.stderr
