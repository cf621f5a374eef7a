"""Tests of the command: files, summary, and errors before the work starts."""

import csv
import json
import os
import shlex
import signal
import sqlite3
import sys
import threading
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from fourfall.agents.levels import LEVELS
from fourfall.arena.grading import estimate_level
from fourfall.arena.quick_gauntlet import make_quick_spec
from fourfall.arena.record import EXAMPLE, GameRecord
from fourfall.arena.spec import Entrant, Group, Spec
from fourfall.arena.spec_file import load_spec
from fourfall.arena.sprt import Sprt
from fourfall.arena.store import Store
from fourfall.cli import main
from fourfall.report.collect import read_event
from fourfall.report.csv_files import GAME_COLUMNS, STANDING_COLUMNS
from fourfall.report.page import render_page
from fourfall.report.repeat import make_repeat_command, write_spec_file
from fourfall.report.turning_points import LossAnalysis
from tests.report.generated_event import HOSTILE, make_spec, store_event

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs ``fourfall report`` in this process: exit code, stdout and stderr."""

    def run(*arguments: str | Path) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["fourfall", "report", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    return run


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Store a gauntlet of an agent with a name that a spreadsheet would take for a formula."""
    path = tmp_path_factory.mktemp("report") / "arena.db"
    store_event(path, make_spec(("mine", "one", HOSTILE[5]), pairs=4, challenger=True))
    return path


def test_all_outputs_are_written(run: Run, database: Path, tmp_path: Path) -> None:
    """One call writes HTML, JSON, CSV and figures; the second call finds the turning points of the first."""
    html, data, folder = tmp_path / "report.html", tmp_path / "report.json", tmp_path / "figures"
    options = ["--html", html, "--json", data, "--csv", tmp_path / "games.csv", "--figures", folder]
    code, out, err = run(database, *options, "--games", "6", "--analysis-time", "5")
    assert (code, out) == (0, "")
    assert f"wrote {html}" in err
    values = json.loads(data.read_text())
    games = values["games"]["games"]
    assert len(games) == 6
    found = [game for game in games if game["analysis"] == "found"]
    assert found
    assert all(game["turning_point"]["better"] != game["turning_point"]["played"] for game in found)
    with Store(database, read_only=True) as store:
        agents = set(store.list_agents())
    assert {row["agent"] for row in values["groups"][0]["standings"]} == agents
    figures = {path.name for path in folder.iterdir()}
    assert figures == {"standings.svg", "sides.svg", "board-sizes.svg", "holes.svg", "lengths.svg", "times.svg"}
    assert all("var(" not in path.read_text() and ElementTree.parse(path) for path in folder.iterdir())  # noqa: S314
    again = tmp_path / "again.json"
    assert run(database, "--json", again, "--games", "6", "--analysis-time", "0")[0] == 0
    assert json.loads(again.read_text())["games"]["games"] == games


def test_interrupt_ends_the_search_and_writes_the_report(
    run: Run, database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C during the search sets the stop event; the report is written and says what is not analysed."""

    def interrupt(records: list[GameRecord], *, stopping: threading.Event, **_: object) -> list[LossAnalysis]:
        signal.raise_signal(signal.SIGINT)
        assert stopping.is_set()
        return [LossAnalysis("open") for _ in records]

    monkeypatch.setattr("fourfall.cli.report_progress.analyse_losses", interrupt)
    code, _, err = run(database, "--html", tmp_path / "report.html", "--games", "3")
    assert (code, "3 of 3 lost games are not analysed; run again to continue" in err) == (0, True)
    assert "3 of them are not analysed yet" in (tmp_path / "report.html").read_text()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_csv_has_one_row_per_game_and_no_formulas(run: Run, database: Path, tmp_path: Path) -> None:
    """The tables have all games and agents; texts that begin like a formula have an apostrophe in front."""
    assert run(database, "--csv", tmp_path / "tables")[0] == 0
    with (tmp_path / "tables" / "games.csv").open(encoding="utf-8-sig", newline="") as file:
        games = list(csv.DictReader(file))
    with (tmp_path / "tables" / "standings.csv").open(encoding="utf-8-sig", newline="") as file:
        standings = list(csv.DictReader(file))
    assert len(games) == 16
    assert tuple(games[0]) == GAME_COLUMNS
    assert tuple(standings[0]) == STANDING_COLUMNS
    names = {row["agent"] for row in standings}
    assert names == {"mine", "one", f"'{HOSTILE[5]}"}
    assert {row["first"] for row in games} <= names
    assert sum(int(row["won"]) for row in standings) == sum(row["result"] in ("1-0", "0-1") for row in games)


def test_summary_is_printed_without_output_options(run: Run, database: Path) -> None:
    """Without options the standings are printed, with the command that writes the whole report."""
    code, out, _ = run(database)
    assert code == 0
    assert "16 of 16 games" in out
    assert f"fourfall report {shlex.quote(str(database))} --event 1 --html report.html" in out


def test_json_goes_to_standard_output(run: Run, database: Path) -> None:
    """The path - prints the JSON, and nothing else, on standard output."""
    code, out, _ = run(database, "--json", "-", "--games", "0", "--agent", "one")
    assert code == 0
    assert json.loads(out)["focus"] == {"agent": "one", "reason": "option"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--html", "missing/out.html"], "does not exist"),
        (["--html", "."], "this is a folder"),
        (["--html", "arena.db"], "this is the database"),
        (["--json", "arena.db/x"], "does not exist"),
        (["--figures", "arena.db"], "not a folder"),
        (["--csv", "missing/games.csv"], "does not exist"),
        (["--lang", "fr"], "choose one of en, zh"),
        (["--event", "7"], "there is no event 7"),
        (["--agent", "nobody"], "no games of agent 'nobody'"),
        (["--games", "-1"], "--games"),
    ],
)
def test_bad_options_are_refused(
    run: Run, database: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], message: str
) -> None:
    """An invalid option ends with code 2 and a message that says what is wrong; the database is not changed."""
    monkeypatch.chdir(database.parent)
    monkeypatch.setenv("COLUMNS", "200")
    before = database.read_bytes()
    code, _, err = run(database.name, *options)
    assert (code, message in " ".join(err.split())) == (2, True), err
    assert database.read_bytes() == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_folder_without_write_permission_is_refused(run: Run, database: Path, tmp_path: Path) -> None:
    """A folder that cannot be written is named before the games are read."""
    (tmp_path / "locked").mkdir(mode=0o500)
    code, _, err = run(database, "--html", tmp_path / "locked" / "out.html")
    assert (code, "no permission to write" in err) == (2, True)


def test_databases_that_cannot_be_read_are_refused(run: Run, database: Path, tmp_path: Path) -> None:
    """A missing, an empty and a newer database, a file that is none, and one without events end with one line."""
    (tmp_path / "text.db").write_text("no database, but long enough to look like one" * 50)
    newer, empty = tmp_path / "newer.db", tmp_path / "empty.db"
    newer.write_bytes(database.read_bytes())
    with sqlite3.connect(newer) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    Store(empty).close()
    for name, message in (
        ("missing.db", "does not exist"),
        ("text.db", "not a database"),
        ("newer.db", "newer version of fourfall (schema 99"),
        ("empty.db", "there is no event"),
    ):
        code, _, err = run(tmp_path / name)
        assert (code, err.count("\n"), message in err) == (2, 1, True), err


def test_names_with_halves_of_surrogate_pairs_are_written(run: Run, tmp_path: Path) -> None:
    """A name that is not valid Unicode, which JSON can contain, does not stop any output."""
    path = tmp_path / "arena.db"
    records = store_event(path, make_spec(("mine", "one"), pairs=1))
    with Store(path) as store:
        for record in records:
            text = json.dumps(json.loads(record.to_json())).replace('"one"', '"\\ud800"')
            store._connection.execute("UPDATE games SET record = ? WHERE number = ?", [text, record.number])
    options = ["--html", tmp_path / "x.html", "--csv", tmp_path / "x.csv", "--figures", tmp_path / "x"]
    code, out, _ = run(path, *options, "--json", "-", "--analysis-time", "1")
    assert code == 0
    assert {row["agent"] for row in json.loads(out)["groups"][0]["standings"] if row["games"]} == {"mine", "?"}
    assert run(path)[0] == 0


def test_event_without_games_is_reported(run: Run, tmp_path: Path) -> None:
    """An event without games gives a report with its settings and a note in the terminal."""
    path = tmp_path / "arena.db"
    store_event(path, make_spec(("mine", "one"), pairs=1), games=0)
    assert run(path, "--html", tmp_path / "out.html")[0] == 0
    assert "has no games yet" in run(path)[1]


@pytest.mark.parametrize(
    ("spec", "command"),
    [
        (
            Spec.match("a b", "c", pairs=2, sprt=Sprt(0, 30)),
            "fourfall match 'a b' c --sprt 0,30 --games 4 --time 3 --seed 0",
        ),
        (Spec.match("a", "a", pairs=2, sandbox=False), "fourfall match a a --games 4 --time 3 --seed 0 --no-sandbox"),
        (
            Spec.gauntlet("a", ["b", "c"], pairs=1, opening=2, boards=["6x7"], memory_mb=64, ponder=True),
            "fourfall gauntlet a --field b --field c --games 2 --time 3 --seed 0 --memory-mb 64 --board 6x7 "
            "--opening 2 --ponder",
        ),
        (make_spec(("mine", "one")), "fourfall tournament spec.toml"),
        (
            Spec(
                "é",
                (Entrant("x", "a", 1.5), Entrant('"y"\\', "b", memory_mb=64), Entrant("z", "z")),
                (Group("p", "round-robin", ("x", '"y"\\'), (), 3), Group("q", "gauntlet", ("x", "z"), ("x",), 1)),
            ),
            "fourfall tournament spec.toml",
        ),
    ],
)
def test_event_can_be_repeated(spec: Spec, command: str, tmp_path: Path) -> None:
    """The command has all options, and the spec file defines the same event."""
    assert make_repeat_command(spec) == command
    path = tmp_path / "spec.toml"
    path.write_text(write_spec_file(spec), encoding="utf-8")
    repeated = load_spec(path).to_dict()
    assert repeated | {"sandbox": spec.sandbox} == spec.to_dict()


def test_level_of_a_challenger_is_that_of_the_gauntlet(tmp_path: Path) -> None:
    """The report states the level that the command prints, if the challenger played only levels."""
    spec = Spec.gauntlet("seed-003", list(LEVELS), pairs=1)
    played = [("seed-003", "level-30", 0), ("level-30", "seed-003", 1), ("seed-003", "level-40", 1)]
    records = [
        replace(
            EXAMPLE, number=number, pair=number // 2, names=(first, second), addresses=(first, second), winner=winner
        )
        for number, (first, second, winner) in enumerate(played)
    ]
    with Store(tmp_path / "arena.db") as store:
        event = store.create_event(spec)
        for record in records:
            store.add_game(event, record)
        report = read_event(store, store.get_event(event)).make_report(store, [])
    expected = estimate_level(records, "seed-003")
    [level] = report.groups[0].levels
    assert (level.level, level.low, level.high) == (expected.level, expected.low, expected.high)
    assert level.elo.value == pytest.approx(expected.elo.value, abs=0.1)
    assert f"plays at level {expected.level}" in render_page(report)


def test_quick_gauntlet_is_repeated_as_one(tmp_path: Path) -> None:
    """The command and the settings name 60 games in all, not 60 against each of the fifty levels."""
    spec = make_quick_spec(Spec.gauntlet("seed-003", list(LEVELS), pairs=1), 60)
    with Store(tmp_path / "arena.db") as store:
        event = store.get_event(store.create_event(spec, 60))
        report = read_event(store, event).make_report(store, [])
    assert report.settings.repeat_command == "fourfall gauntlet seed-003 --quick --games 60 --time 3 --seed 0"
    assert report.settings.spec_file is None
    assert "quick gauntlet, 60 games" in render_page(report)


def test_gauntlet_lists_only_opponents_with_games(tmp_path: Path) -> None:
    """A quick gauntlet plays few of the fifty levels; the standings count the others in one line."""
    path = tmp_path / "arena.db"
    store_event(path, make_spec(("mine", "played", "never met"), pairs=1, challenger=True), games=2)
    with Store(path) as store:
        report = read_event(store, store.get_event(1)).make_report(store, [])
    standings = render_page(report).partition('id="standings"')[2].partition("</section>")[0]
    assert "played" in standings
    assert "never met" not in standings
    assert "Opponents without games, not listed: 1." in standings
