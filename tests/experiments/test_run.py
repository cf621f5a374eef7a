"""Tests of runs: a toy run with its report, interrupts, resuming, and folders that cannot be used."""

import re
import shutil
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from fourfall.arena.event_runner import run_event
from fourfall.arena.ratings import tally_games
from fourfall.arena.record import GameRecord
from fourfall.arena.spec import Spec
from fourfall.arena.store import Store
from fourfall.experiments import ExperimentError, RunSettings, get_experiment, open_run
from fourfall.experiments.event_experiment import EventExperiment, QuickSize
from fourfall.experiments.markdown import format_report
from fourfall.experiments.measurements import MeasurementExperiment, MeasurementSize
from fourfall.experiments.records import read_records
from fourfall.experiments.run import EventPlayer, load_settings, write_report

QUICK = RunSettings(quick=True)
NAME = "002-final-choice"


class InterruptError(Exception):
    """Stands for the end of the process."""


@pytest.fixture(scope="module")
def toy() -> EventExperiment:
    """Return an experiment whose quick run has six games of five simulations per move."""
    experiment = get_experiment(NAME)
    assert isinstance(experiment, EventExperiment)
    return replace(experiment, quick=QuickSize(pairs=1, simulations=5, opponents=1))


def make_player(games: int | None = None, *, dies: bool = False) -> EventPlayer:
    """Return a function that plays an event, and stops or dies after a number of games."""

    def play(store: Store, event: int, spec: Spec) -> bool:
        with closing(run_event(store, event, [None])) as records:
            for count, _ in enumerate(records, 1):
                if count == games:
                    if dies:
                        raise InterruptError
                    return False
        return True

    return play


@pytest.fixture(scope="module")
def complete(toy: EventExperiment, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a complete toy run."""
    folder = tmp_path_factory.mktemp("experiments") / "new" / "complete"
    run = open_run(toy, folder, QUICK, make_player())
    report = toy.run(run)
    assert not report.missing
    write_report(run, report)
    return folder


def test_report_has_the_figures_of_the_records(complete: Path) -> None:
    """Scores and numbers of games in report.md are those of the records, counted here a second time."""
    text = (complete / "report.md").read_text(encoding="utf-8")
    records = read_records(complete / f"{NAME}.jsonl.xz")
    assert len(records) == 6
    with Store(complete / "games.db", read_only=True) as store:
        assert [record.moves for record in records] == [record.moves for record in store.find_records(1)]
    match = [record for record in records if record.group == "match"]
    points = sum(record.get_points(record.names.index("value")) for record in match)
    score = 100 * points / len(match)
    assert re.search(rf"^\| value instead of visits \| .* \| {score:.1f} % \(.*\) \| 2 \|", text, re.MULTILINE)
    field = tally_games([record for record in records if record.group == "field"], "visits").total
    row = rf"^\| final choice by visits \| over 90 % \| {100 * field.points / field.games:.1f} % \(.*\) \| 2 \|"
    assert re.search(row, text, re.MULTILINE)
    assert "This is a quick run" in text
    assert "Incomplete" not in text


def test_report_is_computed_again_from_the_records(toy: EventExperiment, complete: Path) -> None:
    """The folder alone, without the database, gives the same report; an explanation becomes its last section."""
    name, settings = load_settings(complete)
    assert (name, settings) == (NAME, QUICK)
    again = format_report(toy, toy.load_report(complete, settings), settings.quick)
    assert again == (complete / "report.md").read_text(encoding="utf-8")
    assert format_report(toy, toy.load_report(complete, settings), True, "Because.").endswith(
        "## Explanation\n\nBecause.\n"
    )


@pytest.mark.parametrize("dies", [False, True], ids=["stopped", "killed"])
def test_interrupted_run_continues(toy: EventExperiment, complete: Path, tmp_path: Path, dies: bool) -> None:
    """A run that was stopped or killed after three games plays the other three, and ends like one that was not."""
    folder = tmp_path / "run"
    run = open_run(toy, folder, QUICK, make_player(3, dies=dies))
    if dies:
        with pytest.raises(InterruptError):
            toy.run(run)
    else:
        report = toy.run(run)
        assert report.missing == "3 of 6 games were played"
        assert "**Incomplete: 3 of 6 games were played.**" in format_report(toy, report, True)
    played: list[GameRecord] = []

    def count(store: Store, event: int, spec: Spec) -> bool:
        played.extend(run_event(store, event, [None]))
        return True

    again = open_run(toy, folder, QUICK, count, resume=True)
    report = toy.run(again)
    assert len(played) == 3
    assert not report.missing
    write_report(again, report)
    assert (folder / "report.md").read_bytes() == (complete / "report.md").read_bytes()
    assert toy.run(again) == report
    assert len(played) == 3, "a complete run plays no game"


def test_measurements_continue(tmp_path: Path) -> None:
    """Rounds that are stored are not measured again."""
    experiment = get_experiment("003-bitboards")
    assert isinstance(experiment, MeasurementExperiment)
    small = replace(experiment, quick=MeasurementSize(2, 50))
    lines: list[str] = []
    report = small.run(open_run(small, tmp_path / "run", QUICK, make_player(), echo=lines.append))
    assert lines == ["round 1 of 2", "round 2 of 2"]
    larger = replace(experiment, quick=MeasurementSize(3, 50))
    larger.run(open_run(larger, tmp_path / "run", QUICK, make_player(), resume=True, echo=lines.append))
    assert lines[2:] == ["round 3 of 3"]
    assert len(report.tables[0].rows) == 3
    assert small.load_report(tmp_path / "run", QUICK).tables[0].header == report.tables[0].header


def test_samples_without_a_field(tmp_path: Path) -> None:
    """An experiment without opponents refuses samples before it makes a folder."""
    settings = RunSettings(quick=True, samples=("library:/course/2.so",))
    for name in ("003-interventions-few-simulations", "003-bitboards"):
        with pytest.raises(ExperimentError, match="omit --samples"):
            open_run(get_experiment(name), tmp_path / "run", settings, make_player())
    assert not (tmp_path / "run").exists()


def test_folder_that_is_not_empty(toy: EventExperiment, tmp_path: Path) -> None:
    """A new run does not touch a folder with files."""
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(ExperimentError, match="the folder is not empty; continue a run with --resume"):
        open_run(toy, tmp_path, QUICK, make_player())
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_folder_that_cannot_be_made(toy: EventExperiment, tmp_path: Path) -> None:
    """A file in place of the folder is named in the message."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(ExperimentError, match="choose another --output"):
            open_run(toy, folder, QUICK, make_player())


def test_resume_needs_the_same_run(toy: EventExperiment, complete: Path, tmp_path: Path) -> None:
    """Without a run, with another size or with another experiment, resuming is refused."""
    with pytest.raises(ExperimentError, match="the folder has no run of an experiment"):
        open_run(toy, tmp_path, QUICK, make_player(), resume=True)
    with pytest.raises(ExperimentError, match=rf"the run there is '{NAME} --quick', not '{NAME}'"):
        open_run(toy, complete, RunSettings(), make_player(), resume=True)
    with pytest.raises(ExperimentError, match="not '000-steps --quick'"):
        open_run(get_experiment("000-steps"), complete, QUICK, make_player(), resume=True)
    (tmp_path / "run.json").write_text('{"experiment": 3}', encoding="utf-8")
    with pytest.raises(ExperimentError, match="not the settings of an experiment's run"):
        open_run(toy, tmp_path, QUICK, make_player(), resume=True)


def test_records_without_the_database_are_kept(toy: EventExperiment, complete: Path, tmp_path: Path) -> None:
    """A copy of published results cannot be resumed, because a new run would replace its records."""
    folder = tmp_path / "copy"
    shutil.copytree(complete, folder, ignore=shutil.ignore_patterns("games.db*"))
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(ExperimentError, match=r"games\.db does not exist: .* choose another --output"):
        toy.run(open_run(toy, folder, QUICK, make_player(), resume=True))
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_damaged_records(toy: EventExperiment, complete: Path, tmp_path: Path) -> None:
    """A missing file, a file that is not compressed and an invalid line are described."""
    with pytest.raises(ExperimentError, match=r"002-final-choice.jsonl.xz: No such file"):
        toy.load_report(tmp_path, QUICK)
    path = tmp_path / f"{NAME}.jsonl.xz"
    path.write_bytes(b"text")
    with pytest.raises(ExperimentError, match="not a text file compressed by xz"):
        toy.load_report(tmp_path, QUICK)
