"""Options, input parsing and progress display that several commands share."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from rich.console import Console, RenderableType
from rich.live import Live

from fourfall import Board, Limit
from fourfall.system.users import get_data_folder
from fourfall.watched_thread import run_watched

Result = TypeVar("Result")

PositionArgument = Annotated[
    str,
    typer.Argument(
        metavar="POSITION", help="Position ROWSxCOLS\\[@row,col]\\[:moves], or - to read it from standard input."
    ),
]
TimeOption = Annotated[float | None, typer.Option(min=0, max=1e6, help="Maximum time in seconds.", show_default=False)]
SimulationsOption = Annotated[int | None, typer.Option(min=1, max=2**62, help="Maximum number of simulations.")]
PositionsOption = Annotated[int | None, typer.Option(min=1, max=2**62, help="Maximum number of positions searched.")]
CensusOption = Annotated[
    bool,
    typer.Option("--census/--no-census", help="Look an empty board up in the census of solved boards; if off, search."),
]
MemoryOption = Annotated[int, typer.Option(min=1, max=2**20, help="Memory limit in MiB.")]
ThreadsOption = Annotated[
    int | None,
    typer.Option(min=1, max=64, help="Number of search threads (a tree search uses one).", show_default="the preset's"),
]
EngineOption = Annotated[
    str,
    typer.Option(
        "--engine", "-e", metavar="NAME", help="Name of a preset (see fourfall engines), or a preset file (TOML)."
    ),
]


def read_position(text: str) -> Board:
    """Parse a position given on the command line.

    >>> read_position("6x7:44").ply
    2
    """
    return Board.parse(sys.stdin.read().strip() if text == "-" else text)


def read_limit(time: float | None, simulations: int | None, *, stop_early: bool = False) -> Limit:
    """Build a limit from command line options."""
    try:
        return Limit(time, simulations, stop_early=stop_early)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--time") from None


def create_data_folder() -> Path:
    """Return the folder of Fourfall in the user's data folder; create it if necessary."""
    folder = get_data_folder() / "fourfall"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def wants_color() -> bool:
    """Whether to print in colour: standard output is a terminal and NO_COLOR is not set."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def run_with_progress(
    work: Callable[[], Result], stop: Callable[[], None], show: Callable[[], RenderableType | None] | None
) -> Result:
    """Run `work` in a thread and redraw `show()` on a terminal; Ctrl-C calls `stop` and waits for the result."""
    console = Console(highlight=False)
    with Live(console=console, auto_refresh=False, transient=True) as screen:

        def redraw() -> None:
            progress = show() if show is not None and console.is_terminal else None
            if progress is not None:
                screen.update(progress, refresh=True)

        return run_watched(work, stop, redraw)
