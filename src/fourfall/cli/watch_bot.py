"""The command ``fourfall watch-bot``: plays a bot while it is being written, and shows how its score changes."""

from pathlib import Path
from typing import Annotated

import typer

from fourfall.agents.registry import check_address
from fourfall.arena.spec import MAX_PAIRS
from fourfall.arena.store import Store
from fourfall.cli.database import DatabaseOption
from fourfall.cli.event_options import (
    MoveTimeOption,
    NoSandboxOption,
    SeedOption,
    WorkersOption,
    complete_address,
)
from fourfall.cli.watch_session import MatchSettings, WatchSession
from fourfall.kits.bot_project import find_bot_project

_DATABASE = Path("watch.db")


def watch_bot(
    bot: Annotated[
        Path,
        typer.Argument(
            metavar="BOT",
            help="Folder of the bot, as fourfall new creates it, or a .py file, strategy library or program.",
        ),
    ],
    against: Annotated[str, typer.Option(metavar="AGENT", help="Opponent: a level or any address.")] = "level-60",
    time: MoveTimeOption = 0.3,
    pairs: Annotated[
        int, typer.Option(min=1, max=MAX_PAIRS, help="Number of pairs of games that each version plays.")
    ] = 100,
    once: Annotated[bool, typer.Option("--once", help="Play one version and exit, instead of waiting for changes.")] = (
        False
    ),
    seed: SeedOption = 0,
    db: DatabaseOption = _DATABASE,
    workers: WorkersOption = None,
    no_sandbox: NoSandboxOption = False,
) -> None:
    """Build a bot after every change of its files, play it against an opponent and show the score.

    Every version plays the same opponent on the same boards, each board twice. The score of the version before is
    kept, and both are compared on the boards that both have played. Errors of the compiler, crashes and timeouts are
    shown. Ctrl-C ends the command and prints a summary.

    A folder with a Makefile is built with make, outside the sandbox, like any program that you build yourself: use
    this command only for your own bot. The bot itself runs in the sandbox. The build gets a folder of its own (OUT) and
    a thinking time that fits --time (MOVE_TIME_MS), so it does not change what you build with make yourself.

    With --once the exit code is 1 if the build or the start of the bot fails.

    Examples:

      fourfall watch-bot mybot

      fourfall watch-bot mybot --against level-70 --time 0.5

      fourfall watch-bot bot.py --once --pairs 20
    """
    project = find_bot_project(bot)
    opponent = complete_address(against)
    check_address(opponent)
    settings = MatchSettings(opponent, time, pairs, seed, sandbox=not no_sandbox)
    with Store(db) as store:
        session = WatchSession(project, settings, store, workers)
        is_playable = session.run(once=once)
    raise typer.Exit(0 if is_playable or not once else 1)
