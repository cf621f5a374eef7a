"""Tests of match, gauntlet and tournament: reports and error messages."""

import os
import sqlite3
from pathlib import Path

import pytest

from fourfall.arena.store import Store
from tests.cli.conftest import Fourfall

FAST = ("seed-000?simulations=4", "seed-002?simulations=4")


def test_match_is_stored_and_reported(fourfall: Fourfall, tmp_path: Path) -> None:
    """The report contains both agents, score, Elo difference and the command that lists the games."""
    done = fourfall("match", *FAST, "--games", "6", "--seed", "3")
    assert done.returncode == 0, done.stderr
    for words in ("6 of 6 games, complete", "first", "second", "95 % confidence", "Elo", "fourfall games arena.db"):
        assert words in done.stdout
    with Store(tmp_path / "arena.db", read_only=True) as store:
        assert store.get_event().is_complete


@pytest.mark.parametrize("is_reversed", [False, True])
def test_match_score_is_that_of_the_agent_named_first(fourfall: Fourfall, is_reversed: bool) -> None:
    """The summary shows the score of the first argument, whether it wins or loses."""
    agents = ("level-2", "seed-002?simulations=400")[:: -1 if is_reversed else 1]
    done = fourfall("match", *agents, "--games", "4")
    assert f"\n{agents[0]} against {agents[1]}\n" in done.stdout
    assert f"\nscore     {'100.0' if is_reversed else '0.0'} %" in done.stdout


def test_gauntlet_accepts_files_and_addresses_as_field(fourfall: Fourfall, tmp_path: Path) -> None:
    """Fields, files and addresses can be combined; the bot plays each opponent, opponents do not play each other."""
    (tmp_path / "field.txt").write_text(f"# the field\n{FAST[1]}\n\nlevel-2\n", encoding="utf-8")
    done = fourfall("gauntlet", FAST[0], "--field", "field.txt", "--field", "level-4", "--games", "2")
    assert done.returncode == 0, done.stderr
    with Store(tmp_path / "arena.db", read_only=True) as store:
        assert {frozenset(record.names) for record in store.find_records()} == {
            frozenset((FAST[0], other)) for other in (FAST[1], "level-2", "level-4")
        }


def test_tournament_file_with_a_failing_python_bot(fourfall: Fourfall, tmp_path: Path) -> None:
    """A bot next to the spec file is found; its illegal moves are counted and a reproducer is printed."""
    (tmp_path / "bot.py").write_text("def play(board, limit):\n    return 99\n", encoding="utf-8")
    spec = f"""
pairs = 1
[boards]
list = ["6x7"]
[[agents]]
name = "mine"
address = "python:bot.py"
[[agents]]
name = "theirs"
address = "{FAST[0]}"
"""
    (tmp_path / "league.toml").write_text(spec, encoding="utf-8")
    done = fourfall("tournament", "league.toml")
    assert done.returncode == 0, done.stderr
    assert "illegal move" in done.stdout
    assert "fourfall ask python:" in done.stdout
    with Store(tmp_path / "arena.db", read_only=True) as store:
        assert [record.names[record.culprit or 0] for record in store.find_records()] == ["mine", "mine"]


def test_workers_import_nothing_from_the_current_folder(fourfall: Fourfall, tmp_path: Path) -> None:
    """Modules in the current folder, which may be a bot's, do not replace those of Python or of the package."""
    for name in ("difflib", "json", "enum", "typing", "re", "sitecustomize", "fourfall"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'executed')!r}, 'w').close()\n", encoding="utf-8")
    done = fourfall("match", *FAST, "--games", "2")
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "executed").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("match", "libary:x.so", "level-2"), 2, "unknown kind 'libary'"),
        (("match", "library:x.so", "level-2"), 2, "x.so does not exist"),
        (
            ("match", "level-2", "level-99"),
            2,
            "there is no level 'level-99'; levels are level-2, level-4, ..., level-100; similar: level-98",
        ),
        (("match", "level-2", "level-4", "--games", "3"), 2, "3 is odd, but each board is played twice"),
        (("match", "level-2", "level-4", "--board", "6x7:9"), 2, "boards.list"),
        (("match", "level-2", "level-4", "--resume"), 2, "arena.db: the database does not exist"),
        (("match", "level-2", "level-4", "--resume", "--db", "empty.db"), 2, "no event with these agents"),
        (("match", "level-2", "level-4", "--db", "no/where.db"), 1, "no/where.db"),
        (("match", "level-2", "level-4", "--db", "text.db"), 2, "text.db: not a database"),
        (("match", "level-2", "level-4", "--db", "newer.db"), 2, "newer"),
        (("gauntlet", "level-2", "--field", "nobody.txt"), 2, "nobody.txt: No such file"),
        (("gauntlet", "level-2", "--field", "bad.txt"), 2, "bad.txt, line 2"),
        (("tournament", "nothing.toml"), 2, "nothing.toml: No such file"),
        (("tournament", "wrong.toml"), 2, "unknown key paris; similar: pairs"),
        (("tournament", "third_party.toml"), 2, "agents[1].address"),
    ],
)
def test_bad_input_is_named_and_changes_no_file(
    fourfall: Fourfall, tmp_path: Path, arguments: tuple[str, ...], code: int, message: str
) -> None:
    """The error names the file, key or word; the exit code is 2 for usage, 1 for failures; no file changes."""
    (tmp_path / "text.db").write_text("not a database, only some text " * 40, encoding="utf-8")
    (tmp_path / "bad.txt").write_text("level-2\nprogramm:./x\n", encoding="utf-8")
    (tmp_path / "wrong.toml").write_text("paris = 3\n[[agents]]\naddress='level-2'\n[[agents]]\naddress='level-4'\n")
    (tmp_path / "third_party.toml").write_text("[[agents]]\naddress='library:x.so'\n[[agents]]\naddress='level-4'\n")
    Store(tmp_path / "empty.db").close()
    Store(tmp_path / "newer.db").close()
    with sqlite3.connect(tmp_path / "newer.db") as newer:
        newer.execute("PRAGMA user_version = 99")
    newer.close()
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    done = fourfall(*arguments)
    assert done.returncode == code, done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    after = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.name != "arena.db"}
    assert {name: after[name] for name in before} == before


def test_ponder_is_stored_or_refused(fourfall: Fourfall, tmp_path: Path) -> None:
    """The event and its records say that agents could ponder; without two cores per game the event is refused."""
    done = fourfall("match", *FAST, "--games", "2", "--ponder")
    if len(os.sched_getaffinity(0)) < 2:
        assert (done.returncode, "--ponder needs two cores for each game" in done.stderr) == (2, True)
    else:
        assert done.returncode == 0, done.stderr
        with Store(tmp_path / "arena.db", read_only=True) as store:
            event = store.get_event()
            assert event.spec is not None
            assert event.spec.ponder
            assert all(record.ponder for record in store.find_records())
        assert "with pondering" in fourfall("show", "1", "--all").stdout
    for option, message in (
        (("--no-pin",), "--ponder cannot be used with --no-pin"),
        (("--workers", "1000"), "--ponder needs two cores for each game: 2000 cores for 1000 in parallel"),
    ):
        done = fourfall("match", *FAST, "--games", "2", "--ponder", *option)
        assert (done.returncode, done.stdout) == (2, "")
        assert message in done.stderr
