"""The command ``fourfall report``: a report about an event as HTML, CSV, JSON, SVG or text."""

from pathlib import Path
from typing import Annotated

import typer

from fourfall.cli.database import DEFAULT_DATABASE, DatabaseArgument, EventOption
from fourfall.report.words import LANGUAGES, Language


def report(
    db: DatabaseArgument = DEFAULT_DATABASE,
    event: EventOption = None,
    agent: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Agent whose lost games, boards and slowest moves are reported.",
            show_default="the challenger of a gauntlet, else all agents",
        ),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="HTML file to write; it needs no other file.", show_default=False),
    ] = None,
    lang: Annotated[str, typer.Option(metavar="en|zh", help="Language of the HTML file and the figures.")] = "en",
    csv: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE|DIR",
            help="CSV file of the games, with FILE-standings.csv beside it; or a folder for both.",
            show_default=False,
        ),
    ] = None,
    json_file: Annotated[
        Path | None,
        typer.Option("--json", metavar="FILE", help="JSON file to write; - for standard output.", show_default=False),
    ] = None,
    figures: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder for the figures as SVG files.", show_default=False)
    ] = None,
    games: Annotated[
        int, typer.Option(min=0, max=10_000, help="Maximum number of games on the replayable board.")
    ] = 100,
    analysis_time: Annotated[
        float,
        typer.Option(
            min=0, max=1e6, help="Time in seconds for the search of turning points, in total; 0 searches nothing."
        ),
    ] = 60.0,
) -> None:
    """Write a report about an event: standings, boards, times, failures, games and turning points.

    The event is the latest one unless --event is given. The HTML file is complete in itself and can be printed. Turning
    points are searched for the HTML and JSON files; Ctrl-C ends the search and writes the report, and the same command
    continues it. Without an output option a short summary is printed.

    Examples:

      fourfall report arena.db --html report.html

      fourfall report --agent mine --html report.html --lang zh --analysis-time 300

      fourfall report --event 3 --csv tables --json report.json --figures figures
    """
    # Imported here because NumPy takes longer to import than most commands run.
    from fourfall.cli.report_run import ReportOutputs, run_report

    outputs = ReportOutputs(html, csv, json_file, figures, _read_language(lang))
    run_report(db, event, agent, outputs, games=games, analysis_time_s=analysis_time)


def _read_language(text: str) -> Language:
    for language in LANGUAGES:
        if text == language:
            return language
    raise typer.BadParameter(f"{text!r} is unknown; choose one of {', '.join(LANGUAGES)}", param_hint="--lang")
