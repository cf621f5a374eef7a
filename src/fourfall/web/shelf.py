"""Owns the games of the page on disk: two tables of its own in the arena's database, and the list of all games.

A game of the page is no record of the arena: it goes on, is taken back and reviewed, and counts in no rating. So it has
a row of its own, rewritten after every move. Saving a move does not wait for the disk (`synchronous = NORMAL`): a
killed server loses nothing, and a power cut at most the last moves, never the file.
"""

import base64
import binascii
import json
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from fourfall.arena.database import connect, plain_errors, transaction
from fourfall.arena.record import GameRecord
from fourfall.web import replies, shapes
from fourfall.web.games import Game, outcome_of
from fourfall.web.refusal import Refusal

_SCHEMA = """
CREATE TABLE IF NOT EXISTS page_games (
    id TEXT PRIMARY KEY,
    first TEXT NOT NULL,
    second TEXT NOT NULL,
    board TEXT NOT NULL,
    plies INTEGER NOT NULL,          -- moves that were made since the start
    status TEXT NOT NULL,
    ending TEXT,
    winner INTEGER,
    started TEXT NOT NULL,
    game TEXT NOT NULL               -- the whole game as JSON; the other columns are there to be listed
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS page_games_started ON page_games (started);
CREATE TABLE IF NOT EXISTS page_reviews (
    game TEXT PRIMARY KEY,           -- of the page or of the arena
    review TEXT NOT NULL
) WITHOUT ROWID;
"""

_PAGE_LINES = """SELECT id, 'page' AS source, NULL AS event, first, second, board, plies, status, winner, ending,
started FROM page_games WHERE plies > 0"""
_ARENA_LINES = """SELECT 'a' || id AS id, 'arena' AS source, event, first, second, json_extract(record, '$.board')
AS board, moves AS plies, 'over' AS status, winner, ending, started FROM games WHERE 1"""


class Shelf:
    """The games on disk; used by one thread only, the one that makes it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection = connect(path, create=True, read_only=False)
        with plain_errors(path):
            self._connection.execute("PRAGMA synchronous = NORMAL")
            with transaction(self._connection):
                for statement in _SCHEMA.split(";\n")[:-1]:
                    self._connection.execute(statement)
                self._connection.execute("DELETE FROM page_games WHERE plies = 0 AND started < ?", [_yesterday()])

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def save(self, game: Game) -> None:
        """Write a game as it is now."""
        outcome = outcome_of(game.board, game.verdict)
        values = {
            "id": game.id,
            "first": game.names[0],
            "second": game.names[1],
            "board": game.start,
            "plies": len(game.plies),
            "status": "playing" if outcome is None else "over",
            "ending": None if outcome is None else outcome.ending,
            "winner": None if outcome is None else outcome.winner,
            "started": game.started,
            "game": game.to_json(),
        }
        places = ", ".join(f":{name}" for name in values)
        with plain_errors(self.path), transaction(self._connection):
            self._connection.execute(f"INSERT OR REPLACE INTO page_games VALUES ({places})", values)  # noqa: S608
            self._connection.execute("DELETE FROM page_reviews WHERE game = ?", [game.id])

    def game(self, name: str) -> Game:
        """Read a game of the page."""
        for (text,) in self._rows("SELECT game FROM page_games WHERE id = ?", [name]):
            return Game.from_json(text)
        raise Refusal("unknown_game", f"there is no game {name}")

    def record(self, name: str) -> GameRecord:
        """Read a game of the arena by its name here, which is "a" and its number."""
        for (text,) in self._rows("SELECT record FROM games WHERE id = ?", [int(name[1:])]):
            return GameRecord.from_json(text)
        raise Refusal("unknown_game", f"there is no game {name}")

    def save_review(self, game: str, review: replies.ReviewGiven) -> None:
        """Keep a review with its game, unless the game has gone on meanwhile."""
        board = self.game(game).board if game.startswith("p") else self.record(game).final
        if board.notation != review.position:
            return
        with plain_errors(self.path), transaction(self._connection):
            self._connection.execute(
                "INSERT OR REPLACE INTO page_reviews VALUES (?, ?)", [game, review.model_dump_json()]
            )

    def review(self, game: str) -> replies.ReviewGiven | None:
        """Read the review of a game, if it has one."""
        for (text,) in self._rows("SELECT review FROM page_reviews WHERE game = ?", [game]):
            return replies.ReviewGiven.model_validate_json(text)
        return None

    def line(self, name: str) -> shapes.GameLine:
        """Describe one game as the list does."""
        source = _PAGE_LINES.replace("plies > 0", "1") if name.startswith("p") else _ARENA_LINES
        at = name if name.startswith("p") else int(name[1:])
        inner = source + (" AND page_games.id = ?" if name.startswith("p") else " AND games.id = ?")
        for row in self._rows(_with_reviews(inner), [at]):
            return _line(row)
        raise Refusal("unknown_game", f"there is no game {name}")

    def lines(
        self, most: int, before: str | None, source: str | None, event: int | None, agent: str | None
    ) -> shapes.GameList:
        """List games, newest first; `before` is where an earlier list ended."""
        parts = [] if source == "arena" or event is not None else [_PAGE_LINES]
        parts += [] if source == "page" else [_ARENA_LINES]
        conditions, values = "", dict[str, Any](most=most + 1)
        if event is not None:
            conditions, values["event"] = f"{conditions} AND event = :event", event
        if agent is not None:
            conditions, values["agent"] = f"{conditions} AND (first = :agent OR second = :agent)", agent
        if before is not None:
            conditions += " AND (started < :started OR started = :started AND id < :id)"
            values["started"], values["id"] = _cursor_read(before)
        if not parts:
            return shapes.GameList(games=[], next=None)
        inner = " UNION ALL ".join(f"SELECT * FROM ({part}) WHERE 1{conditions}" for part in parts)  # noqa: S608
        inner = f"{inner} ORDER BY started DESC, id DESC LIMIT :most"
        found = [_line(row) for row in self._rows(_with_reviews(inner), values)]
        shown = found[:most]
        return shapes.GameList(games=shown, next=_cursor(shown[-1]) if len(found) > most else None)

    def _rows(self, query: str, values: Any) -> list[sqlite3.Row]:  # noqa: ANN401 (a list or a dictionary)
        with plain_errors(self.path):
            return self._connection.execute(query, values).fetchall()


def _yesterday() -> str:
    """Return when games without a move have become old."""
    return (datetime.now(UTC) - timedelta(days=1)).isoformat(timespec="milliseconds")


def _with_reviews(inner: str) -> str:
    return f"SELECT *, EXISTS (SELECT 1 FROM page_reviews WHERE game = lines.id) FROM ({inner}) AS lines"  # noqa: S608


def _line(row: sqlite3.Row) -> shapes.GameLine:
    name, source, event, first, second, board, plies, status, winner, ending, started, reviewed = row
    return shapes.GameLine(
        id=name,
        source=source,
        event=event,
        names=(first, second),
        board=board,
        plies=plies,
        status=status,
        winner=winner,
        ending=ending,
        started=started,
        reviewed=bool(reviewed),
    )


def _cursor(line: shapes.GameLine) -> str:
    return base64.urlsafe_b64encode(json.dumps([line.started, line.id]).encode()).decode().rstrip("=")


def _cursor_read(text: str) -> tuple[str, str]:
    try:
        started, name = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        if not isinstance(started, str) or not isinstance(name, str):
            raise ValueError
    except (ValueError, TypeError, binascii.Error):
        raise Refusal("bad_request", "before: no cursor of an earlier list") from None
    return started, name
