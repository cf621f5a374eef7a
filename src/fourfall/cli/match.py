"""The command ``fourfall match``: a match between two agents."""

from typing import Annotated

import typer

from fourfall.agents.registry import check_address
from fourfall.arena.spec import Spec
from fourfall.cli.cluster_options import ClusterOption
from fourfall.cli.database import DEFAULT_DATABASE, DatabaseOption
from fourfall.cli.event_options import (
    BoardOption,
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
    parse_sprt,
)
from fourfall.cli.event_runner import run_event_in_terminal

_GAMES, _GAMES_WITH_SPRT = 100, 2000

AddressArgument = Annotated[
    str, typer.Argument(help="Preset, preset file, level or address, for example library:./bot.so.")
]


def match(
    a: AddressArgument,
    b: AddressArgument,
    games: Annotated[
        int | None,
        typer.Option(
            min=2,
            help="Number of games (even: each board is played twice). With --sprt, the maximum.",
            show_default=f"{_GAMES}, or {_GAMES_WITH_SPRT} with --sprt",
        ),
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="ELO0,ELO1",
            help="Stop when a sequential test accepts one of two Elo differences of A over B.",
            show_default=False,
        ),
    ] = None,
    time: MoveTimeOption = 3.0,
    board: BoardOption = None,
    opening: OpeningOption = 0,
    seed: SeedOption = 0,
    startup_time: StartupTimeOption = 10.0,
    memory_mb: MemoryLimitOption = 1024,
    db: DatabaseOption = DEFAULT_DATABASE,
    resume: ResumeOption = False,
    workers: WorkersOption = None,
    cluster: ClusterOption = None,
    no_pin: NoPinOption = False,
    ponder: PonderOption = False,
    no_sandbox: NoSandboxOption = False,
) -> None:
    """Play a match between two agents on random official boards and estimate the Elo difference.

    Every board is played twice, each agent once first. Ctrl-C lets the running games finish, a second Ctrl-C stops at
    once. Finished games are stored; the same command with --resume continues the match.

    With --sprt a sequential test stops the match when either hypothesis can be accepted with an error rate of about
    5 %.

    Examples:

      fourfall match fourfall seed-002 --games 20 --time 0.2

      fourfall match library:./bot.so 'program:./other --fast' --games 200

      fourfall match python:bot.py level-50 --board 6x7 --opening 4

      fourfall match library:./new.so library:./old.so --sprt 0,30 --time 0.2

      fourfall match level-20 level-30 --games 1000 --cluster local:4
    """
    for address in (a, b):
        check_address(address)
    test = None if sprt is None else parse_sprt(sprt)
    spec = Spec.match(
        a,
        b,
        pairs=count_pairs(games or (_GAMES if test is None else _GAMES_WITH_SPRT)),
        move_time_s=time,
        startup_time_s=startup_time,
        memory_mb=memory_mb,
        boards=board or (),
        opening=opening,
        seed=seed,
        sandbox=not no_sandbox,
        ponder=ponder,
        sprt=test,
    )
    run_event_in_terminal(spec, db, resume=resume, workers=workers, pin=not no_pin, cluster=cluster)
