"""The command line: registers the commands and turns errors into one line and an exit code."""

import inspect
import logging
import os
import sys
from collections.abc import Callable

import typer

from fourfall import EngineError, IllegalMove, InvalidBoard, NotationError, PresetError, WeightsError, __version__
from fourfall.agents.child_processes import remove_relative_entries
from fourfall.agents.registry import AddressError
from fourfall.agents.sandbox import SandboxUnavailable
from fourfall.arena.executor import WorkerError
from fourfall.arena.rating_input import RatingError
from fourfall.arena.record import RecordError
from fourfall.arena.spec import SpecError
from fourfall.arena.store import StoreError, StoreFailure
from fourfall.arena.tables import clean_lines, replace_control_characters
from fourfall.cli.analyse import analyse
from fourfall.cli.ask import ask
from fourfall.cli.bench import bench
from fourfall.cli.board import board
from fourfall.cli.compare import compare
from fourfall.cli.compete import compete
from fourfall.cli.dataset import dataset
from fourfall.cli.doctor import doctor
from fourfall.cli.engines import engines
from fourfall.cli.events import events
from fourfall.cli.experiments import experiments
from fourfall.cli.explain import explain
from fourfall.cli.export import export
from fourfall.cli.export_engine import export_library_command, export_platform_command
from fourfall.cli.export_kaggle import export_kaggle_command
from fourfall.cli.export_onnx import export_onnx_command
from fourfall.cli.games import games
from fourfall.cli.gauntlet import gauntlet
from fourfall.cli.import_games import import_games
from fourfall.cli.ladder import ladder
from fourfall.cli.match import match
from fourfall.cli.new import new
from fourfall.cli.perft import perft
from fourfall.cli.platform import platform
from fourfall.cli.play import play
from fourfall.cli.puzzle_mining import make_puzzles
from fourfall.cli.puzzles import puzzles, solve_puzzles
from fourfall.cli.rate import rate
from fourfall.cli.report import report
from fourfall.cli.serve import serve
from fourfall.cli.show import show
from fourfall.cli.solve import solve
from fourfall.cli.tournament import tournament
from fourfall.cli.ugi import ugi
from fourfall.cli.watch_bot import watch_bot
from fourfall.cluster.archive import ArchiveError
from fourfall.cluster.errors import ClusterAddressError
from fourfall.coach.puzzles import ProgressError, PuzzleError
from fourfall.datasets.errors import DatasetError, DatasetFailure
from fourfall.experiments.experiment import ExperimentError
from fourfall.exports.single_file import ExportError
from fourfall.kits.starter_kit import KitError
from fourfall.system.command_line import forbid_current_folder
from fourfall.system.standard_streams import use_utf8

app = typer.Typer(
    name="fourfall",
    help="""Play, analyse, solve and rate gravity four.

    A position is written ROWSxCOLS\\[@row,col]\\[:moves], for example 10x11@4,7:6655.""",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)
_PANELS: dict[str, tuple[Callable[..., None], ...]] = {
    "Play and analyse": (serve, play, analyse, explain, solve, board),
    "Write bots": (new, watch_bot),
    "Rate bots": (match, compare, gauntlet, tournament, rate, compete, events, report, games, show, ask),
    "Use elsewhere": (platform, ugi),
    "This machine": (doctor, perft, bench),
}
for _panel, _commands in _PANELS.items():
    for _command in _commands:
        app.command(rich_help_panel=_panel)(_command)
app.add_typer(engines, name="engines", rich_help_panel="Play and analyse")
puzzles.command("make")(make_puzzles)
app.add_typer(puzzles, name="puzzles", rich_help_panel="Play and analyse")
app.add_typer(ladder, name="ladder", rich_help_panel="Rate bots")
app.add_typer(experiments, name="experiments", rich_help_panel="Rate bots")
app.command("import", rich_help_panel="Rate bots")(import_games)
export.command("library")(export_library_command)
export.command("platform")(export_platform_command)
export.command("kaggle")(export_kaggle_command)
export.command("onnx")(export_onnx_command)
app.add_typer(export, name="export", rich_help_panel="Use elsewhere")
app.add_typer(dataset, name="dataset", rich_help_panel="Use elsewhere")


def _unwrap_paragraphs(text: str) -> str:
    """Join the lines of each paragraph, so that help fits any terminal width; indented examples stay as they are."""
    paragraphs = inspect.cleandoc(text).split("\n\n")
    return "\n\n".join(part if part.startswith("  ") else " ".join(part.split()) for part in paragraphs)


for _group in (app, dataset, engines, experiments, export, ladder, puzzles):
    for _registered in _group.registered_commands:
        _registered.help = _unwrap_paragraphs(_registered.callback.__doc__ or "")
puzzles.info.help = _unwrap_paragraphs(solve_puzzles.__doc__ or "")

_USER_ERRORS = (
    AddressError,
    ArchiveError,
    ClusterAddressError,
    DatasetError,
    EngineError,
    ExperimentError,
    IllegalMove,
    InvalidBoard,
    KitError,
    NotationError,
    PresetError,
    ProgressError,
    PuzzleError,
    RatingError,
    RecordError,
    SandboxUnavailable,
    SpecError,
    StoreError,
    WeightsError,
)
_FAILURES = (DatasetFailure, ExportError, StoreFailure, WorkerError)


def _print_version(is_wanted: bool) -> None:
    if is_wanted:
        typer.echo(f"fourfall {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(
        False, "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
    ),
) -> None:
    pass


def main() -> None:
    """Run the command line. Bad input prints one line and exits with 2, a failure prints one line and exits with 1."""
    _log_to_stderr()
    use_utf8()
    forbid_current_folder()
    remove_relative_entries(os.environ)  # the current folder may contain third-party code
    try:
        app(prog_name="fourfall")
    except _USER_ERRORS as error:
        _fail(2, str(error))
    except _FAILURES as error:
        _fail(1, str(error))
    except BrokenPipeError:
        # The reader of our output has closed the pipe. Redirect stdout so that the interpreter's final flush succeeds.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except MemoryError:
        _fail(1, "not enough memory; choose a smaller --memory-mb")
    except OSError as error:
        _fail(1, f"{error.filename}: {error.strerror}" if error.filename else str(error))


class _CleanFormatter(logging.Formatter):
    """Replaces control characters, because messages may quote text of third-party code."""

    def format(self, record: logging.LogRecord) -> str:
        return clean_lines(super().format(record))


def _log_to_stderr() -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(_CleanFormatter("fourfall: %(message)s"))
    logging.getLogger("fourfall").addHandler(handler)


def _fail(code: int, message: str) -> None:
    # The message may quote control characters, and characters that the terminal's encoding lacks.
    line = f"fourfall: {replace_control_characters(message)}\n".encode(sys.stderr.encoding or "utf-8", errors="replace")
    sys.stderr.buffer.write(line)
    sys.exit(code)
