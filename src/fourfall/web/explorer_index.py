"""The index of the opening explorer: one row for each finished game, sorted by board and moves.

Triggers of the database keep the index up to date. So it also contains the games that another process adds, such as a
tournament on the command line, and loses the games that are deleted.
"""

import sqlite3

from fourfall.arena.database import transaction
from fourfall.render import COLUMN_NAMES

_TABLE = """
CREATE TABLE explorer_games (
    board TEXT NOT NULL,             -- ROWSxCOLS[@row,col]
    moves TEXT NOT NULL,             -- all moves from the empty board, one character for each
    game TEXT NOT NULL,              -- id of a game of the page or of the arena
    winner INTEGER,
    started TEXT NOT NULL,
    PRIMARY KEY (board, moves, game)
) WITHOUT ROWID"""
_TABLE_INDEX = "CREATE INDEX explorer_games_game ON explorer_games (game)"

_PAGE_GAME = f"""
SELECT {{row}}.id AS game, {{row}}.status = 'over' AS is_over, {{row}}.winner AS winner, {{row}}.started AS started,
    {{row}}.board AS start, (
        SELECT ifnull(group_concat(substr('{COLUMN_NAMES}', json_extract(value, '$.column') + 1, 1), ''), '')
        FROM (SELECT value FROM json_each({{row}}.game, '$.played') ORDER BY key)
    ) AS moves"""  # noqa: S608 (a constant)
_ARENA_GAME = """
SELECT 'a' || {row}.id AS game, 1 AS is_over, {row}.winner AS winner, {row}.started AS started,
    json_extract({row}.record, '$.board') AS start, json_extract({row}.record, '$.moves') AS moves"""

# Damaged rows must not make a trigger fail, because then the game itself could not be stored.
_INSERT = """
INSERT OR REPLACE INTO explorer_games
SELECT substr(start, 1, colon - 1), substr(start, colon + 1) || moves, game, winner, started
FROM (SELECT *, ifnull(nullif(instr(start, ':'), 0), length(start) + 1) AS colon FROM ({game}))
WHERE is_over AND typeof(start) = 'text' AND typeof(moves) = 'text' AND typeof(started) = 'text'
    AND (winner IS NULL OR winner IN (0, 1)) AND moves NOT GLOB '*[^1-9a-c]*'"""
_DELETE = "DELETE FROM explorer_games WHERE game = {id}"

_SOURCES = {
    # table: game, column with its JSON, id
    "page_games": (_PAGE_GAME, "game", "{row}.id"),
    "games": (_ARENA_GAME, "record", "'a' || {row}.id"),
}


def create_index(connection: sqlite3.Connection) -> None:
    """Create the index and its triggers, and add all stored games; nothing is done if the index exists."""
    with transaction(connection):
        known = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'explorer_games'"
        if connection.execute(known).fetchone() != (0,):
            return
        connection.execute(_TABLE)
        connection.execute(_TABLE_INDEX)
        for table, (game, data, game_id) in _SOURCES.items():
            stored = f"{game.format(row=table)} FROM {table} WHERE json_valid({table}.{data})"
            connection.execute(_INSERT.format(game=stored))
            add = _INSERT.format(game=game.format(row="NEW"))
            remove = {row: _DELETE.format(id=game_id.format(row=row)) for row in ("NEW", "OLD")}
            for event in ("INSERT", "UPDATE"):
                connection.execute(
                    f"CREATE TRIGGER explorer_{event.lower()}_{table} AFTER {event} ON {table} "
                    f"WHEN json_valid(NEW.{data}) BEGIN {remove['NEW']}; {add}; END"
                )
            connection.execute(
                f"CREATE TRIGGER explorer_delete_{table} AFTER DELETE ON {table} BEGIN {remove['OLD']}; END"
            )
