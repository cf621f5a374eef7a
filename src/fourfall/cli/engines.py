"""The command ``fourfall engines``: lists presets and levels, prints a preset."""

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Column, Table

from fourfall import presets
from fourfall.agents.levels import LEVELS

engines = typer.Typer(invoke_without_command=True)


@engines.callback()
def list_engines(context: typer.Context) -> None:
    """List the built-in engines, or print the settings of one.

    Elo is the rating of a level above random play, measured in a tournament of the levels.

    A preset file can be given wherever a name is accepted: begin it with base = "fourfall" and add the keys that
    differ.

    Examples:

      fourfall engines

      fourfall engines show seed-003 > mine.toml
    """
    if context.invoked_subcommand is not None:
        return
    table = Table("engine", "description", Column("Elo", justify="right"), box=None)
    for name in presets.list_names():
        table.add_row(name, presets.load(name).summary, "")
    for name, level in LEVELS.items():
        simulations = f"{level.simulations:,} simulation{'s' * (level.simulations > 1)}"
        table.add_row(name, f"{level.preset} with {simulations} per move", f"{level.elo}")
    Console(highlight=False, soft_wrap=True).print(table)


@engines.command()
def show(
    name: Annotated[str, typer.Argument(help="Name of a preset, or a preset file (TOML).")],
    all_keys: Annotated[
        bool, typer.Option("--all-keys", help="Print every key, including those inherited from the base.")
    ] = False,
) -> None:
    """Print a preset as TOML.

    Examples:

      fourfall engines show seed-003

      fourfall engines show seed-004-v12 --all-keys > mine.toml
    """
    preset = presets.load(name)
    typer.echo(
        f"summary = {json.dumps(preset.summary, ensure_ascii=False)}\n\n{presets.to_toml(preset.config)}"
        if all_keys
        else preset.source.rstrip()
    )
