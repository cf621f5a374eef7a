"""The command ``fourfall ugi``: runs an engine with the Universal Game Interface on the standard streams."""

from typing import Annotated

import typer

from fourfall import presets
from fourfall.cli.terminal import MemoryOption, ThreadsOption
from fourfall.ugi import Options, serve_stdio
from fourfall.ugi.commands import CommandError
from fourfall.ugi.options import create_engine


def ugi(
    engine: Annotated[
        str,
        typer.Option(
            "--engine", "-e", metavar="NAME", help="Name of a preset or level, or a preset file (TOML). Option Preset."
        ),
    ] = presets.DEFAULT,
    threads: ThreadsOption = None,
    memory_mb: MemoryOption = 256,
    seed: Annotated[int, typer.Option(min=0, max=2**31 - 1, help="Random seed.")] = 0,
) -> None:
    """Run an engine with the Universal Game Interface: commands on standard input, replies on standard output.

    The options are the first values of the engine's own options, which a client changes with setoption. docs/ugi.md
    describes all commands.

    Examples:

      fourfall ugi

      fourfall match "ugi:fourfall ugi --engine level-60" level-50 --games 10
    """
    options = Options(engine, threads, memory_mb, seed)
    if options != Options():
        try:
            create_engine(options)
        except CommandError as error:
            typer.echo(f"fourfall: {error}", err=True)
            raise typer.Exit(2) from None
    serve_stdio(options)
