"""The command group ``fourfall export``, with ``fourfall export games``."""

from pathlib import Path
from typing import Annotated

import typer

from fourfall.arena.jsonl import format_line, write_games
from fourfall.arena.store import Store
from fourfall.arena.tables import replace_control_characters
from fourfall.cli.database import EventOption

export = typer.Typer(
    no_args_is_help=True,
    help="""Export games as JSON Lines, an engine as a strategy library, platform or Kaggle submission, or the network.

    Examples:

      fourfall export games arena.db games.jsonl
    """,
)


@export.command("games")
def export_games(
    db: Annotated[Path, typer.Argument(metavar="DB", help="Database of the arena (SQLite file).")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="JSON Lines file to write; - for standard output.")],
    event: EventOption = None,
) -> None:
    """Write the games of an event (by default the latest) as JSON Lines, one game per line.

    Examples:

      fourfall export games arena.db games.jsonl

      fourfall export games arena.db - --event 3 | head -n 1
    """
    with Store(db, read_only=True) as store:
        chosen = store.get_event(event)
        records = store.find_records(chosen.id)
        if str(file) == "-":
            for record in records:
                typer.echo(format_line(record))
        else:
            count = write_games(file, records)
            name = replace_control_characters(chosen.name)
            typer.echo(f"wrote {count} games of event {chosen.id}, {name}, to {file}")
