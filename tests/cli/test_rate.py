"""Tests of the command rate: tables, JSON, anchors, several databases, and error messages."""

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from fourfall.arena.record import EXAMPLE
from fourfall.arena.spec import Spec
from fourfall.arena.store import Store
from fourfall.cli import app
from tests.cli.conftest import Fourfall

Rate = Callable[..., Result]

# Winners of the games of each pairing; the agents change sides after each game.
RESULTS = {
    ("good", "fair?n=2"): (0, 1, 0, 0, 0, None),
    ("good", "weak"): (0, 1, 0, 1, 0, 0),
    ("fair?n=2", "weak"): (0, 1, None, 1, 1, 1),
}


def write_games(path: Path, results: Mapping[tuple[str, str], Sequence[int | None]]) -> None:
    """Write a database with one event of these games."""
    with Store(path) as store:
        event = store.create_event(Spec.match("level-1", "level-2", pairs=5))
        number = 0
        for names, winners in results.items():
            for at, winner in enumerate(winners):
                order = names if at % 2 == 0 else names[::-1]
                store.add_game(event, replace(EXAMPLE, number=number, pair=number // 2, names=order, winner=winner))
                number += 1


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write databases of all kinds."""
    folder = tmp_path_factory.mktemp("rate")
    write_games(folder / "arena.db", RESULTS)
    write_games(folder / "more.db", {("good", "new"): (0, 1), ("x", "y"): (0, 1, 0, 0)})
    write_games(folder / "alone.db", {("me", "me"): (0, 1)})
    write_games(folder / "short.db", {("good", "weak"): (0,)})
    write_games(folder / "hostile.db", {("=1+1\x1b[31m", "b"): (0, 0), ("b", "c"): (1, 1)})
    Store(folder / "empty.db").close()
    for name, statement in (
        ("newer.db", "PRAGMA user_version = 99"),
        ("damaged.db", "UPDATE games SET winner = 7 WHERE id = 1"),
    ):
        write_games(folder / name, RESULTS)
        with sqlite3.connect(folder / name) as connection:
            connection.execute(statement)
        connection.close()
    (folder / "text.db").write_text("not a database " * 100)
    return folder


@pytest.fixture
def rate(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Rate:
    """Return a function that runs the command in the process, in the folder of the databases."""
    monkeypatch.chdir(folder)

    def run(*arguments: str) -> Result:
        return CliRunner().invoke(app, ["rate", *arguments])

    return run


def test_tables(rate: Rate) -> None:
    """The output has ratings best first, the shared parameters and the residuals."""
    done = rate()
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[0] == "18 games of 3 agents, 9 pairs"
    header = lines[2].split("  ")
    assert [word.strip() for word in header if word.strip()][-3:] == ["Elo to mean (95 %)", "to next (95 %)", "LOS %"]
    assert [line.split()[1] for line in lines[3:6]] == ["good", "fair?n=2", "weak"]
    for words in ("first-move advantage", "draws between equals", "Results against expectation", "none is unusual"):
        assert words in done.stdout
    assert "Likelihood in %" not in done.stdout
    assert "Likelihood in %" in rate("--matrix").stdout
    assert "Results against" not in rate("--residuals", "0").stdout


def test_anchors_and_several_databases(rate: Rate) -> None:
    """Anchors are fixed and named; agents that no games connect are rated in sets of their own."""
    done = rate("arena.db", "more.db", "--anchor", "fair?n=2=1000")
    assert done.exit_code == 0, done.output
    assert "24 games of 6 agents in 2 databases" in done.stdout
    assert "+1000 (anchor)" in done.stdout
    assert "No games connect these sets of agents" in done.stdout
    assert "  x, y\n" in done.stdout
    assert "set 2 of 2" in done.stdout
    apart = rate("arena.db", "more.db", "--keep-apart")
    assert "set 3 of 3" in apart.stdout
    assert "good (more.db)" in apart.stdout


def test_json(rate: Rate) -> None:
    """The same data as JSON, without infinite numbers."""
    summary = json.loads(rate("--json", "--residuals", "2").stdout, parse_constant=pytest.fail)
    assert (summary["games"], summary["pairs"], summary["pairings"]) == (18, 9, 3)
    [agents] = summary["components"]
    assert [row["agent"] for row in agents] == ["good", "fair?n=2", "weak"]
    assert agents[0]["results"] == [6, 0, 0] or agents[0]["score"] < 1
    assert agents[0]["next"]["agent"] == "fair?n=2"
    assert 0.5 < agents[0]["next"]["superiority"] < 1
    assert agents[2]["next"] is None
    assert len(summary["residuals"]) == 2


def test_what_can_be_shown_is_shown(rate: Rate) -> None:
    """A game without a second one and a database with damaged rows are rated, with a remark."""
    done = rate("short.db")
    assert (done.exit_code, done.stdout.splitlines()[0]) == (
        0,
        "1 games of 2 agents, 0 pairs, 1 games of incomplete pairs",
    )
    done = rate("damaged.db")
    assert done.exit_code == 0
    assert "damaged.db: 1 damaged rows are left out" in done.stderr
    assert "17 games of 3 agents" in done.stdout
    assert "\x1b" not in rate("hostile.db", "--matrix").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("empty.db",), "empty.db: there are no games to rate"),
        (("alone.db",), "there are no games of two agents to rate"),
        (("newer.db",), "newer.db: written by a newer version of fourfall"),
        (("text.db",), "text.db: not a database"),
        (("missing.db",), "missing.db: the database does not exist"),
        (("--event", "9"), "there is no event 9"),
        (("arena.db", "more.db", "--event", "1"), "events can be chosen only in one database"),
        (("arena.db", "./arena.db"), "arena.db is given twice"),
        (("--anchor", "good"), "'good' is not NAME=ELO"),
        (("--anchor", "good=inf"), "'good=inf' is not NAME=ELO with a finite number"),
        (("--anchor", "goood=1"), "anchor 'goood': no games of an agent with this name; similar: good"),
        (("--anchor", "good=1", "--anchor", "good=2"), "good is given twice"),
    ],
)
def test_bad_input(rate: Rate, arguments: tuple[str, ...], message: str) -> None:
    """The error says what is wrong and where; nothing is printed."""
    done = rate(*arguments)
    text = " ".join(f"{done.stderr} {done.exception}".replace("│", " ").split())
    assert message in text
    assert done.stdout == ""
    assert isinstance(done.exception, (ValueError, SystemExit))


def test_exit_codes(fourfall: Fourfall, folder: Path) -> None:
    """The installed command exits with 2 for bad input and prints one line without a traceback."""
    done = fourfall("rate", str(folder / "empty.db"))
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    done = fourfall("rate", str(folder / "arena.db"), "--anchor", "goood=1")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
