"""Paste import: reads a game from a position, a link, moves, a JSON record or a text board."""

import json
import re
from typing import Literal
from urllib.parse import unquote

from fourfall import Board
from fourfall.arena.record import GameRecord
from fourfall.web import limits
from fourfall.web.errors import RequestError
from fourfall.web.messages.schemas import ImportedGame
from fourfall.web.positions import parse_position
from fourfall.web.text_board import parse_text_board

_POSITION = re.compile(r"\d+x\d+(@\d+,\d+)?(:\w*)?")
_MOVES = re.compile(r"[1-9a-cA-C](?:[\s,]*[1-9a-cA-C])*")
_LIST_KEYS = ("id", "event")  # "fourfall games --json" adds these to a record


def import_text(text: str, board: str = "6x7") -> ImportedGame:
    """Read the game in a text; moves without a board are played on `board`. Raises RequestError.

    >>> import_text("https://example.org/#6x7:445&ply=2").position
    '6x7:445'
    >>> import_text("4, 4, 5").kind
    'moves'
    """
    text = text.strip().lstrip("\ufeff")
    if not text:
        raise RequestError("no_text")
    if len(text) > limits.MAX_TEXT_BYTES:
        raise RequestError("too_large", limit=limits.MAX_TEXT_BYTES)
    if text.startswith("{"):
        return _import_json(text)
    if "://" in text and "#" in text:
        text = unquote(text.partition("#")[2]).partition("&")[0]
    first_line = text.splitlines()[0].strip()
    if _POSITION.fullmatch(first_line):  # in a downloaded text file, a text board follows
        return _describe("position", parse_position(first_line))
    if _MOVES.fullmatch(text) and not _is_digit_board(text):
        shape = parse_position(board).notation.partition(":")[0]
        return _describe("moves", parse_position(f"{shape}:{re.sub(r'[^1-9a-c]', '', text.lower())}"))
    return _describe("text_board", parse_text_board(text))


def _is_digit_board(text: str) -> bool:
    """Whether lines of digits are a text board, not moves: at least 4 equally long lines of 0, 1 and 2."""
    lines = ["".join(re.findall(r"\w", line)) for line in text.splitlines()]
    return len(lines) >= 4 and len({len(line) for line in lines}) == 1 and set("".join(lines)) <= set("012")


def _import_json(text: str) -> ImportedGame:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise RequestError("invalid_json") from None
    if "moves" in data and "addresses" in data:
        values = {name: value for name, value in data.items() if name not in _LIST_KEYS}
        try:
            record = GameRecord.from_json(json.dumps(values))
            return _describe("record", record.final_board, start=Board.parse(record.board), names=record.names)
        except (ValueError, RecursionError) as error:
            raise RequestError("invalid_record", problem=str(error)) from None
    if isinstance(data.get("position"), str):
        return _describe("record", parse_position(data["position"]))
    raise RequestError("no_position_in_json")


def _describe(
    kind: Literal["position", "moves", "record", "text_board"],
    board: Board,
    *,
    start: Board | None = None,
    names: tuple[str, str] | None = None,
) -> ImportedGame:
    start = Board.from_geometry(board.geometry) if start is None else start
    return ImportedGame(
        kind=kind,
        start=start.notation,
        moves=board.moves[start.ply :],
        position=board.notation,
        names=names,
        move_order="reconstructed" if kind == "text_board" else "given",
    )
