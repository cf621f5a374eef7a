"""Owns ``fourfall export``: what leaves the laboratory in a form that others read."""

from pathlib import Path
from typing import Annotated

import typer

from fourfall.arena.exchange import write_games
from fourfall.arena.store import Store
from fourfall.cli.database import EventOption

export = typer.Typer(
    no_args_is_help=True,
    help="""Write games, or our engine behind another interface, for use elsewhere.

    Examples:

      fourfall export games arena.db games.jsonl
    """,
)


@export.command("games")
def export_games(
    db: Annotated[Path, typer.Argument(metavar="DB", help="The arena's database.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write JSON Lines; - for standard output.")],
    event: EventOption = None,
) -> None:
    """Write the games of an event, the latest if none is named, as JSON Lines: one game a line.

    Examples:

      fourfall export games arena.db games.jsonl

      fourfall export games arena.db - --event 3 | head -n 1
    """
    with Store(db, read_only=True) as store:
        chosen = store.event(event)
        records = store.records(chosen.id)
        if str(file) == "-":
            for record in records:
                typer.echo(record.to_json())
        else:
            count = write_games(file, records)
            typer.echo(f"wrote {count} games of event {chosen.id}, {chosen.name}, to {file}")
