"""Searches the turning points of a report with a progress bar; Ctrl-C ends the search and keeps what was found."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from fourfall.arena.record import GameRecord
from fourfall.arena.store import Store
from fourfall.report.analysis_cache import find_cache_path
from fourfall.report.collect import ReportCollector, is_lost, load_records
from fourfall.report.loss_batch import analyse_losses
from fourfall.report.report_game import ReportGame
from fourfall.report.turning_points import LossAnalysis


def make_progress() -> Progress:
    """Return a progress bar on stderr, if that is a terminal; it disappears at the end."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


def find_turning_points(store: Store, collector: ReportCollector, max_time_s: float) -> list[ReportGame]:
    """Return the games of the report, with the turning points of the lost ones as far as the time suffices."""
    records = load_records(store, collector)
    places = {row.name: place for rows in collector.rank_groups().values() for place, row in enumerate(rows)}
    # Losses against the weakest agents are the most surprising ones, so they are searched first.
    surprising = sorted(records, key=lambda item: -places.get(item[1].names[item[1].winner or 0], 0))
    lost = {game: record for game, record in surprising if is_lost(record, collector.focus)}
    found = dict(zip(lost, _search(list(lost.values()), store, max_time_s), strict=True)) if lost else {}
    missing = sum(analysis.state == "open" for analysis in found.values())
    if missing and max_time_s:
        typer.echo(f"fourfall: {missing} of {len(lost)} lost games are not analysed; run again to continue", err=True)
    games = []
    for game, record in records:
        analysis = found.get(game, LossAnalysis("not lost"))
        games.append(ReportGame.from_record(game, record, analysis.turning_point, analysis.state))
    return games


def _search(records: list[GameRecord], store: Store, max_time_s: float) -> list[LossAnalysis]:
    stopping = threading.Event()
    with make_progress() as progress, _handle_interrupts(stopping):
        task = progress.add_task("searching turning points (Ctrl-C stops)", total=len(records))
        return analyse_losses(
            records,
            max_time_s=max_time_s,
            cache=find_cache_path(store.path),
            on_progress=lambda done, _: progress.update(task, completed=done),
            stopping=stopping,
        )


@contextmanager
def _handle_interrupts(stopping: threading.Event) -> Iterator[None]:
    """Let the first Ctrl-C end the search; the second one ends the program."""

    def handle(_signal: int, _frame: FrameType | None) -> None:
        if stopping.is_set():
            raise KeyboardInterrupt
        stopping.set()

    previous = signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
