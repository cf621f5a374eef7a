"""Stores the page's games and all reviews in the arena's database, and lists the games of page and arena.

A game of the page is not a game record of the arena: it may be unfinished, moves may be undone, and it counts in no
rating. So it has its own table, and its row is rewritten after every move. Saving does not wait for the disk
(`synchronous = NORMAL`): if the server is killed, nothing is lost; a power failure may lose the last moves but does not
damage the file.
"""

import base64
import binascii
import json
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from fourfall.arena.database import connect, transaction, translate_errors
from fourfall.arena.record import GameRecord
from fourfall.web.errors import RequestError
from fourfall.web.messages.replies import ReviewReply
from fourfall.web.messages.schemas import GameList, GameSummary
from fourfall.web.play.game import Game
from fourfall.web.positions import describe_outcome

_SCHEMA = """
CREATE TABLE IF NOT EXISTS page_games (
    id TEXT PRIMARY KEY,
    first TEXT NOT NULL,
    second TEXT NOT NULL,
    board TEXT NOT NULL,
    plies INTEGER NOT NULL,          -- number of moves since the start
    status TEXT NOT NULL,
    ending TEXT,
    winner INTEGER,
    started TEXT NOT NULL,
    game TEXT NOT NULL               -- the complete game as JSON; the other columns are for lists
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS page_games_started ON page_games (started);
CREATE TABLE IF NOT EXISTS page_reviews (
    game TEXT PRIMARY KEY,           -- id of a game of the page or of the arena
    review TEXT NOT NULL
) WITHOUT ROWID;
"""

_PAGE_SUMMARIES = """SELECT id, 'page' AS source, NULL AS event, first, second, board, plies, status, winner, ending,
started FROM page_games WHERE plies > 0"""
_ARENA_SUMMARIES = """SELECT 'a' || id AS id, 'arena' AS source, event, first, second, json_extract(record, '$.board')
AS board, moves AS plies, 'over' AS status, winner, ending, started FROM games WHERE 1"""


class GameRepository:
    """Database connection for games and reviews; only the thread that creates it may use it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection = connect(path, create=True, read_only=False)
        with translate_errors(path):
            self._connection.execute("PRAGMA synchronous = NORMAL")
            with transaction(self._connection):
                for statement in _SCHEMA.split(";\n")[:-1]:
                    self._connection.execute(statement)
                self._connection.execute(
                    "DELETE FROM page_games WHERE plies = 0 AND started < ?", [_format_yesterday()]
                )

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def save_game(self, game: Game) -> None:
        """Insert or replace a game of the page, and delete its review."""
        outcome = describe_outcome(game.board, game.verdict)
        values = {
            "id": game.id,
            "first": game.names[0],
            "second": game.names[1],
            "board": game.start,
            "plies": len(game.played),
            "status": "playing" if outcome is None else "over",
            "ending": None if outcome is None else outcome.ending,
            "winner": None if outcome is None else outcome.winner,
            "started": game.started,
            "game": game.to_json(),
        }
        placeholders = ", ".join(f":{name}" for name in values)
        with translate_errors(self.path), transaction(self._connection):
            self._connection.execute(f"INSERT OR REPLACE INTO page_games VALUES ({placeholders})", values)  # noqa: S608
            self._connection.execute("DELETE FROM page_reviews WHERE game = ?", [game.id])

    def load_game(self, game_id: str) -> Game:
        """Load a game of the page."""
        for (text,) in self._fetch("SELECT game FROM page_games WHERE id = ?", [game_id]):
            return Game.from_json(text)
        raise RequestError("unknown_game", game=game_id)

    def load_record(self, game_id: str) -> GameRecord:
        """Load a game of the arena; its id is "a" and its number."""
        for (text,) in self._fetch("SELECT record FROM games WHERE id = ?", [int(game_id[1:])]):
            return GameRecord.from_json(text)
        raise RequestError("unknown_game", game=game_id)

    def save_review(self, game_id: str, review: ReviewReply) -> None:
        """Save the review of a game, unless the game has changed since the review started."""
        board = self.load_game(game_id).board if game_id.startswith("p") else self.load_record(game_id).final_board
        if board.notation != review.position:
            return
        with translate_errors(self.path), transaction(self._connection):
            self._connection.execute(
                "INSERT OR REPLACE INTO page_reviews VALUES (?, ?)", [game_id, review.model_dump_json()]
            )

    def load_review(self, game_id: str) -> ReviewReply | None:
        """Load the review of a game, if there is one."""
        for (text,) in self._fetch("SELECT review FROM page_reviews WHERE game = ?", [game_id]):
            return ReviewReply.model_validate_json(text)
        return None

    def load_summary(self, game_id: str) -> GameSummary:
        """Load one entry of the list of games, also for a game without moves."""
        if game_id.startswith("p"):
            query, values = _PAGE_SUMMARIES.replace("plies > 0", "page_games.id = ?"), [game_id]
        else:
            query, values = f"{_ARENA_SUMMARIES} AND games.id = CAST(? AS INTEGER)", [game_id[1:]]
        for row in self._fetch(_add_reviewed(query), values):
            return _create_summary(row)
        raise RequestError("unknown_game", game=game_id)

    def list_games(
        self, limit: int, before: str | None, source: str | None, event: int | None, agent: str | None
    ) -> GameList:
        """List games, newest first; `before` is the `next` of an earlier list."""
        selects = [] if source == "arena" or event is not None else [_PAGE_SUMMARIES]
        selects += [] if source == "page" else [_ARENA_SUMMARIES]
        if not selects:
            return GameList(games=[], next=None)
        conditions, values = "", dict[str, Any](limit=limit + 1)
        if event is not None:
            conditions, values["event"] = f"{conditions} AND event = :event", event
        if agent is not None:
            conditions, values["agent"] = f"{conditions} AND (first = :agent OR second = :agent)", agent
        if before is not None:
            conditions += " AND (started < :started OR started = :started AND id < :id)"
            values["started"], values["id"] = _decode_cursor(before)
        union = " UNION ALL ".join(f"SELECT * FROM ({select}) WHERE 1{conditions}" for select in selects)  # noqa: S608
        query = f"{union} ORDER BY started DESC, id DESC LIMIT :limit"
        games = [_create_summary(row) for row in self._fetch(_add_reviewed(query), values)]
        has_more = len(games) > limit
        return GameList(games=games[:limit], next=_encode_cursor(games[limit - 1]) if has_more else None)

    def _fetch(self, query: str, values: Any) -> list[sqlite3.Row]:  # noqa: ANN401 (a list or a dictionary)
        with translate_errors(self.path):
            return self._connection.execute(query, values).fetchall()


def _format_yesterday() -> str:
    return (datetime.now(UTC) - timedelta(days=1)).isoformat(timespec="milliseconds")


def _add_reviewed(query: str) -> str:
    """Add a column that says whether a review of the game exists."""
    return f"SELECT *, EXISTS (SELECT 1 FROM page_reviews WHERE game = list.id) FROM ({query}) AS list"  # noqa: S608


def _create_summary(row: sqlite3.Row) -> GameSummary:
    game_id, source, event, first, second, board, plies, status, winner, ending, started, reviewed = row
    return GameSummary(
        id=game_id,
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


def _encode_cursor(last: GameSummary) -> str:
    return base64.urlsafe_b64encode(json.dumps([last.started, last.id]).encode()).decode().rstrip("=")


def _decode_cursor(text: str) -> tuple[str, str]:
    try:
        started, game_id = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        if not isinstance(started, str) or not isinstance(game_id, str):
            raise ValueError
    except (ValueError, TypeError, binascii.Error):
        raise RequestError("bad_request", problem="before must be the 'next' of an earlier list") from None
    return started, game_id
