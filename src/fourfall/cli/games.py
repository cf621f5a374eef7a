"""The command ``fourfall games``: lists stored games."""

import json
from collections.abc import Sequence
from typing import Annotated

import typer

from fourfall.arena.judge import Ending
from fourfall.arena.store import Store, StoredGame
from fourfall.arena.tables import Grid
from fourfall.cli.database import DEFAULT_DATABASE, DatabaseArgument, EventOption, JsonOption, print_grid


def games(
    db: DatabaseArgument = DEFAULT_DATABASE,
    agent: Annotated[
        str | None, typer.Option(metavar="NAME", help="Name of an agent that played.", show_default=False)
    ] = None,
    won: Annotated[bool, typer.Option("--won", help="Only games that the agent won.")] = False,
    lost: Annotated[bool, typer.Option("--lost", help="Only games that the agent lost.")] = False,
    drawn: Annotated[bool, typer.Option("--drawn", help="Only drawn games.")] = False,
    ending: Annotated[
        str | None,
        typer.Option(metavar="KIND", help="Reason for the end: win, tie, crash, timeout …", show_default=False),
    ] = None,
    event: EventOption = None,
    limit: Annotated[int, typer.Option(min=1, max=2**62, help="Maximum number of games; the latest are listed.")] = 50,
    as_json: JsonOption = False,
) -> None:
    """List stored games, the latest at the bottom.

    The number on the left is the argument of "fourfall show". With --json each line is one complete game with its
    number.

    Examples:

      fourfall games

      fourfall games arena.db --agent fourfall --lost

      fourfall games --ending timeout --limit 1000 --json
    """
    wanted = [name for name, given in (("won", won), ("lost", lost), ("drawn", drawn)) if given]
    if len(wanted) > 1:
        raise typer.BadParameter("choose one of --won, --lost and --drawn")
    result = wanted[0] if wanted else None
    with Store(db, read_only=True) as store:
        if agent is None and result in ("won", "lost"):
            raise typer.BadParameter(f"--{result} needs --agent NAME{describe_agents(store.list_agents())}")
        found = list(store.find_games(event, agent, result, read_ending(ending), latest=limit + 1))
    shown = found[-limit:]
    if as_json:
        for game in shown:
            typer.echo(json.dumps({"id": game.id, "event": game.event, **json.loads(game.record.to_json())}))
        return
    if not shown:
        typer.echo("no games match")
        return
    print_grid(build_grid(shown))
    if len(found) > limit:
        typer.echo(f"the latest {limit} games; use --limit to list more")


def describe_agents(names: Sequence[str], shown: int = 10) -> str:
    """Return the end of a message that lists the agents of a database; levels come last, because a gauntlet has many.

    >>> describe_agents(["level-2", "my bot"])
    "; the agents are 'my bot', 'level-2'"
    >>> describe_agents(["a", "b", "c"], shown=2)
    "; the agents are 'a', 'b' and 1 more"
    """
    if not names:
        return ""
    ordered = sorted(names, key=lambda name: name.startswith("level-"))
    more = f" and {len(names) - shown} more" if len(names) > shown else ""
    return f"; the agents are {', '.join(map(repr, ordered[:shown]))}{more}"


def read_ending(text: str | None) -> Ending | None:
    """Parse the reason for the end of a game.

    >>> read_ending("illegal-move")
    <Ending.ILLEGAL_MOVE: 'illegal move'>
    """
    if text is None:
        return None
    try:
        return Ending(text.lower().replace("-", " ").replace("_", " "))
    except ValueError:
        known = ", ".join(ending.value.replace(" ", "-") for ending in Ending)
        raise typer.BadParameter(f"{text!r} is unknown; choose one of {known}", param_hint="--ending") from None


def build_grid(games: list[StoredGame]) -> Grid:
    """Arrange games as a table."""
    rows = []
    for game in games:
        record = game.record
        result = "1/2" if record.winner is None else ("1-0", "0-1")[record.winner]
        culprit = "" if record.culprit is None else f" by {record.names[record.culprit]}"
        rows.append(
            (
                f"{game.id}",
                f"{game.event}",
                *record.names,
                result,
                f"{record.ending}{culprit}{', repeated' if record.repeats else ''}",
                f"{len(record.moves)}",
                record.board,
            )
        )
    header = ("game", "event", "first", "second", "result", "ending", "moves", "board")
    return Grid(header, tuple(rows), frozenset({"first", "second", "ending", "board"}))
