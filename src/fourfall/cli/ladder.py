"""The command ``fourfall ladder``: registers agents, pairs them continuously and shows their ratings."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from fourfall.agents.registry import check_address, is_third_party, resolve_paths
from fourfall.agents.sandbox import find_missing_protections
from fourfall.arena.ladder.history import load_history
from fourfall.arena.ladder.registry import MIN_AGENTS, Ladder, check_entrant, make_agent_name
from fourfall.arena.ladder.runner import RunOptions
from fourfall.arena.ladder.settings import LadderSettings
from fourfall.arena.ladder.summary import summarise_ladder
from fourfall.arena.ladder.suspension import MAX_CONSECUTIVE, WINDOW
from fourfall.arena.opponents import list_opponents
from fourfall.arena.spec import Entrant
from fourfall.arena.store import Store
from fourfall.arena.tables import replace_control_characters
from fourfall.cli.cluster_options import ClusterOption
from fourfall.cli.database import JsonOption
from fourfall.cli.event_options import (
    BoardOption,
    MemoryLimitOption,
    MoveTimeOption,
    NoPinOption,
    NoSandboxOption,
    OpeningOption,
    SeedOption,
    StartupTimeOption,
    WorkersOption,
    count_pairs,
)
from fourfall.cli.ladder_runner import print_ladder, run_ladder_in_terminal
from fourfall.system.command_line import quote_word

DEFAULT_LADDER = Path("ladder.db")

DatabaseOption = Annotated[Path, typer.Option("--db", metavar="DB", help="Database of the ladder (SQLite file).")]
NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="Name of a registered agent.")]

ladder = typer.Typer(
    no_args_is_help=True,
    help="Rate registered agents by continuous matchmaking.",
    rich_markup_mode="rich",
)


@ladder.command()
def create(
    name: Annotated[str, typer.Option(help="Name of the ladder's event.")] = "ladder",
    board: BoardOption = None,
    opening: OpeningOption = 0,
    seed: SeedOption = 0,
    db: DatabaseOption = DEFAULT_LADDER,
) -> None:
    """Create a ladder with its own boards, opening or seed; without this command "add" creates one with the defaults.

    Examples:

      fourfall ladder create --name "Class 3" --db class.db

      fourfall ladder create --board 9x9 --board 10x11@4,7 --opening 2
    """
    if not name.strip() or not name.isprintable():
        raise typer.BadParameter("the name must be one line of text", param_hint="--name")
    settings = LadderSettings(tuple(board or ()), opening, seed)
    with Store(db) as store:
        created = Ladder.create(store, name, settings)
    typer.echo(f"Ladder created in {db}, event {created.event}. Register agents: {_format_command('add ADDRESS', db)}")


@ladder.command()
def add(
    agents: Annotated[
        list[str],
        typer.Argument(
            metavar="ADDRESS...",
            help="Addresses of agents, for example library:./bot.so; or levels, seeds, a folder with strategy "
            "libraries (*.so), or a .txt file with one address per line.",
        ),
    ],
    name: Annotated[
        str | None,
        typer.Option(help="Name of the agent in tables.", show_default="the file's name, or the address"),
    ] = None,
    time: MoveTimeOption = 3.0,
    startup_time: StartupTimeOption = 10.0,
    memory_mb: MemoryLimitOption = 1024,
    db: DatabaseOption = DEFAULT_LADDER,
) -> None:
    """Register agents; a ladder that runs pairs them from the next pair on.

    A name belongs to one agent for good: register a new version of a bot under a new name.

    Examples:

      fourfall ladder add level-10 level-20 seed-002

      fourfall ladder add library:./bot.so --name alice --time 1

      fourfall ladder add library:./bot_v2.so --name alice-2 --db class.db
    """
    addresses = [resolve_paths(address, Path()) for text in agents for address in list_opponents(text)]
    for address in addresses:
        check_address(address)
    if name is not None and len(addresses) != 1:
        raise typer.BadParameter("a name can be given only with one address", param_hint="--name")
    entrants = [
        Entrant(make_agent_name(address) if name is None else name, address, time, startup_time, memory_mb)
        for address in addresses
    ]
    for entrant in entrants:
        check_entrant(entrant)
    with Store(db) as store:
        opened = Ladder.create(store) if store.find_ladder() is None else Ladder.open(store)
        opened.add_agents(entrants)
        active = sum(agent.is_active for agent in opened.list_agents())
    for entrant in entrants:
        typer.echo(replace_control_characters(f"Added {entrant.name} ({entrant.address})"))
    if active < MIN_AGENTS:
        typer.echo(f"Add another agent to start the ladder: {_format_command('add ADDRESS', db)}")
    else:
        typer.echo(f"{active} active agents; start the ladder: {_format_command('run', db)}")
    if any(is_third_party(address) for address in addresses) and find_missing_protections():
        typer.echo("warning: this machine cannot sandbox third-party code; run fourfall doctor", err=True)


@ladder.command()
def remove(name: NameArgument, db: DatabaseOption = DEFAULT_LADDER) -> None:
    """Remove an agent: it is not paired any more. Its games are kept, and "resume" activates it again.

    Examples:

      fourfall ladder remove alice
    """
    with Store(db, create=False) as store:
        Ladder.open(store).remove_agent(name)
    typer.echo(replace_control_characters(f"Removed {name}; its games are kept."))


@ladder.command()
def resume(name: NameArgument, db: DatabaseOption = DEFAULT_LADDER) -> None:
    """Activate a suspended or removed agent again; its earlier failures do not count any more.

    Examples:

      fourfall ladder resume alice
    """
    with Store(db, create=False) as store:
        Ladder.open(store).resume_agent(name)
    typer.echo(replace_control_characters(f"{name} is active again."))


@ladder.command()
def run(
    games: Annotated[
        int | None,
        typer.Option(
            min=2, help="Number of games of this run (even: each board is played twice).", show_default="no limit"
        ),
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(
            min=0.01, max=1e6, help="Time after which no pair is started, in minutes.", show_default="no limit"
        ),
    ] = None,
    suspend_after: Annotated[
        int,
        typer.Option(
            min=2,
            max=WINDOW,
            help="Number of games in a row that an agent must lose by failures (crash, timeout …) to be suspended.",
        ),
    ] = MAX_CONSECUTIVE,
    db: DatabaseOption = DEFAULT_LADDER,
    workers: WorkersOption = None,
    cluster: ClusterOption = None,
    no_pin: NoPinOption = False,
    no_sandbox: NoSandboxOption = False,
) -> None:
    """Pair the active agents and play until Ctrl-C, or for a number of games or minutes.

    Pairings whose results are hard to predict and newcomers are preferred. Each pair of agents plays two games on one
    board. Ctrl-C lets the running games finish, a second Ctrl-C stops at once. The same command continues; a pair of
    which only one game was finished is completed first. Agents can be added and removed while the ladder runs.

    Examples:

      fourfall ladder run

      fourfall ladder run --games 200 --workers 2

      fourfall ladder run --minutes 60 --db class.db

      fourfall ladder run --cluster tcp://10.0.0.1:8786
    """
    options = RunOptions(
        None if games is None else count_pairs(games),
        None if minutes is None else 60 * minutes,
        suspend_after,
        not no_sandbox,
    )
    run_ladder_in_terminal(db, options, workers=workers, pin=not no_pin, cluster=cluster)


@ladder.command()
def show(
    history: Annotated[bool, typer.Option("--history", help="Show how the ratings changed.")] = False,
    db: DatabaseOption = DEFAULT_LADDER,
    as_json: JsonOption = False,
) -> None:
    """Show the agents with their ratings, results and states; "fourfall serve --db DB" shows the ladder as a page.

    A rating is relative to the mean of the agents, with its 95 % interval; the trend is its change over about the last
    100 games of the ladder. With --json one object is printed.

    Examples:

      fourfall ladder show --history

      fourfall ladder show --json --db class.db
    """
    with Store(db, read_only=True) as store:
        opened = Ladder.open(store)
        summary = summarise_ladder(opened)
        snapshots = load_history(store, opened.event) if history else None
    if as_json:
        values = asdict(summary)
        if snapshots is not None:
            values["history"] = [asdict(snapshot) for snapshot in snapshots]
        typer.echo(json.dumps(values))
    else:
        print_ladder(summary, snapshots)


def _format_command(command: str, db: Path) -> str:
    option = "" if db == DEFAULT_LADDER else f" --db {quote_word(str(db))}"
    return f"fourfall ladder {command}{option}"
