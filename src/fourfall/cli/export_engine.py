"""Owns ``fourfall export library`` and ``fourfall export platform``: our engine for the judges of others."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from fourfall.cli.terminal import EngineOption
from fourfall.exports.platform_submission import COMPILE_COMMAND, export_submission
from fourfall.exports.single_file import make_settings
from fourfall.exports.strategy_library import export_library, make_compile_command
from fourfall.presets import DEFAULT

_TimeOption = Annotated[
    float | None, typer.Option(min=0.01, max=1e6, help="Seconds a move.", show_default="the preset's, at most 2.7")
]
_MemoryOption = Annotated[int, typer.Option(min=1, max=900, help="Memory in MiB; the platform allows 1024 in all.")]
_SeedOption = Annotated[int, typer.Option(min=0, max=2**64 - 1, help="Another one makes another player.")]


def library(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Where source and library go; made if it is not there.")
    ],
    engine: EngineOption = DEFAULT,
    time: _TimeOption = None,
    memory_mb: _MemoryOption = 512,
    seed: _SeedOption = 0,
) -> None:
    """Make an engine, its network included, into a strategy library, with the local C++ compiler.

    Examples:

      fourfall export library build/fourfall

      fourfall export library . --engine seed-002 --time 1
    """
    settings = make_settings(engine, time, memory_mb, seed)
    typer.echo(shlex.join(make_compile_command(settings.name)))
    typer.echo(export_library(folder, settings))


def submission(
    path: Annotated[Path, typer.Argument(metavar="OUT.zip", help="The zip to hand in.")],
    engine: EngineOption = DEFAULT,
    time: _TimeOption = None,
    memory_mb: _MemoryOption = 512,
    seed: _SeedOption = 0,
) -> None:
    """Make an engine, its network included, into a submission to the online platform: a zip with main.cpp.

    Examples:

      fourfall export platform fourfall.zip

      fourfall export platform slow.zip --engine seed-003 --time 2.5
    """
    export_submission(path, make_settings(engine, time, memory_mb, seed))
    typer.echo(f"{path}: main.cpp compiles with\n{COMPILE_COMMAND}")
