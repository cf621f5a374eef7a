"""Stores the page's games and all reviews in the arena's database, and lists the games of page and arena.

A game of the page is not a game record of the arena: it may be unfinished, moves may be undone, and it counts in no
rating. So it has its own table, and its row is rewritten after every move. Saving does not wait for the disk
(`synchronous = NORMAL`): if the server is killed, nothing is lost; a power failure may lose the last moves but does not
damage the file.
"""

import logging
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from fourfall.arena.database import connect, transaction, translate_errors
from fourfall.arena.record import GameRecord
from fourfall.web.errors import RequestError
from fourfall.web.game_list import GameFilter, create_summary, encode_cursor, make_list_query, make_summary_query
from fourfall.web.messages.replies import ReviewReply
from fourfall.web.messages.schemas import GameList, GameSummary
from fourfall.web.play.game import Game
from fourfall.web.positions import describe_outcome

log = logging.getLogger(__name__)

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
CREATE TABLE IF NOT EXISTS deleted_games (
    id TEXT PRIMARY KEY,             -- the columns of page_games, and the time of the deletion
    first TEXT, second TEXT, board TEXT, plies INTEGER, status TEXT, ending TEXT, winner INTEGER, started TEXT,
    game TEXT,
    deleted TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS page_reviews (
    game TEXT PRIMARY KEY,           -- id of a game of the page or of the arena
    review TEXT NOT NULL
) WITHOUT ROWID;
"""


class GameRepository:
    """Database connection for games and reviews; only the thread that creates it may use it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._damaged: set[str] = set()
        self._connection = connect(path, create=True, read_only=False)
        with translate_errors(path):
            self._connection.execute("PRAGMA synchronous = NORMAL")
            with transaction(self._connection):
                for statement in _SCHEMA.split(";\n")[:-1]:
                    self._connection.execute(statement)
                self._connection.execute(
                    "DELETE FROM page_games WHERE plies = 0 AND started < ?", [_format_ago(days=1)]
                )
                self._connection.execute("DELETE FROM deleted_games WHERE deleted < ?", [_format_ago(days=7)])
                self._connection.execute(
                    "DELETE FROM page_reviews WHERE game LIKE 'p%' AND game NOT IN"
                    " (SELECT id FROM page_games UNION ALL SELECT id FROM deleted_games)"
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
            try:
                return Game.from_json(text)
            except (ValueError, TypeError, KeyError, RecursionError) as error:
                raise RequestError("invalid_record", problem=f"game {game_id}: {error}") from None
        raise RequestError("unknown_game", game=game_id)

    def load_record(self, game_id: str) -> GameRecord:
        """Load a game of the arena; its id is "a" and its number."""
        for (text,) in self._fetch("SELECT record FROM games WHERE id = ?", [int(game_id[1:])]):
            try:
                return GameRecord.from_json(text)
            except ValueError as error:
                raise RequestError("invalid_record", problem=f"game {game_id}: {error}") from None
        raise RequestError("unknown_game", game=game_id)

    def load_event_name(self, event: int | None) -> str | None:
        """Load the name of an event; None if the event is None or was deleted."""
        rows = self._fetch("SELECT name FROM events WHERE id = ?", [event])
        return next((str(name) for (name,) in rows), None)

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
        """Load the review of a game, if there is one; a damaged review is left out."""
        for (text,) in self._fetch("SELECT review FROM page_reviews WHERE game = ?", [game_id]):
            try:
                return ReviewReply.model_validate_json(text)
            except ValidationError:
                self._warn(f"the review of game {game_id}")
        return None

    def load_summary(self, game_id: str) -> GameSummary:
        """Load one entry of the list of games, also for a game without moves."""
        for row in self._fetch(*make_summary_query(game_id)):
            try:
                return create_summary(row)
            except ValidationError:
                raise RequestError("invalid_record", problem=f"game {game_id} is damaged") from None
        raise RequestError("unknown_game", game=game_id)

    def list_games(self, limit: int, before: str | None, game_filter: GameFilter) -> GameList:
        """List games, newest first; `before` is the `next` of an earlier list. Damaged games are left out."""
        rows = self._fetch(*make_list_query(game_filter, limit + 1, before))
        has_more = len(rows) > limit
        games = [game for row in rows[:limit] if (game := self._try_create_summary(row)) is not None]
        return GameList(games=games, next=encode_cursor(rows[limit - 1]) if has_more else None)

    def delete_game(self, game_id: str) -> None:
        """Move a game of the page to the deleted games, from which `restore_game` takes it back."""
        with translate_errors(self.path), transaction(self._connection):
            copied = self._connection.execute(
                "INSERT OR REPLACE INTO deleted_games SELECT *, ? FROM page_games WHERE id = ?",
                [_format_now(), game_id],
            )
            if copied.rowcount == 0:
                raise RequestError("unknown_game", game=game_id)
            self._connection.execute("DELETE FROM page_games WHERE id = ?", [game_id])

    def restore_game(self, game_id: str) -> None:
        """Undo the deletion of a game."""
        columns = "id, first, second, board, plies, status, ending, winner, started, game"
        with translate_errors(self.path), transaction(self._connection):
            restored = self._connection.execute(
                f"INSERT OR IGNORE INTO page_games SELECT {columns} FROM deleted_games WHERE id = ?",  # noqa: S608
                [game_id],
            )
            if restored.rowcount == 0:
                raise RequestError("unknown_game", game=game_id)
            self._connection.execute("DELETE FROM deleted_games WHERE id = ?", [game_id])

    def _try_create_summary(self, row: sqlite3.Row) -> GameSummary | None:
        """Return an entry of the list, or None with a warning if the game is damaged."""
        try:
            return create_summary(row)
        except ValidationError:
            self._warn(f"game {row[0]}")
            return None

    def _warn(self, subject: str) -> None:
        if subject not in self._damaged:
            self._damaged.add(subject)
            log.warning("%s: %s is damaged and left out", self.path, subject)

    def _fetch(self, query: str, values: Any) -> list[sqlite3.Row]:  # noqa: ANN401 (a list or a dictionary)
        with translate_errors(self.path):
            return self._connection.execute(query, values).fetchall()


def _format_ago(days: int) -> str:
    return (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="milliseconds")


def _format_now() -> str:
    return _format_ago(days=0)
