"""One run of an experiment: its settings, its output folder with the games, and its written report."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fourfall._core import version
from fourfall.arena.output_file import open_output
from fourfall.arena.record import GameRecord
from fourfall.arena.spec import Spec
from fourfall.arena.store import Store
from fourfall.experiments.experiment import Experiment, ExperimentError, Report
from fourfall.experiments.markdown import format_report
from fourfall.experiments.records import write_records
from fourfall.system.command_line import join_command

SETTINGS_FILE, DATABASE_FILE, REPORT_FILE = "run.json", "games.db", "report.md"
EXPLANATION_FILE = "explanation.md"
"""Text written by hand; if it is in the folder, it becomes the last section of the report."""

EventPlayer = Callable[[Store, int, Spec], bool]
"""Plays the missing games of an event of the store; returns whether the event is complete."""


@dataclass(frozen=True)
class RunSettings:
    """What determines the result of a run; stored in its folder, so that it is resumed with the same settings.

    `samples` are addresses of strategy libraries that replace the levels as opponents. `sandbox` says whether they are
    isolated. `max_cells` is the number of cells of the largest boards of the census.
    """

    quick: bool = False
    samples: tuple[str, ...] = ()
    sandbox: bool = True
    max_cells: int | None = None


@dataclass(frozen=True)
class ExperimentRun:
    """A run in progress: what an experiment may use while it runs.

    Attributes:
        experiment: The experiment.
        folder: Existing folder for all results.
        settings: Size and opponents.
        play_event: Plays an event; shows progress if the run belongs to a terminal.
        workers: Number of games or tasks at a time; None for one per free core.
        cluster: Address of a Dask cluster, or None for this machine.
        echo: Prints a line for the user.
    """

    experiment: Experiment
    folder: Path
    settings: RunSettings
    play_event: EventPlayer
    workers: int | None = None
    cluster: str | None = None
    echo: Callable[[str], None] = field(default=lambda _: None)

    def play(self, specs: Mapping[str, Spec]) -> tuple[dict[str, list[GameRecord]], bool]:
        """Play the missing games of each event in turn; return the records of all, and whether all are complete.

        The key of an event is the name of its file of records. Games are stored in the folder's database as they end.
        The files with the records are written when the run ends or is interrupted.
        """
        records: dict[str, list[GameRecord]] = {key: [] for key in specs}
        is_complete = True
        database = self.folder / DATABASE_FILE
        for path in (self.folder / f"{key}.jsonl.xz" for key in specs):
            if path.exists() and not database.exists():
                raise ExperimentError(
                    f"{database} does not exist: a run would begin again and replace the games in {path.name}; choose "
                    "another --output"
                )
        with Store(database) as store:
            for key, spec in specs.items():
                events = [event for event in store.list_events() if event.spec == spec]
                event = events[-1].id if events else store.create_event(spec)
                if is_complete and not store.get_event(event).is_complete:
                    is_complete = self.play_event(store, event, spec)
                records[key] = list(store.find_records(event))
        for key, played in records.items():
            write_records(self.folder / f"{key}.jsonl.xz", played)
        return records, is_complete

    @property
    def report_path(self) -> Path:
        """Where the report is written."""
        return self.folder / REPORT_FILE


def open_run(
    experiment: Experiment,
    folder: Path,
    settings: RunSettings,
    play_event: EventPlayer,
    *,
    resume: bool = False,
    workers: int | None = None,
    cluster: str | None = None,
    echo: Callable[[str], None] = lambda _: None,
) -> ExperimentRun:
    """Create the folder of a new run, or check that of a run to resume."""
    experiment.check_options(settings, workers, cluster)
    run = ExperimentRun(experiment, folder, settings, play_event, workers, cluster, echo)
    if resume:
        name, stored = load_settings(folder)
        if (name, stored) != (experiment.name, settings):
            raise ExperimentError(
                f"{folder}: the run there is {_describe(name, stored)}, not {_describe(experiment.name, settings)}; "
                "give the same name and options, or another --output"
            )
        return run
    try:
        if folder.exists() and any(folder.iterdir()):
            raise ExperimentError(
                f"{folder}: the folder is not empty; continue a run with --resume, or choose another --output"
            )
        folder.mkdir(parents=True, exist_ok=True)
        values = {"experiment": experiment.name, "version": version, **vars(settings)}
        with open_output(folder / SETTINGS_FILE) as file:
            file.write(json.dumps(values, indent=2) + "\n")
    except OSError as error:
        raise ExperimentError(f"{folder}: {error.strerror}; choose another --output") from None
    return run


def load_settings(folder: Path) -> tuple[str, RunSettings]:
    """Return the name of the experiment and the settings of the run in a folder."""
    path = folder / SETTINGS_FILE
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        samples = tuple(str(address) for address in values["samples"])
        max_cells = values.get("max_cells")
        settings = RunSettings(
            bool(values["quick"]), samples, bool(values["sandbox"]), None if max_cells is None else int(max_cells)
        )
        return str(values["experiment"]), settings
    except OSError as error:
        raise ExperimentError(f"{path}: {error.strerror}; the folder has no run of an experiment") from None
    except (ValueError, KeyError, TypeError):
        raise ExperimentError(f"{path}: not the settings of an experiment's run; choose another folder") from None


def write_report(run: ExperimentRun, report: Report) -> None:
    """Write the report of a run to its folder."""
    with open_output(run.report_path) as file:
        file.write(format_report(run.experiment, report, run.settings.quick, read_explanation(run.folder)))


def read_explanation(folder: Path) -> str:
    """Return the explanation written by hand, or an empty text."""
    path = folder / EXPLANATION_FILE
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _describe(name: str, settings: RunSettings) -> str:
    options = ["--quick"] if settings.quick else []
    options += [] if settings.max_cells is None else ["--max-cells", str(settings.max_cells)]
    samples = f" with {len(settings.samples)} samples" if settings.samples else ""
    return f"'{join_command([name, *options])}'{samples}" + ("" if settings.sandbox else " without the sandbox")
