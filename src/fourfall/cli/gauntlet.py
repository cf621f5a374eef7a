"""The command ``fourfall gauntlet``: one agent against a field of opponents."""

from typing import Annotated

import typer

from fourfall.agents.registry import check_address
from fourfall.arena.opponents import list_opponents
from fourfall.arena.spec import Spec
from fourfall.cli.database import DEFAULT_DATABASE, DatabaseOption
from fourfall.cli.event_options import (
    BoardOption,
    GamesOption,
    MemoryLimitOption,
    MoveTimeOption,
    NoPinOption,
    NoSandboxOption,
    OpeningOption,
    PonderOption,
    ResumeOption,
    SeedOption,
    StartupTimeOption,
    WorkersOption,
    count_pairs,
)
from fourfall.cli.event_runner import run_event_in_terminal


def gauntlet(
    bot: Annotated[str, typer.Argument(help="Address of the agent to rate.")],
    field: Annotated[
        list[str] | None,
        typer.Option(
            help="Opponents: levels, seeds, a .txt file with one address per line, or an address. Repeatable.",
            show_default="levels",
        ),
    ] = None,
    games: GamesOption = 20,
    time: MoveTimeOption = 3.0,
    board: BoardOption = None,
    opening: OpeningOption = 0,
    seed: SeedOption = 0,
    startup_time: StartupTimeOption = 10.0,
    memory_mb: MemoryLimitOption = 1024,
    db: DatabaseOption = DEFAULT_DATABASE,
    resume: ResumeOption = False,
    workers: WorkersOption = None,
    no_pin: NoPinOption = False,
    ponder: PonderOption = False,
    no_sandbox: NoSandboxOption = False,
) -> None:
    """Rate a bot: play a number of games against each opponent of a field.

    Examples:

      fourfall gauntlet library:./bot.so

      fourfall gauntlet program:./bot --field seeds --games 10 --time 0.5

      fourfall gauntlet python:bot.py --field field.txt --field level-3
    """
    check_address(bot)
    others = [address for text in field or ["levels"] for address in list_opponents(text)]
    spec = Spec.gauntlet(
        bot,
        others,
        pairs=count_pairs(games),
        move_time_s=time,
        startup_time_s=startup_time,
        memory_mb=memory_mb,
        boards=board or (),
        opening=opening,
        seed=seed,
        sandbox=not no_sandbox,
        ponder=ponder,
    )
    run_event_in_terminal(spec, db, resume=resume, workers=workers, pin=not no_pin)
