"""SQL queries of the list of games of page and arena: filters, pages of the list, and its entries."""

import base64
import binascii
import json
import sqlite3
from dataclasses import dataclass
from typing import Any, Literal

from fourfall.render import COLUMN_NAMES
from fourfall.web.errors import RequestError
from fourfall.web.messages.schemas import GameSummary

Source = Literal["page", "arena"]
Result = Literal["first", "second", "draw", "unfinished"]

_PAGE_GAMES = """SELECT id, 'page' AS source, NULL AS event, first, second, board, plies, status, winner, ending,
started FROM page_games WHERE plies > 0"""
# json_extract fails for the whole query if one record is not JSON; without a board a row is left out.
_ARENA_GAMES = """SELECT 'a' || id AS id, 'arena' AS source, event, first, second,
CASE WHEN json_valid(record) THEN json_extract(record, '$.board') END
AS board, moves AS plies, 'over' AS status, winner, ending, started FROM games WHERE 1"""
# The moves after `board`, only for the rows that are shown.
_MOVES = f"""CASE WHEN list.source = 'page' THEN (
    SELECT group_concat(substr('{COLUMN_NAMES}', json_extract(move.value, '$.column') + 1, 1), '')
    FROM page_games, json_each(CASE WHEN json_valid(game) THEN game END, '$.played') AS move
    WHERE page_games.id = list.id
) ELSE (
    SELECT CASE WHEN json_valid(record) THEN json_extract(record, '$.moves') END
    FROM games WHERE games.id = CAST(substr(list.id, 2) AS INTEGER)
) END"""  # noqa: S608 (a constant)
_RESULTS = {
    "first": "status = 'over' AND winner = 0",
    "second": "status = 'over' AND winner = 1",
    "draw": "status = 'over' AND winner IS NULL",
    "unfinished": "status <> 'over'",
}
_STARTED_COLUMN = 10


@dataclass(frozen=True)
class GameFilter:
    """Which games a list contains; None does not filter.

    `agent` is the exact name of a player; `text` is a part of a name, in upper or lower case.
    """

    source: Source | None = None
    event: int | None = None
    agent: str | None = None
    text: str | None = None
    result: Result | None = None


def make_list_query(game_filter: GameFilter, limit: int, before: str | None) -> tuple[str, dict[str, Any]]:
    """Return the query of a list, newest first, and its values; `before` is the cursor of an earlier list."""
    conditions = ["typeof(started) = 'text'"]
    values: dict[str, Any] = {"limit": limit}
    if game_filter.source is not None:
        conditions.append("source = :source")
        values["source"] = game_filter.source
    if game_filter.event is not None:
        conditions.append("event = :event")
        values["event"] = game_filter.event
    if game_filter.agent is not None:
        conditions.append("(first = :agent OR second = :agent)")
        values["agent"] = game_filter.agent
    if game_filter.text:
        conditions.append("(first LIKE :text ESCAPE '!' OR second LIKE :text ESCAPE '!')")
        values["text"] = f"%{_escape_pattern(game_filter.text)}%"
    if game_filter.result is not None:
        conditions.append(_RESULTS[game_filter.result])
    if before is not None:
        conditions.append("(started < :started OR started = :started AND id < :id)")
        values["started"], values["id"] = _decode_cursor(before)
    where = " AND ".join(conditions)
    union = " UNION ALL ".join(f"SELECT * FROM ({select}) WHERE {where}" for select in (_PAGE_GAMES, _ARENA_GAMES))  # noqa: S608
    return _add_details(f"{union} ORDER BY started DESC, id DESC LIMIT :limit"), values


def make_summary_query(game_id: str) -> tuple[str, list[str]]:
    """Return the query of one entry, also for a game without moves, and its values."""
    if game_id.startswith("p"):
        return _add_details(_PAGE_GAMES.replace("plies > 0", "page_games.id = ?")), [game_id]
    return _add_details(f"{_ARENA_GAMES} AND games.id = CAST(? AS INTEGER)"), [game_id[1:]]


def _escape_pattern(text: str) -> str:
    return text.replace("!", "!!").replace("%", "!%").replace("_", "!_")


def _add_details(query: str) -> str:
    """Add the moves of the game, and whether a review of it exists."""
    reviewed = "EXISTS (SELECT 1 FROM page_reviews WHERE game = list.id)"
    return f"SELECT *, {reviewed}, {_MOVES} FROM ({query}) AS list"  # noqa: S608


def create_summary(row: sqlite3.Row) -> GameSummary:
    """Create an entry of the list; a damaged row raises pydantic's ValidationError."""
    game_id, source, event, first, second, board, plies, status, winner, ending, started, reviewed, moves = row
    return GameSummary(
        id=game_id,
        source=source,
        event=event,
        names=(first, second),
        board=board,
        position=_join_position(str(board), moves),
        plies=plies,
        status=status,
        winner=winner,
        ending=ending,
        started=started,
        reviewed=bool(reviewed),
    )


def _join_position(board: str, moves: str | None) -> str:
    """Return the notation of the last position."""
    if not moves:
        return board
    return f"{board}{'' if ':' in board else ':'}{moves}"


def encode_cursor(last: sqlite3.Row) -> str:
    """Return the cursor after the last row of a list."""
    game_id, started = last[0], last[_STARTED_COLUMN]
    return base64.urlsafe_b64encode(json.dumps([started, game_id]).encode()).decode().rstrip("=")


def _decode_cursor(text: str) -> tuple[str, str]:
    try:
        started, game_id = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        if not isinstance(started, str) or not isinstance(game_id, str):
            raise ValueError
    except (ValueError, TypeError, binascii.Error):
        raise RequestError("bad_request", problem="before must be the 'next' of an earlier list") from None
    return started, game_id
