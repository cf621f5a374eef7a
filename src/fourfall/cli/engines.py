"""Owns ``fourfall engines``: lists the presets and levels, and shows a preset."""

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from fourfall import presets
from fourfall.agents.levels import LEVELS

engines = typer.Typer(invoke_without_command=True)


@engines.callback()
def list_engines(context: typer.Context) -> None:
    """List the engines, or show how one is made.

    A file of your own works wherever a name does: start it with base = "fourfall" and say what differs.

    Examples:

      fourfall engines

      fourfall engines show seed-003 > mine.toml
    """
    if context.invoked_subcommand is not None:
        return
    table = Table("engine", "what it is", box=None)
    for name in presets.names():
        table.add_row(name, presets.load(name).summary)
    for name, level in LEVELS.items():
        table.add_row(name, f"{level.preset} with {level.simulations:,} simulations a move, to play against")
    Console(highlight=False, soft_wrap=True).print(table)


@engines.command()
def show(
    name: Annotated[str, typer.Argument(help="A preset's name, or a TOML file.")],
    whole: Annotated[bool, typer.Option("--whole", help="Every key, not only what differs from the base.")] = False,
) -> None:
    """Print a preset as it is written.

    Examples:

      fourfall engines show seed-003

      fourfall engines show seed-004-v12 --whole > mine.toml
    """
    preset = presets.load(name)
    typer.echo(
        f"summary = {json.dumps(preset.summary, ensure_ascii=False)}\n\n{presets.spelled_out(preset.config)}"
        if whole
        else preset.source.rstrip()
    )
