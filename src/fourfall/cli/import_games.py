"""Owns ``fourfall import``: games played elsewhere come into a database."""

from pathlib import Path
from typing import Annotated

import typer

from fourfall.arena.exchange import read_games
from fourfall.arena.store import Store


def import_games(
    db: Annotated[Path, typer.Argument(metavar="DB", help="The arena's database; made if it is not there.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="JSON Lines, as export writes them.")],
) -> None:
    """Add games from JSON Lines to a database, all of them or none.

    The games of a file are one event. Games that the database has already are skipped, and the rest of a file that
    came in by half joins what is there.

    Examples:

      fourfall import arena.db games.jsonl
    """
    records = list(read_games(file))
    with Store(db) as store:
        new, known = store.import_games(file.stem, records)
    typer.echo(f"imported {new} games into {db}" + (f"; {known} were there already" if known else ""))
