"""Owns the command line: every command is a few lines over the library, in a module of its own."""

import logging
import os
import sys
from collections.abc import Callable

import typer

from fourfall import EngineError, IllegalMove, InvalidBoard, NotationError, PresetError, WeightsError, __version__
from fourfall.agents.registry import AddressError
from fourfall.agents.sandbox import SandboxUnavailable
from fourfall.arena.executor import WorkerError
from fourfall.arena.record import RecordError
from fourfall.arena.spec import SpecError
from fourfall.arena.store import StoreError, StoreFailure
from fourfall.cli.analyse import analyse
from fourfall.cli.ask import ask
from fourfall.cli.bench import bench
from fourfall.cli.board import board
from fourfall.cli.compete import compete
from fourfall.cli.doctor import doctor
from fourfall.cli.engines import engines
from fourfall.cli.events import events
from fourfall.cli.export import export
from fourfall.cli.export_engine import library, submission
from fourfall.cli.games import games
from fourfall.cli.gauntlet import gauntlet
from fourfall.cli.import_games import import_games
from fourfall.cli.match import match
from fourfall.cli.perft import perft
from fourfall.cli.platform import platform
from fourfall.cli.play import play
from fourfall.cli.serve import serve
from fourfall.cli.show import show
from fourfall.cli.solve import solve
from fourfall.cli.tournament import tournament
from fourfall.exports.single_file import ExportError

app = typer.Typer(
    name="fourfall",
    help="""A gravity-four laboratory.

    Positions are written ROWSxCOLS\\[@row,col]\\[:moves], for example 10x11@4,7:6655.""",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)
_PANELS: dict[str, tuple[Callable[..., None], ...]] = {
    "Play and analyse": (serve, play, analyse, solve, board),
    "The arena": (match, gauntlet, tournament, compete, events, games, show, ask),
    "Elsewhere": (platform,),
    "This machine": (doctor, perft, bench),
}
for _panel, _commands in _PANELS.items():
    for _command in _commands:
        app.command(rich_help_panel=_panel)(_command)
app.add_typer(engines, name="engines", rich_help_panel="Play and analyse")
app.command("import", rich_help_panel="The arena")(import_games)
export.command("library")(library)
export.command("platform")(submission)
app.add_typer(export, name="export", rich_help_panel="Elsewhere")

_MISTAKES = (
    AddressError,
    EngineError,
    IllegalMove,
    InvalidBoard,
    NotationError,
    PresetError,
    RecordError,
    SandboxUnavailable,
    SpecError,
    StoreError,
    WeightsError,
)
_FAILURES = (ExportError, StoreFailure, WorkerError)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"fourfall {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(False, "--version", callback=_print_version, is_eager=True, help="Print the version."),
) -> None:
    pass


def main() -> None:
    """Run the command line; bad input ends in one line and exit code 2, a failure in one line and 1."""
    _let_the_library_speak()
    try:
        app(prog_name="fourfall")
    except _MISTAKES as mistake:
        _fail(2, str(mistake))
    except _FAILURES as failure:
        _fail(1, str(failure))
    except BrokenPipeError:
        # The reader has seen enough; point stdout elsewhere so that the interpreter's last flush stays quiet.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except MemoryError:
        _fail(1, "there is not enough memory for that")
    except OSError as error:
        _fail(1, f"{error.filename}: {error.strerror}" if error.filename else str(error))


def _let_the_library_speak() -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("fourfall: %(message)s"))
    logging.getLogger("fourfall").addHandler(handler)


def _fail(code: int, message: str) -> None:
    # What came from the user may hold bytes that the terminal's encoding cannot show.
    line = f"fourfall: {message}\n".encode(sys.stderr.encoding or "utf-8", errors="replace")
    sys.stderr.buffer.write(line)
    sys.exit(code)
