"""Owns what the commands on stored games share: how a database is named, and how a grid of cells is printed."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from fourfall.arena.report import Grid

DEFAULT_DATABASE = Path("arena.db")

DatabaseArgument = Annotated[Path, typer.Argument(metavar="[DB]", help="The arena's database.")]
DatabaseOption = Annotated[Path, typer.Option("--db", metavar="DB", help="The arena's database.")]
EventOption = Annotated[int | None, typer.Option("--event", metavar="N", help="Only this event.", show_default=False)]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def print_grid(grid: Grid) -> None:
    """Print a table to a terminal, and plain lines, never cut, to anything else."""
    if sys.stdout.isatty():
        Console(highlight=False).print(grid.table())
    else:
        typer.echo("\n".join(grid.lines()))
