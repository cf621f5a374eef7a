"""Owns making a game of what people paste: positions, links, move strings and records; drawings are read elsewhere."""

import json
import re
from urllib.parse import unquote

from fourfall import Board
from fourfall.arena.record import GameRecord, RecordError
from fourfall.web import limits
from fourfall.web.printout import read_printout
from fourfall.web.refusal import Refusal
from fourfall.web.shapes import TextRead

_POSITION = re.compile(r"\d+x\d+(@\d+,\d+)?(:\w*)?")
_MOVES = re.compile(r"[1-9a-cA-C](?:[\s,]*[1-9a-cA-C])*")
_ONLY_LISTED = ("id", "event")  # what "fourfall games --json" adds to a record


def read_text(text: str, board: str = "6x7") -> TextRead:
    """Make a game of a text; Refusal says what was not understood. Bare moves are played on `board`.

    >>> read_text("https://example.org/#6x7:445&ply=2").position
    '6x7:445'
    >>> read_text("4, 4, 5").kind
    'moves'
    """
    text = text.strip().lstrip("\ufeff")
    if not text:
        raise Refusal("unreadable", "there is nothing to read")
    if len(text) > limits.TEXT_BYTES:
        raise Refusal("too_large", f"at most {limits.TEXT_BYTES} letters are read")
    if text.startswith("{"):
        return _record(text)
    if "://" in text and "#" in text:
        text = unquote(text.partition("#")[2]).partition("&")[0]
    first_line = text.splitlines()[0].strip()
    if _POSITION.fullmatch(first_line):  # what follows is the drawing that a download has
        return _game("position", _parsed(first_line))
    if _MOVES.fullmatch(text) and not _is_grid(text):
        return _game("moves", _parsed(f"{_empty(board)}:{re.sub(r'[^1-9a-c]', '', text.lower())}"))
    return _game("printout", read_printout(text), note="any legal order of these stones")


def _is_grid(text: str) -> bool:
    """Whether lines of digits are a drawn board rather than moves: as many in each line, and no column but 1 and 2."""
    lines = ["".join(re.findall(r"\w", line)) for line in text.splitlines()]
    return len(lines) >= 4 and len({len(line) for line in lines}) == 1 and set("".join(lines)) <= set("012")


def _parsed(position: str) -> Board:
    try:
        return Board.parse(position)
    except ValueError as error:
        raise Refusal("unreadable", str(error)) from None


def _empty(board: str) -> str:
    """Return the notation of a board without its moves."""
    return _parsed(board).notation.partition(":")[0]


def _record(text: str) -> TextRead:
    try:
        data = json.loads(text)
        if "moves" in data and "addresses" in data:
            kept = {name: value for name, value in data.items() if name not in _ONLY_LISTED}
            record = GameRecord.from_json(json.dumps(kept))
            return _game("record", record.final, start=Board.parse(record.board), names=record.names)
        if isinstance(data.get("position"), str):
            return _game("record", _parsed(data["position"]))
    except RecordError as error:
        raise Refusal("unreadable", str(error)) from None
    except (ValueError, RecursionError):
        raise Refusal("unreadable", "this begins like JSON but is none") from None
    raise Refusal("unreadable", "JSON, but neither a game's record nor anything with a position")


def _game(
    kind: str, board: Board, *, start: Board | None = None, names: tuple[str, str] | None = None, note: str = ""
) -> TextRead:
    begun = Board(board.rows, board.cols, board.hole) if start is None else start
    return TextRead(
        kind=kind,  # type: ignore[arg-type]
        start=begun.notation,
        moves=board.moves[begun.ply :],
        position=board.notation,
        names=names,
        note=note,
    )
