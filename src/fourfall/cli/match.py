"""Owns ``fourfall match``: two agents, both sides of every board."""

from pathlib import Path
from typing import Annotated

import typer

from fourfall.agents.registry import check_address
from fourfall.arena.reading import SpecError
from fourfall.arena.spec import match_spec
from fourfall.cli.event_options import (
    BoardOption,
    DatabaseOption,
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

_GAMES, _GAMES_OF_A_TEST = 100, 2000

AddressArgument = Annotated[str, typer.Argument(help="A preset, a preset file, or for example library:./bot.so.")]


def match(
    a: AddressArgument,
    b: AddressArgument,
    games: Annotated[
        int | None,
        typer.Option(
            min=2,
            help="An even number, in pairs on one board; of a test, the most.",
            show_default=f"{_GAMES}, or {_GAMES_OF_A_TEST} with --sprt",
        ),
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="ELO0,ELO1",
            help="Play until it is decided whether A is stronger by the first or by the second difference in Elo.",
            show_default=False,
        ),
    ] = None,
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
    """Let two agents meet on random official boards, and say which is stronger.

    Every board is played twice, each agent once first. Ctrl-C once finishes the games in flight, twice stops at once;
    nothing that is finished is lost, and the same command with --resume goes on.

    With --sprt a sequential test ends the match as soon as either hypothesis can be accepted with about 5 % errors.

    Examples:

      fourfall match fourfall seed-002 --games 20 --time 0.2

      fourfall match library:./bot.so 'program:./other --fast' --games 200

      fourfall match python:bot.py level-5 --board 6x7 --opening 4

      fourfall match library:./new.so library:./old.so --sprt 0,30 --time 0.2
    """
    for address in (a, b):
        check_address(address)
    test = {} if sprt is None else {"sprt": _bounds(sprt)}
    spec = match_spec(
        a,
        b,
        pairs_of(games or (_GAMES_OF_A_TEST if test else _GAMES)),
        **test,
        **conditions(time, startup_time, memory_mb, board, opening, seed, no_sandbox),
    )
    contest(spec, db, resume=resume, workers=workers, pin=not no_pin)


def _bounds(text: str) -> list[float]:
    """Read two numbers; the spec says which ones make sense."""
    try:
        return [float(number) for number in text.split(",")]
    except ValueError:
        raise SpecError(f"--sprt takes two differences in Elo, the lower first, such as 0,30, not {text!r}") from None
