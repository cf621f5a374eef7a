"""The command ``fourfall import``: adds games from JSON Lines to a database."""

from pathlib import Path
from typing import Annotated

import typer

from fourfall.arena.jsonl import read_games
from fourfall.arena.store import Store


def import_games(
    db: Annotated[Path, typer.Argument(metavar="DB", help="Database of the arena (SQLite file); created if missing.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="JSON Lines file, as written by fourfall export games.")],
) -> None:
    """Add games from JSON Lines to a database, all of them or none.

    Every game is replayed: moves and result must follow the rules.

    The games of one file form one event. Games that the database already has are skipped; if these all belong
    to one imported event, the other games join it.

    Examples:

      fourfall import arena.db games.jsonl
    """
    records = list(read_games(file))
    with Store(db) as store:
        new, known = store.import_games(file.stem.encode(errors="replace").decode(), records)
    typer.echo(f"imported {new} games into {db}" + (f"; {known} were already there" if known else ""))
