"""Owns ``fourfall games``: lists stored games."""

import json
from typing import Annotated

import typer

from fourfall.arena.judge import Ending
from fourfall.arena.report import Grid
from fourfall.arena.store import Store, StoredGame
from fourfall.cli.database import DEFAULT_DATABASE, DatabaseArgument, EventOption, JsonOption, print_grid


def games(
    db: DatabaseArgument = DEFAULT_DATABASE,
    agent: Annotated[str | None, typer.Option(metavar="NAME", help="Games of this agent.", show_default=False)] = None,
    won: Annotated[bool, typer.Option("--won", help="Games that the agent won.")] = False,
    lost: Annotated[bool, typer.Option("--lost", help="Games that the agent lost.")] = False,
    drawn: Annotated[bool, typer.Option("--drawn", help="Games that nobody won.")] = False,
    ending: Annotated[
        str | None, typer.Option(metavar="KIND", help="How they ended: win, tie, crash, timeout …", show_default=False)
    ] = None,
    event: EventOption = None,
    limit: Annotated[int, typer.Option(min=1, max=2**62, help="At most so many, the last ones.")] = 50,
    as_json: JsonOption = False,
) -> None:
    """List stored games, the last at the bottom.

    The number on the left is what "fourfall show" takes. With --json every line is a game, whole, with its number.

    Examples:

      fourfall games

      fourfall games arena.db --agent fourfall --lost

      fourfall games --ending timeout --limit 1000 --json
    """
    wanted = [name for name, given in (("won", won), ("lost", lost), ("drawn", drawn)) if given]
    if len(wanted) > 1:
        raise typer.BadParameter("choose one of --won, --lost and --drawn")
    result = wanted[0] if wanted else None
    if agent is None and result in ("won", "lost"):
        raise typer.BadParameter(f"--{result} needs --agent: who {result}?")
    with Store(db, read_only=True) as store:
        found = list(store.games(event, agent, result, read_ending(ending), latest=limit + 1))
    shown = found[-limit:]
    if as_json:
        for game in shown:
            typer.echo(json.dumps({"id": game.id, "event": game.event, **json.loads(game.record.to_json())}))
        return
    if not shown:
        typer.echo("no such games")
        return
    print_grid(grid(shown))
    if len(found) > limit:
        typer.echo(f"only the last {limit}; --limit shows more")


def read_ending(text: str | None) -> Ending | None:
    """Read how a game ended as people type it.

    >>> read_ending("illegal-move")
    <Ending.ILLEGAL_MOVE: 'illegal move'>
    """
    if text is None:
        return None
    try:
        return Ending(text.lower().replace("-", " ").replace("_", " "))
    except ValueError:
        known = ", ".join(ending.value.replace(" ", "-") for ending in Ending)
        raise typer.BadParameter(f"{text!r} is none of {known}", param_hint="--ending") from None


def grid(games: list[StoredGame]) -> Grid:
    """Lay out a list of games."""
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
                f"{record.ending}{culprit}",
                f"{len(record.moves)}",
                record.board,
            )
        )
    header = ("game", "event", "first", "second", "result", "ending", "moves", "board")
    return Grid(header, tuple(rows), frozenset({"first", "second", "ending", "board"}))
