"""The commands ``fourfall export library`` and ``fourfall export platform``: an engine for other judges."""

from pathlib import Path
from typing import Annotated

import typer

from fourfall.cli.terminal import EngineOption
from fourfall.exports.platform_submission import COMPILE_COMMAND, export_submission
from fourfall.exports.single_file import make_settings
from fourfall.exports.strategy_library import export_library, make_compile_command
from fourfall.presets import DEFAULT
from fourfall.system.command_line import join_command

_TimeOption = Annotated[
    float | None,
    typer.Option(min=0.01, max=1e6, help="Time per move in seconds.", show_default="the preset's, at most 2.7"),
]
_MemoryOption = Annotated[
    int,
    typer.Option(min=1, max=900, help="Memory of the search in MiB; the platform allows 1024 for the whole program."),
]
_SeedOption = Annotated[int, typer.Option(min=0, max=2**64 - 1, help="Random seed; different seeds play differently.")]


def export_library_command(
    folder: Annotated[
        Path,
        typer.Argument(metavar="DIR", help="Folder for source and library; created if missing, but not its parent."),
    ],
    engine: EngineOption = DEFAULT,
    time: _TimeOption = None,
    memory_mb: _MemoryOption = 512,
    seed: _SeedOption = 0,
) -> None:
    """Compile an engine with its network into a strategy library, using the local C++ compiler.

    Examples:

      fourfall export library exported

      fourfall export library . --engine seed-002 --time 1
    """
    settings = make_settings(engine, time, memory_mb, seed)
    typer.echo(join_command(make_compile_command(settings.name)))
    typer.echo(export_library(folder, settings))


def export_platform_command(
    path: Annotated[Path, typer.Argument(metavar="OUT.zip", help="Zip file to write.")],
    engine: EngineOption = DEFAULT,
    time: _TimeOption = None,
    memory_mb: _MemoryOption = 512,
    seed: _SeedOption = 0,
) -> None:
    """Write an engine with its network as a submission for the online platform: a zip with main.cpp.

    Examples:

      fourfall export platform fourfall.zip

      fourfall export platform slow.zip --engine seed-003 --time 2.5
    """
    export_submission(path, make_settings(engine, time, memory_mb, seed))
    typer.echo(f"{path}: main.cpp compiles with\n{COMPILE_COMMAND}")
