"""The command ``fourfall platform``: runs an engine as a program of the online platform."""

import sys
from typing import Annotated

import typer

from fourfall import Engine, Limit, presets
from fourfall.agents.protocol import ProtocolError
from fourfall.cli.terminal import EngineOption, MemoryOption, SimulationsOption
from fourfall.exports.platform_program import PlatformPlayer, serve_json, serve_text
from fourfall.exports.single_file import limit_move_time


def platform(
    engine: EngineOption = presets.DEFAULT,
    time: Annotated[
        float | None,
        typer.Option(min=0, max=1e6, help="Time per move in seconds.", show_default="the preset's, at most 2.7"),
    ] = None,
    simulations: SimulationsOption = None,
    json: Annotated[bool, typer.Option("--json", help="Use the older protocol with JSON messages.")] = False,
    memory_mb: MemoryOption = 256,
    seed: Annotated[int, typer.Option(min=0, max=2**64 - 1, help="Random seed.")] = 0,
) -> None:
    """Play as a program of the online platform: read requests from standard input, write moves to standard output.

    Examples:

      fourfall platform --engine seed-002 --time 2

      fourfall match "program:fourfall platform" seed-002 --games 10
    """
    preset = presets.load(engine)
    limit = Limit(limit_move_time(preset) if time is None else time, simulations or preset.config.simulations)
    player = PlatformPlayer(Engine(preset, seed=seed, memory_mb=memory_mb, threads=1), limit)
    serve = serve_json if json else serve_text
    try:
        serve(sys.stdin.buffer, sys.stdout.buffer, player)
    except ProtocolError as error:
        typer.echo(f"fourfall: standard input: {error}", err=True)
        raise typer.Exit(1) from None
