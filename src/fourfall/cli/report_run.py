"""Runs ``fourfall report``: reads an event, searches turning points and writes the requested files."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

import typer

from fourfall.arena.output_file import open_output
from fourfall.arena.store import Event, Store
from fourfall.arena.tables import format_standings, replace_control_characters
from fourfall.cli.database import print_grid
from fourfall.cli.report_progress import find_turning_points, make_progress
from fourfall.report.collect import ReportCollector, ReportLimits, read_event
from fourfall.report.csv_files import find_csv_paths, write_games, write_standings
from fourfall.report.figures import draw_figures
from fourfall.report.figures.lengths import find_median_length
from fourfall.report.model import Report
from fourfall.report.numbers import format_counts, format_score
from fourfall.report.output_files import STANDARD_OUTPUT, OutputError, check_file, check_folder
from fourfall.report.page import render_page
from fourfall.report.sections.summary import list_notes
from fourfall.report.words import Language, Words
from fourfall.system.command_line import join_command

_PROGRESS_FROM_GAMES = 20_000  # reading fewer games takes about a second


@dataclass(frozen=True)
class ReportOutputs:
    """The files to write; without any, a summary is printed."""

    html: Path | None
    csv: Path | None
    json: Path | None
    figures: Path | None
    language: Language

    @property
    def has_games(self) -> bool:
        """Whether an output contains games move by move."""
        return self.html is not None or self.json is not None

    @property
    def is_empty(self) -> bool:
        """Whether no file is requested."""
        return not self.has_games and self.csv is None and self.figures is None

    def check(self, database: Path) -> None:
        """Refuse paths that cannot be written, before the games are read."""
        try:
            if self.html is not None:
                check_file(self.html, "--html", database)
            if self.json is not None and str(self.json) != STANDARD_OUTPUT:
                check_file(self.json, "--json", database)
            if self.csv is not None:
                self._check_csv(self.csv, database)
            if self.figures is not None:
                check_folder(self.figures, "--figures")
        except OutputError as error:
            raise typer.BadParameter(str(error)) from None

    @staticmethod
    def _check_csv(path: Path, database: Path) -> None:
        games, standings = find_csv_paths(path)
        if games.parent == path:
            check_folder(path, "--csv")
        else:
            check_file(games, "--csv", database)
            check_file(standings, "--csv", database)


def run_report(
    db: Path, event: int | None, agent: str | None, outputs: ReportOutputs, *, games: int, analysis_time_s: float
) -> None:
    """Make the report and write it, or print a summary if no file is requested."""
    outputs.check(db)
    with Store(db, read_only=True) as store:
        chosen = store.get_event(event)
        collector = _read_games(store, chosen, agent, ReportLimits(games=games if outputs.has_games else 0))
        embedded = find_turning_points(store, collector, analysis_time_s) if outputs.has_games else []
        result = collector.make_report(store, embedded)
        if outputs.is_empty:
            _print_summary(result, collector, db)
        else:
            _write_files(result, store, chosen, outputs)


def _read_games(store: Store, event: Event, agent: str | None, limits: ReportLimits) -> ReportCollector:
    if event.games < _PROGRESS_FROM_GAMES:
        return read_event(store, event, agent, limits)
    with make_progress() as progress:
        task = progress.add_task("reading games", total=event.games)
        return read_event(store, event, agent, limits, lambda count: progress.update(task, completed=count))


def _write_files(result: Report, store: Store, event: Event, outputs: ReportOutputs) -> None:
    """Write the requested files and name each of them."""
    if outputs.html is not None:
        _write_text(outputs.html, render_page(result, outputs.language))
    if outputs.csv is not None:
        games, standings = find_csv_paths(outputs.csv)
        games.parent.mkdir(exist_ok=True)
        write_games(games, store.path, event.id)
        _name_file(games)
        write_standings(standings, result.groups)
        _name_file(standings)
    if outputs.figures is not None:
        outputs.figures.mkdir(exist_ok=True)
        for figure in draw_figures(result, Words(outputs.language)):
            _write_text(outputs.figures / f"{figure.name}.svg", figure.to_file())
    if outputs.json is not None:
        text = json.dumps(asdict(result), ensure_ascii=False, allow_nan=False)
        if str(outputs.json) == STANDARD_OUTPUT:
            typer.echo(text.encode(errors="replace"))  # names may contain halves of surrogate pairs
        else:
            _write_text(outputs.json, f"{text}\n")


def _write_text(path: Path, text: str) -> None:
    with open_output(path) as file:
        file.write(text)
    _name_file(path)


def _name_file(path: Path) -> None:
    typer.echo(f"wrote {replace_control_characters(str(path))}", err=True)


def _print_summary(result: Report, collector: ReportCollector, db: Path) -> None:
    """Print the event, remarks and standings."""
    words = Words("en")
    event = result.event
    planned = "" if event.planned is None else f" of {event.planned}"
    name = replace_control_characters(event.name)
    typer.echo(f"event {event.id}, {name}: {event.games}{planned} games, {event.state}")
    for note in list_notes(result, words):
        typer.echo(f"note: {replace_control_characters(note)}")
    for group, standings in collector.rank_groups().items():
        typer.echo()
        print_grid(format_standings(standings, group))
    if result.sprt_line is not None:
        typer.echo(f"\n{result.sprt_line}")
    if result.lengths:
        first = result.first_player
        typer.echo(f"\nfirst player   {format_counts(first)}, {format_score(first, 1)}")
        shortest, longest = result.lengths[0].stones, result.lengths[-1].stones
        typer.echo(f"stones         {shortest} to {longest}, median {find_median_length(result)}")
        typer.echo(f"failures       {result.failures_total}")
        typer.echo(f"lost games     {result.games.lost}" + _name_focus(result))
    command = join_command(["fourfall", "report", str(db), "--event", str(event.id), "--html", "report.html"])
    typer.echo(f"\nWrite the whole report: {command}")


def _name_focus(result: Report) -> str:
    return "" if result.focus.agent is None else f" of {replace_control_characters(result.focus.agent)}"
