"""Paste import: reads a game from a position, a link, moves, a JSON record or a text board."""

import json
import re
import unicodedata
from typing import Literal
from urllib.parse import unquote

from fourfall import Board
from fourfall.arena.record import GameRecord
from fourfall.web import limits
from fourfall.web.errors import RequestError
from fourfall.web.messages.schemas import ImportedGame
from fourfall.web.positions import parse_position
from fourfall.web.text_board import parse_text_board

_LINK = re.compile(r"#(?:[a-z]+=)?([^\s&]+)(?:&ply=(\d{1,3}))?", re.IGNORECASE)
_POSITION = re.compile(r"(\d+x\d+(?:@\d+,\d+)?)(?::([\w,]*))?", re.ASCII)
_MOVES = re.compile(r"[1-9a-c](?:[\s,;]*[1-9a-c])*")
_NUMBERED_MOVES = re.compile(r"(?:\d{1,3}\.+(?:[\s,;]*[1-9a-c]){1,2}\s*)+")
_MOVE_NUMBER = re.compile(r"(\d{1,3})\.+")
_LIST_KEYS = ("id", "event")  # "fourfall games --json" adds these to a record
_MIN_ROWS = 4


def import_text(text: str, board: str = "6x7") -> ImportedGame:
    """Read the game in a text; moves without a board are played on `board`. Raises RequestError.

    >>> import_text("https://example.org/#6x7:445&ply=2").position
    '6x7:445'
    >>> import_text("6 X 7 : 4 4 5").position
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
    link = _LINK.search(unquote(text)) if "://" in text or text.startswith("#") else None
    if link is not None and (position := _find_position(link[1])) is not None:
        game = _describe("position", parse_position(position))
        return game.model_copy(update={"ply": None if link[2] is None else min(int(link[2]), len(game.moves))})
    position = _find_position(text)
    if position is not None:
        return _describe("position", parse_position(position))
    moves = _find_moves(text)
    if moves is not None:
        shape = parse_position(board).notation.partition(":")[0]
        return _describe("moves", parse_position(f"{shape}:{moves}"))
    if len([line for line in text.splitlines() if line.strip()]) < _MIN_ROWS:
        raise RequestError("unknown_text")
    return _describe("text_board", parse_text_board(text))


def _find_position(text: str) -> str | None:
    """Return the notation at the beginning of a text; upper case, spaces, commas and wide characters are allowed.

    >>> _find_position("10 X 11 @ 4, 7: 66 5A")
    '10x11@4,7:665a'
    """
    first_line = text.splitlines()[0]  # in a downloaded text file, a text board follows
    for part in (text, first_line):
        compact = "".join(unicodedata.normalize("NFKC", part).lower().replace("\u00d7", "x").split())
        match = _POSITION.fullmatch(compact)
        if match is not None and (part is first_line or _MOVES.fullmatch(match[2] or "1")):
            moves = (match[2] or "").replace(",", "")
            return f"{match[1]}:{moves}" if moves else match[1]
    return None


def _find_moves(text: str) -> str | None:
    """Return the columns of a list of moves, with or without move numbers; None if the text is something else.

    >>> _find_moves("1. 4 4 3. 5")
    '445'
    """
    text = unicodedata.normalize("NFKC", text).lower()
    numbers = [int(number) for number in _MOVE_NUMBER.findall(text)]
    if _NUMBERED_MOVES.fullmatch(text) and numbers == sorted(set(numbers)):
        text = _MOVE_NUMBER.sub(" ", text).strip()
    if not _MOVES.fullmatch(text) or _is_digit_board(text):
        return None
    return re.sub(r"[^1-9a-c]", "", text)


def _is_digit_board(text: str) -> bool:
    """Whether lines of digits are a text board, not moves: at least 4 equally long lines of 0, 1 and 2."""
    lines = ["".join(re.findall(r"\w", line)) for line in text.splitlines()]
    return len(lines) >= _MIN_ROWS and len({len(line) for line in lines}) == 1 and set("".join(lines)) <= set("012")


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
