"""Owns what the commands share: how a position is given, whether to use colour, how long work is watched."""

import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Annotated, TypeVar

import typer
from rich.console import Console, RenderableType
from rich.live import Live

from fourfall import Board, Limit

Result = TypeVar("Result")

PositionArgument = Annotated[
    str,
    typer.Argument(metavar="POSITION", help="ROWSxCOLS\\[@row,col]\\[:moves], or - for standard input."),
]
TimeOption = Annotated[float | None, typer.Option(min=0, max=1e6, help="Seconds at most.", show_default=False)]
SimulationsOption = Annotated[int | None, typer.Option(min=1, max=2**62, help="Maximum number of simulations.")]
PositionsOption = Annotated[int | None, typer.Option(min=1, max=2**62, help="Maximum number of positions searched.")]
MemoryOption = Annotated[int, typer.Option(min=1, max=2**20, help="Memory in MiB.")]
ThreadsOption = Annotated[
    int | None,
    typer.Option(min=1, max=64, help="Threads; a tree search runs in one.", show_default="the preset's"),
]
EngineOption = Annotated[str, typer.Option("--engine", "-e", metavar="NAME", help="A preset, or a TOML file.")]


def read_position(text: str) -> Board:
    """Parse a position given on the command line.

    >>> read_position("6x7:44").ply
    2
    """
    return Board.parse(sys.stdin.read().strip() if text == "-" else text)


def read_limit(time: float | None, simulations: int | None, *, stop_early: bool = False) -> Limit:
    """Make a limit of what was given on the command line."""
    try:
        return Limit(time, simulations, stop_early=stop_early)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--time") from None


def wants_color() -> bool:
    """Whether standard output is a terminal that has not asked for plain text (the NO_COLOR convention)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def watched(
    work: Callable[[], Result], stop: Callable[[], None], show: Callable[[], RenderableType | None] | None
) -> Result:
    """Do long work in a thread while the terminal, if there is one, shows how it goes; Ctrl-C stops it softly."""
    console = Console(highlight=False)
    with ThreadPoolExecutor(1) as pool, Live(console=console, auto_refresh=False, transient=True) as screen:
        running = pool.submit(work)
        while True:
            try:
                wait([running], timeout=0.1)
                if running.done():
                    return running.result()
                picture = show() if show is not None and console.is_terminal else None
                if picture is not None:
                    screen.update(picture, refresh=True)
            except KeyboardInterrupt:
                stop()
