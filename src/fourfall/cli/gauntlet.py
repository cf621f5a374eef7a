"""Owns ``fourfall gauntlet``: one agent against a whole field."""

from pathlib import Path
from typing import Annotated

import typer

from fourfall.agents.registry import check_address
from fourfall.arena.fields import field as read_field
from fourfall.arena.spec import gauntlet_spec
from fourfall.cli.event_options import (
    BoardOption,
    DatabaseOption,
    GamesOption,
    LimitOption,
    MemoryCapOption,
    NoPinOption,
    NoSandboxOption,
    OpeningOption,
    ResumeOption,
    SeedOption,
    StartupOption,
    WorkersOption,
    conditions,
    contest,
    pairs_of,
)


def gauntlet(
    bot: Annotated[str, typer.Argument(help="The agent to be tried: its address.")],
    field: Annotated[
        list[str] | None,
        typer.Option(
            help="levels, seeds, a .txt file with an address on every line, or an address; may be repeated.",
            show_default="levels",
        ),
    ] = None,
    games: GamesOption = 20,
    time: LimitOption = 3.0,
    board: BoardOption = None,
    opening: OpeningOption = 0,
    seed: SeedOption = 0,
    startup_time: StartupOption = 10.0,
    memory_mb: MemoryCapOption = 1024,
    db: DatabaseOption = Path("arena.db"),
    resume: ResumeOption = False,
    workers: WorkersOption = None,
    no_pin: NoPinOption = False,
    no_sandbox: NoSandboxOption = False,
) -> None:
    """Find out how strong a bot is: it plays so many games against each of a field.

    Examples:

      fourfall gauntlet library:./bot.so

      fourfall gauntlet program:./bot --field seeds --games 10 --time 0.5

      fourfall gauntlet python:bot.py --field field.txt --field level-3
    """
    check_address(bot)
    others = [address for text in field or ["levels"] for address in read_field(text)]
    spec = gauntlet_spec(
        bot,
        others,
        pairs_of(games),
        **conditions(time, startup_time, memory_mb, board, opening, seed, no_sandbox),
    )
    contest(spec, db, resume=resume, workers=workers, pin=not no_pin)
