"""Owns the tests of the commands on stored games."""

import json
import os
import pty
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from fourfall.arena.judge import Ending
from fourfall.arena.record import EXAMPLE, GameRecord
from fourfall.arena.spec import gauntlet_spec
from fourfall.arena.store import Store
from tests.cli.conftest import Fourfall

CRASHED = replace(
    EXAMPLE,
    number=1,
    names=("right", "left"),
    board="9x9@4,4:12",
    moves="33",
    times_ms=(5.0, 7.25, 812.0),
    scores=(0.25, None),
    ending=Ending.CRASH,
    winner=1,
    culprit=0,
    detail="killed by SIGSEGV",
    stderr="first\nlast words \x1b[31m",
    reproducer="fourfall ask right 9x9@4,4:1233 --time 3",
)
DRAWN = replace(EXAMPLE, number=2, pair=1, winner=None, ending=Ending.TIE, names=("left", "third"))


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Make the default database with three games of one event."""
    with Store(tmp_path / "arena.db") as store:
        event = store.create_event(gauntlet_spec("left", ["right", "third"], 1))
        for record in (EXAMPLE, CRASHED, DRAWN):
            store.add(event, record)
    return tmp_path / "arena.db"


def read(path: Path) -> list[GameRecord]:
    """Return the records of a database."""
    with Store(path, read_only=True) as store:
        return list(store.records())


@pytest.mark.parametrize("command", [["games"], ["show"], ["events"], ["export"], ["export", "games"], ["import"]])
def test_every_command_explains_itself_with_an_example(fourfall: Fourfall, command: list[str]) -> None:
    """--help of every command shows a line one can type."""
    assert f"fourfall {' '.join(command)}" in fourfall(*command, "--help").stdout.split("Examples:")[1]


def test_games_are_listed(fourfall: Fourfall, database: Path) -> None:
    """The list has the number to type, who played, the result and how it came about."""
    assert fourfall("games").stdout.splitlines() == [
        "game  event  first  second  result  ending          moves  board",
        "   1      1  left   right      1-0  win                 7  6x7",
        "   2      1  right  left       0-1  crash by right      2  9x9@4,4:12",
        "   3      1  left   third      1/2  tie                 7  6x7",
    ]
    assert fourfall("games", str(database), "--limit", "1").stdout.endswith("only the last 1; --limit shows more\n")
    assert fourfall("games", "--ending", "timeout").stdout == "no such games\n"


@pytest.mark.parametrize(
    ("arguments", "numbers"),
    [
        (["--agent", "left", "--won"], [1, 2]),
        (["--agent", "right", "--lost"], [1, 2]),
        (["--drawn"], [3]),
        (["--ending", "crash"], [2]),
        (["--ending", "illegal-move"], []),
        (["--event", "1", "--agent", "third"], [3]),
        (["--limit", "2"], [2, 3]),
    ],
)
def test_games_are_chosen(fourfall: Fourfall, database: Path, arguments: list[str], numbers: list[int]) -> None:
    """Every option chooses its games; --json has one whole game a line."""
    games = [json.loads(line) for line in fourfall("games", *arguments, "--json").stdout.splitlines()]
    assert [game["id"] for game in games] == numbers
    assert all(game["board"] for game in games)


def test_events_are_listed_and_one_is_shown(fourfall: Fourfall, database: Path) -> None:
    """The list says how far an event is; one event has its table, who met whom, and its failures."""
    assert fourfall("events").stdout.splitlines()[1].startswith("    1  gauntlet of left      3   4  stopped  20")
    shown = fourfall("events", "--event", "1").stdout
    assert shown.startswith("event 1, gauntlet of left: 3 of 4 games, stopped\n")
    assert "game 2  right  crash: killed by SIGSEGV" in shown
    lines = [json.loads(line) for line in fourfall("events", "--event", "1", "--json").stdout.splitlines()]
    assert [line["agent"] for line in lines] == ["left", "third", "right"]
    assert lines[2]["elo"]["low"] is None
    assert json.loads(fourfall("events", "--json").stdout)["planned"] == 4


def test_a_running_event_is_seen_as_such(fourfall: Fourfall, database: Path) -> None:
    """While a process holds the event, the list says so."""
    with Store(database) as store, store.claim(1):
        assert "running" in fourfall("events").stdout
    assert "running" not in fourfall("events").stdout


def test_a_game_is_replayed(fourfall: Fourfall, database: Path) -> None:
    """Piped, all boards come at once, with times and views, then the verdict, the last words and the reproducer."""
    shown = fourfall("show", "2").stdout
    assert shown.startswith("X  right, 3 s a move, ready after 0.1 ms\nO  left,")
    assert "\nafter 2 opening stones\n" in shown
    assert "\nstone 3: X right plays 3, 5.0 ms, its own view 25 %\n" in shown
    assert "\nstone 4: O left plays 3, 7.2 ms\n" in shown
    assert shown.endswith(
        "left won: crash of right, killed by SIGSEGV\nthe last question took 812 ms\nits last words on stderr:\n"
        "  first\n  last words  [31m\nagain with: fourfall ask right 9x9@4,4:1233 --time 3\n"
    )
    won = fourfall("show", "1", "--db", str(database)).stdout
    assert won.count("\nstone ") == 7
    assert won.endswith("left won: win\n")


def test_one_board_and_an_opinion(fourfall: Fourfall, database: Path) -> None:
    """--move shows one board only, and --engine adds its best column and win chance."""
    shown = fourfall("show", "1", "--move", "6", "--engine", "seed-002", "--simulations", "200").stdout
    assert shown.count("stone ") == 1
    assert "\nseed-002: 4 is best, 100 % for X, wins in 1\n" in shown
    assert "won" not in shown
    refused = fourfall("show", "2", "--move", "5")
    assert refused.returncode == 2
    assert "this game has stones 2 to 4" in refused.stderr


def test_in_a_terminal_enter_goes_on(database: Path) -> None:
    """A person sees one board at a time: Enter for the next, a for all the rest, q to leave."""
    for typed, boards in (("\n\nq\n", 3), ("\na\n", 8)):
        main, side = pty.openpty()
        arguments: list[str | Path] = [Path(sys.executable).with_name("fourfall"), "show", "1", "--db", database]
        with subprocess.Popen(arguments, stdin=side, stdout=side, stderr=side) as process:
            os.close(side)
            os.write(main, typed.encode())
            shown = b""
            while True:
                try:
                    shown += os.read(main, 65536)
                except OSError:  # Linux reports the end of a terminal as an error
                    break
            assert process.wait(10) == 0
        os.close(main)
        assert shown.count(b"1 2 3 4 5 6 7") == boards


def test_games_travel_as_json_lines(fourfall: Fourfall, database: Path, tmp_path: Path) -> None:
    """What is exported is imported with every field; again it is skipped, and its own database knows it too."""
    told = fourfall("export", "games", "arena.db", "games.jsonl").stdout
    assert told == "wrote 3 games of event 1, gauntlet of left, to games.jsonl\n"
    assert fourfall("export", "games", "arena.db", "-").stdout == (tmp_path / "games.jsonl").read_text()
    assert fourfall("import", "other.db", "games.jsonl").stdout == "imported 3 games into other.db\n"
    assert read(tmp_path / "other.db") == read(database)
    for name in ("other.db", "arena.db"):
        told = fourfall("import", name, "games.jsonl").stdout
        assert told == f"imported 0 games into {name}; 3 were there already\n"
    assert fourfall("show", "games.jsonl:2").stdout == fourfall("show", "2").stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["arena.db", "games.jsonl", "other.db"]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{}", "field"),
        ("nonsense", "not JSON"),
        (replace(EXAMPLE, number=5).to_json().replace('"6x7"', '"6x99"'), "board and moves"),
        (EXAMPLE.to_json(), "game 0 is there already, on line 1"),
    ],
)
def test_a_bad_line_imports_nothing(fourfall: Fourfall, tmp_path: Path, line: str, complaint: str) -> None:
    """File and line are named, and not even the database is made."""
    (tmp_path / "in.jsonl").write_text(f"{EXAMPLE.to_json()}\n\n{line}\n")
    result = fourfall("import", "arena.db", "in.jsonl")
    assert result.returncode == 2
    assert result.stderr.startswith("fourfall: in.jsonl:3: ")
    assert complaint in result.stderr
    assert result.stderr.count("\n") == 1
    assert not (tmp_path / "arena.db").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (["games", "no.db"], 2, "fourfall: no.db: there is no such database\n"),
        (["events", "no.db"], 2, "fourfall: no.db: there is no such database\n"),
        (["games", "text.db"], 2, "fourfall: text.db: not a database, or a damaged one\n"),
        (["games", "newer.db"], 2, "fourfall: newer.db: written by a newer fourfall (schema 99; this one knows 1)\n"),
        (["games", "--agent", "lefd"], 2, "fourfall: arena.db: no game of 'lefd'; near ones: left\n"),
        (["games", "--event", "7"], 2, "fourfall: arena.db: there is no event 7\n"),
        (["events", "--event", "0"], 2, "fourfall: arena.db: there is no event 0\n"),
        (["show", "99"], 2, "fourfall: arena.db: there is no game 99\n"),
        (["show", "no.jsonl:1"], 2, "fourfall: no.jsonl: No such file or directory\n"),
        (["show", "text.db:1"], 2, "fourfall: text.db:1: not JSON: "),
        (["show", "text.db:9"], 2, "fourfall: text.db:9: the file has no such line\n"),
        (["show", "1", "-e", "sead-002"], 2, "fourfall: there is no preset 'sead-002'; near ones: seed-002"),
        (["export", "games", "arena.db", "no/x.jsonl"], 1, "fourfall: no/x.jsonl: No such file or directory\n"),
        (["export", "games", "arena.db", "/dev/full"], 1, "fourfall: /dev/full: No space left on device\n"),
        (["import", "no/arena.db", "one.jsonl"], 1, "fourfall: no/arena.db: there is no folder no\n"),
        (["import", "arena.db", "no.jsonl"], 2, "fourfall: no.jsonl: No such file or directory\n"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_mistakes_and_failures_are_one_line(
    fourfall: Fourfall, database: Path, tmp_path: Path, arguments: list[str], code: int, complaint: str
) -> None:
    """Usage ends with 2, what the system refuses with 1; each in one line that names the file."""
    (tmp_path / "text.db").write_text("This is no database, only a text that is long enough.\n" * 5)
    (tmp_path / "one.jsonl").write_text(EXAMPLE.to_json())
    with sqlite3.connect(tmp_path / "newer.db") as connection:
        connection.executescript("PRAGMA application_id = 0x46344152; PRAGMA user_version = 99; CREATE TABLE x (y)")
    connection.close()
    result = fourfall(*arguments)
    assert (result.returncode, result.stdout) == (code, "")
    assert result.stderr.startswith(complaint)
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["games", "--won"],
        ["games", "--won", "--lost"],
        ["games", "--ending", "boredom"],
        ["show", "x"],
        ["show", "1:x"],
    ],
    ids=" ".join,
)
def test_options_that_make_no_sense_are_usage_errors(fourfall: Fourfall, database: Path, arguments: list[str]) -> None:
    """Options that contradict each other or mean nothing end with exit code 2 and no traceback."""
    result = fourfall(*arguments)
    assert result.returncode == 2
    assert "Traceback" not in result.stderr
