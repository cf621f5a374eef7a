"""Tests of games, events, show, export games and import."""

import json
import os
import pty
import re
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from fourfall.arena.judge import Ending
from fourfall.arena.record import EXAMPLE, GameRecord
from fourfall.arena.spec import Spec
from fourfall.arena.store import Store
from tests.cli.conftest import Fourfall
from tests.processes import PATIENCE_S

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
DRAWN = replace(
    EXAMPLE,
    number=2,
    pair=1,
    winner=None,
    ending=Ending.TIE,
    names=("left", "third"),
    moves="547125662261271266215743771576315353334444",
    times_ms=(1.0,) * 42,
    scores=(None,) * 42,
)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Create the default database with three games of one event."""
    with Store(tmp_path / "arena.db") as store:
        event = store.create_event(Spec.gauntlet("left", ["right", "third"], pairs=1))
        for record in (EXAMPLE, CRASHED, DRAWN):
            store.add_game(event, record)
    return tmp_path / "arena.db"


def read_records(path: Path) -> list[GameRecord]:
    """Return all records of a database."""
    with Store(path, read_only=True) as store:
        return list(store.find_records())


@pytest.mark.parametrize("command", [["games"], ["show"], ["events"], ["export"], ["export", "games"], ["import"]])
def test_help_contains_an_example(fourfall: Fourfall, command: list[str]) -> None:
    """--help of every command contains an example of that command."""
    assert f"fourfall {' '.join(command)}" in fourfall(*command, "--help").stdout.split("Examples:")[1]


def test_games_are_listed(fourfall: Fourfall, database: Path) -> None:
    """The list shows number, players, result, ending, moves and board."""
    assert fourfall("games").stdout.splitlines() == [
        "game  event  first  second  result  ending          moves  board",
        "   1      1  left   right      1-0  win                 7  6x7",
        "   2      1  right  left       0-1  crash by right      2  9x9@4,4:12",
        "   3      1  left   third      1/2  tie                42  6x7",
    ]
    assert fourfall("games", str(database), "--limit", "1").stdout.endswith(
        "the latest 1 games; use --limit to list more\n"
    )
    assert fourfall("games", "--ending", "timeout").stdout == "no games match\n"


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
def test_filters_select_games(fourfall: Fourfall, database: Path, arguments: list[str], numbers: list[int]) -> None:
    """Each filter selects its games; --json prints one complete game per line."""
    games = [json.loads(line) for line in fourfall("games", *arguments, "--json").stdout.splitlines()]
    assert [game["id"] for game in games] == numbers
    assert all(game["board"] for game in games)


def test_events_are_listed_and_described(fourfall: Fourfall, database: Path) -> None:
    """The list shows the progress of each event; --event prints standings, cross table and failures."""
    line = fourfall("events").stdout.splitlines()[1]
    assert line.startswith("    1  gauntlet of left      3        4  stopped  20")
    shown = fourfall("events", "--event", "1").stdout
    assert shown.startswith("event 1, gauntlet of left: 3 of 4 games, stopped\n")
    assert "game 2  right  crash: killed by SIGSEGV" in shown
    lines = [json.loads(line) for line in fourfall("events", "--event", "1", "--json").stdout.splitlines()]
    assert [line["agent"] for line in lines] == ["left", "third", "right"]
    assert lines[2]["elo"]["low"] is None
    assert json.loads(fourfall("events", "--json").stdout)["planned"] == 4


def test_running_event_is_listed_as_running(fourfall: Fourfall, database: Path) -> None:
    """An event that a process holds has the state running."""
    with Store(database) as store, store.claim_event(1):
        assert "running" in fourfall("events").stdout
    assert "running" not in fourfall("events").stdout


def test_show_prints_all_boards(fourfall: Fourfall, database: Path) -> None:
    """Without a terminal all boards are printed with times and evaluations, then result, stderr and reproducer."""
    shown = fourfall("show", "2").stdout
    assert shown.startswith("X  right, 3 s per move, started in 0.1 ms\nO  left,")
    assert "\nafter 2 opening stones\n" in shown
    assert "\nstone 3: X right plays 3, 5.0 ms, own evaluation 25 %\n" in shown
    assert "\nstone 4: O left plays 3, 7.2 ms\n" in shown
    assert shown.endswith(
        "left won: crash of right, killed by SIGSEGV\ntime for the failed move: 812 ms\nstderr (last 20 lines):\n"
        "  first\n  last words  [31m\nreproduce with: fourfall ask right 9x9@4,4:1233 --time 3\n"
    )
    won = fourfall("show", "1", "--db", str(database)).stdout
    assert won.count("\nstone ") == 7
    assert won.endswith("left won: win\n")


def test_show_one_board_with_an_engine(fourfall: Fourfall, database: Path) -> None:
    """--move prints one board; --engine adds its best column and win chance."""
    shown = fourfall("show", "1", "--move", "6", "--engine", "seed-002", "--simulations", "200").stdout
    assert shown.count("stone ") == 1
    assert "\nseed-002: 4 is best, 100 % for X, wins in 1\n" in shown
    assert "won" not in shown
    refused = fourfall("show", "2", "--move", "5")
    assert refused.returncode == 2
    assert "this game has stones 2 to 4" in refused.stderr


def test_show_explains_mistakes(fourfall: Fourfall, database: Path) -> None:
    """With an engine, a move that loses win chance is named with the better column and the coach's reasons."""
    moves = "434343"  # both have three stones on top of each other
    with Store(database) as store:
        store.add_game(1, replace(EXAMPLE, number=3, pair=1, board="6x7", moves=moves + "15", times_ms=(1.0,) * 8))
    options = ("--engine", "seed-002", "--simulations", "200")
    missed_win = fourfall("show", "4", "--move", "7", *options).stdout
    assert "\nblunder: 4 was better, 100 % instead of 0 % for X\nX could win at once in column 4.\n" in missed_win
    also_missed = fourfall("show", "4", "--move", "8", *options).stdout
    assert "\nblunder: 3 was better, 100 % instead of 0 % for O\nO could win at once in column 3.\n" in also_missed
    assert "was better" not in fourfall("show", "1", "--move", "7", *options).stdout
    assert "was better" not in fourfall("show", "4", "--move", "7").stdout


def test_show_waits_for_enter_in_a_terminal(database: Path) -> None:
    """In a terminal Enter shows the next board, a all remaining boards, q quits."""
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
            assert process.wait(PATIENCE_S) == 0
        os.close(main)
        assert shown.count(b"1 2 3 4 5 6 7") == boards


def test_export_and_import_round_trip(fourfall: Fourfall, database: Path, tmp_path: Path) -> None:
    """An import restores every field; a second import, or one into the original database, adds nothing."""
    output = fourfall("export", "games", "arena.db", "games.jsonl").stdout
    assert output == "wrote 3 games of event 1, gauntlet of left, to games.jsonl\n"
    assert fourfall("export", "games", "arena.db", "-").stdout == (tmp_path / "games.jsonl").read_text()
    assert fourfall("import", "other.db", "games.jsonl").stdout == "imported 3 games into other.db\n"
    assert read_records(tmp_path / "other.db") == read_records(database)
    for name in ("other.db", "arena.db"):
        output = fourfall("import", name, "games.jsonl").stdout
        assert output == f"imported 0 games into {name}; 3 were already there\n"
    assert fourfall("show", "games.jsonl:2").stdout == fourfall("show", "2").stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["arena.db", "games.jsonl", "other.db"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{}", "number is missing"),
        ("nonsense", "not JSON"),
        (replace(EXAMPLE, number=5).to_json().replace('"6x7"', '"6x99"'), "board and moves"),
        (EXAMPLE.to_json(), "game 0 is already on line 1"),
        (replace(EXAMPLE, winner=1).to_json(), "winner must be 0, the final board is won by the first player"),
        (replace(EXAMPLE, number=10**30).to_json(), "number must be a whole number from 0 to 9223372036854775807"),
    ],
)
def test_invalid_line_imports_nothing(fourfall: Fourfall, tmp_path: Path, line: str, message: str) -> None:
    """The error names file and line, and no database is created."""
    (tmp_path / "in.jsonl").write_text(f"{EXAMPLE.to_json()}\n\n{line}\n")
    result = fourfall("import", "arena.db", "in.jsonl")
    assert result.returncode == 2
    assert result.stderr.startswith("fourfall: in.jsonl:3: ")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert not (tmp_path / "arena.db").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["games", "no.db"], 2, "fourfall: no.db: the database does not exist\n"),
        (["events", "no.db"], 2, "fourfall: no.db: the database does not exist\n"),
        (["games", "text.db"], 2, "fourfall: text.db: not a database, or damaged\n"),
        (
            ["games", "newer.db"],
            2,
            "fourfall: newer.db: written by a newer version of fourfall (schema 99; this version reads 1)\n",
        ),
        (["games", "--agent", "lefd"], 2, "fourfall: arena.db: no games of agent 'lefd'; similar: left\n"),
        (["games", "--event", "7"], 2, "fourfall: arena.db: there is no event 7\n"),
        (["events", "--event", "0"], 2, "fourfall: arena.db: there is no event 0\n"),
        (["show", "99"], 2, "fourfall: arena.db: there is no game 99\n"),
        (["show", "9" * 20], 2, f"fourfall: arena.db: there is no game {'9' * 20}\n"),
        (["games", "--event", "9" * 20], 2, f"fourfall: arena.db: there is no event {'9' * 20}\n"),
        (["events", "--event", "9" * 20], 2, f"fourfall: arena.db: there is no event {'9' * 20}\n"),
        (["export", "games", "arena.db", "-", "--event", "9" * 20], 2, "fourfall: arena.db: there is no event 9"),
        (["show", "no.jsonl:1"], 2, "fourfall: no.jsonl: No such file or directory\n"),
        (["show", "text.db:1"], 2, "fourfall: text.db:1: not JSON: "),
        (["show", "text.db:9"], 2, "fourfall: text.db:9: the file has fewer lines\n"),
        (["show", "1", "-e", "sead-002"], 2, "fourfall: there is no preset 'sead-002'; similar: seed-002"),
        (["export", "games", "arena.db", "no/x.jsonl"], 1, "fourfall: no/x.jsonl: No such file or directory\n"),
        (["export", "games", "arena.db", "/dev/full"], 1, "fourfall: /dev/full: No space left on device\n"),
        (["import", "no/arena.db", "one.jsonl"], 1, "fourfall: no/arena.db: the folder no does not exist\n"),
        (["import", "arena.db", "no.jsonl"], 2, "fourfall: no.jsonl: No such file or directory\n"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_errors_print_one_line(
    fourfall: Fourfall, database: Path, tmp_path: Path, arguments: list[str], code: int, message: str
) -> None:
    """Usage errors exit with 2, failures with 1; each prints one line that names the file."""
    (tmp_path / "text.db").write_text("This is a text file, not a database, and it is long enough.\n" * 5)
    (tmp_path / "one.jsonl").write_text(EXAMPLE.to_json())
    with sqlite3.connect(tmp_path / "newer.db") as connection:
        connection.executescript("PRAGMA application_id = 0x46344152; PRAGMA user_version = 99; CREATE TABLE x (y)")
    connection.close()
    result = fourfall(*arguments)
    assert (result.returncode, result.stdout) == (code, "")
    assert result.stderr.startswith(message)
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
def test_contradictory_options_are_usage_errors(fourfall: Fourfall, database: Path, arguments: list[str]) -> None:
    """Contradictory or invalid options exit with 2 and print no traceback."""
    result = fourfall(*arguments)
    assert result.returncode == 2
    assert "Traceback" not in result.stderr


def test_missing_agent_is_an_error_that_lists_the_agents(fourfall: Fourfall, database: Path) -> None:
    """--lost without an agent names the agents of the database."""
    result = fourfall("games", "--lost")
    assert result.returncode == 2
    message = " ".join(re.sub("[│─╭╮╰╯]", " ", result.stderr).split())
    assert "--lost needs --agent NAME; the agents are 'left', 'right', 'third'" in message


DAMAGED_SPECS = {
    "not JSON": "{",
    "a list": "[]",
    "a number": "5",
    "null": "null",
    "no keys": "{}",
    "another type": '{"name": 5}',
    "a long number": '{"seed": ' + "9" * 5000 + "}",
    "deep": "[" * 50_000,
    "infinity": '{"name": "x", "agents": [{"address": "a"}, {"address": "b"}], "sprt": [1e999, 2]}',
    "a wrong board": '{"name": "x", "agents": [{"address": "a"}, {"address": "b"}], "boards": {"list": ["99x99"]}}',
}


@pytest.mark.parametrize("spec", DAMAGED_SPECS.values(), ids=DAMAGED_SPECS)
def test_damaged_spec_does_not_hide_the_games(fourfall: Fourfall, database: Path, spec: str) -> None:
    """Lists print the event and its games, and one line on stderr that names the event."""
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE events SET spec = ?", [spec])
    connection.close()
    for arguments, lines in ((["events"], 2), (["events", "--json"], 1), (["events", "--event", "1"], 10)):
        result = fourfall(*arguments)
        assert result.returncode == 0, result.stderr
        assert result.stderr.startswith("fourfall: arena.db: event 1 is damaged: ")
        assert result.stderr.count("\n") == 1
        assert len(result.stdout.splitlines()) >= lines
    assert len(fourfall("games").stdout.splitlines()) == 4
    resumed = fourfall("match", "level-2", "level-4", "--resume")
    assert resumed.returncode == 2
    assert "Traceback" not in resumed.stderr


def test_damaged_record_is_left_out_of_lists(fourfall: Fourfall, database: Path) -> None:
    """Lists leave the game out and name its number on stderr; show refuses it with one line."""
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE games SET record = replace(record, '6x7', '6x99') WHERE id = 1")
        connection.execute("UPDATE games SET first = x'ff00', winner = 'x', moves = 'x', started = x'ff' WHERE id = 1")
        connection.execute("UPDATE games SET record = CAST(x'7bff7d' AS TEXT) WHERE id = 3")
    connection.close()
    for arguments in (["games"], ["games", "--agent", "right"], ["events", "--event", "1"], ["export", "games"]):
        more = ["arena.db", "-"] if arguments[0] == "export" else []
        result = fourfall(*arguments, *more)
        assert result.returncode == 0, result.stderr
        assert "right" in result.stdout
        assert "arena.db: game 1 is damaged: board and moves: " in result.stderr or "--agent" in arguments
        assert all(line.startswith("fourfall: arena.db: game ") for line in result.stderr.splitlines())
    shown = fourfall("show", "1")
    assert (shown.returncode, shown.stdout) == (2, "")
    assert shown.stderr.startswith("fourfall: arena.db: game 1 is damaged: board and moves: ")
    assert shown.stderr.count("\n") == 1
