"""Options and table output of the commands that read stored games."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from fourfall.arena.tables import Grid

DEFAULT_DATABASE = Path("arena.db")

DatabaseArgument = Annotated[Path, typer.Argument(metavar="[DB]", help="Database of the arena (SQLite file).")]
DatabaseOption = Annotated[Path, typer.Option("--db", metavar="DB", help="Database of the arena (SQLite file).")]
EventOption = Annotated[
    int | None, typer.Option("--event", metavar="N", help="Number of the event.", show_default=False)
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def print_grid(grid: Grid) -> None:
    """Print a table on a terminal; elsewhere print aligned lines without truncation."""
    if sys.stdout.isatty():
        Console(highlight=False).print(grid.to_rich())
    else:
        typer.echo("\n".join(grid.to_lines()))
