"""Owns ``fourfall match``: two agents, both sides of every board."""

from pathlib import Path
from typing import Annotated

import typer

from fourfall.agents.registry import check
from fourfall.arena.spec import match_spec
from fourfall.cli.contest import (
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

AddressArgument = Annotated[str, typer.Argument(help="A preset, a preset file, or for example library:./bot.so.")]


def match(
    a: AddressArgument,
    b: AddressArgument,
    games: GamesOption = 100,
    limit: LimitOption = 3.0,
    board: BoardOption = None,
    opening: OpeningOption = 0,
    seed: SeedOption = 0,
    startup: StartupOption = 10.0,
    memory: MemoryCapOption = 1024,
    db: DatabaseOption = Path("arena.db"),
    resume: ResumeOption = False,
    workers: WorkersOption = None,
    no_pin: NoPinOption = False,
    no_sandbox: NoSandboxOption = False,
) -> None:
    """Let two agents meet on random official boards, and say which is stronger.

    Every board is played twice, each agent once first. Ctrl-C once finishes the games in flight, twice stops at once;
    nothing that is finished is lost, and the same command with --resume goes on.

    Examples:

      fourfall match fourfall seed-002 --games 20 --limit 0.2

      fourfall match library:./bot.so 'program:./other --fast' --games 200

      fourfall match python:bot.py level-5 --board 6x7 --opening 4
    """
    for address in (a, b):
        check(address)
    spec = match_spec(
        a,
        b,
        pairs_of(games),
        **conditions(limit, startup, memory, board, opening, seed, no_sandbox),
    )
    contest(spec, db, resume=resume, workers=workers, pin=not no_pin)
