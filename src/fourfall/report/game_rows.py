"""Streams the games of an event with the fields that the statistics need, without keeping them.

`GameRecord.from_json` validates a record completely, which takes ten times longer than reading its JSON. The statistics
read a million games, so they use the JSON directly and check only what they use. The games that a report shows move by
move are read as complete records (`read_records`).
"""

import json
import math
import re
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from fourfall.arena.database import connect, translate_errors
from fourfall.arena.record import GameRecord

_BOARD = re.compile(r"(\d{1,2})x(\d{1,2})(?:@(\d{1,2}),(\d{1,2}))?")
_PLAYERS = (None, 0, 1)
_CHUNK = 500


class BoardShape(NamedTuple):
    """Rows, columns and hole of a board; the hole is (row, column) from the top left."""

    rows: int
    cols: int
    hole: tuple[int, int] | None


class GameRow(NamedTuple):
    """The fields of a game that the statistics use; named as in `GameRecord`."""

    id: int
    number: int
    pair: int
    group: str
    names: tuple[str, str]
    shape: BoardShape
    opening: int
    moves: int
    times_ms: "array[float]"
    move_time_s: tuple[float, float]
    ending: str
    winner: int | None
    culprit: int | None
    values: dict[str, Any]

    @property
    def stones(self) -> int:
        """Number of stones at the end of the game, with those of the opening."""
        return self.opening + self.moves


@dataclass
class DamagedGames:
    """Games that could not be read: their number, and the numbers of some of them in the database."""

    count: int = 0
    examples: list[int] = field(default_factory=list)

    def add(self, game: int) -> None:
        """Count a damaged game."""
        self.count += 1
        if len(self.examples) < 10:
            self.examples.append(game)


def read_rows(path: Path, event: int, damaged: DamagedGames) -> Iterator[GameRow]:
    """Yield the games of an event in the order of the schedule; games that cannot be read are counted in `damaged`."""
    connection = connect(path, create=False, read_only=True)
    try:
        with translate_errors(path):
            for game, text in connection.execute(
                "SELECT id, record FROM games WHERE event = ? ORDER BY number", [event]
            ):
                try:
                    yield parse_row(game, text)
                except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
                    damaged.add(game)
    finally:
        connection.close()


def read_records(path: Path, games: Iterable[int]) -> dict[int, GameRecord]:
    """Return the complete records of games by their numbers in the database; damaged ones are left out."""
    wanted = list(games)
    found: dict[int, GameRecord] = {}
    connection = connect(path, create=False, read_only=True)
    try:
        with translate_errors(path):
            for at in range(0, len(wanted), _CHUNK):
                chunk = wanted[at : at + _CHUNK]
                places = ", ".join("?" * len(chunk))
                query = f"SELECT id, record FROM games WHERE id IN ({places})"  # noqa: S608 (only question marks)
                for game, text in connection.execute(query, chunk):
                    try:
                        found[game] = GameRecord.from_json(text)
                    except ValueError:
                        continue
    finally:
        connection.close()
    return found


def parse_row(game: int, text: str) -> GameRow:
    """Read the fields of a game from its JSON; one of several exceptions if a field is invalid.

    >>> from fourfall.arena.record import EXAMPLE
    >>> row = parse_row(17, EXAMPLE.to_json())
    >>> row.names, row.shape, row.stones, row.winner
    (('left', 'right'), BoardShape(rows=6, cols=7, hole=None), 7, 0)
    """
    values = json.loads(text)
    first, second = values["names"]
    start, _, opening = values["board"].partition(":")
    one, other = values["move_time_s"]
    row = GameRow(
        game,
        values["number"],
        values["pair"],
        values["group"],
        (first, second),
        parse_shape(start),
        len(opening),
        len(values["moves"]),
        array("d", values["times_ms"]),
        (one, other),
        values["ending"],
        values["winner"],
        values["culprit"],
        values,
    )
    if not (isinstance(first, str) and isinstance(second, str) and isinstance(row.group, str)):
        raise TypeError("names and group must be text")
    if type(row.number) is not int or type(row.pair) is not int or not isinstance(row.ending, str):
        raise TypeError("number and pair must be whole numbers, ending text")
    if row.winner not in _PLAYERS or row.culprit not in _PLAYERS:
        raise ValueError("winner and culprit must be 0, 1 or null")
    if not (one > 0 and other > 0 and math.isfinite(one + other)):
        raise ValueError("move_time_s must be two positive numbers")
    if row.times_ms and not (min(row.times_ms) >= 0 and math.isfinite(sum(row.times_ms))):
        raise ValueError("times_ms must be finite and not negative")
    return row


@lru_cache(maxsize=10_000)
def parse_shape(text: str) -> BoardShape:
    """Read rows, columns and hole from the notation of a board without moves.

    >>> parse_shape("10x11@4,7")
    BoardShape(rows=10, cols=11, hole=(4, 7))
    """
    found = _BOARD.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is not a board")
    rows, cols, *hole = (int(number) for number in found.groups() if number is not None)
    if not (4 <= rows <= 12 and 4 <= cols <= 12):
        raise ValueError(f"{text!r} is not a board")
    return BoardShape(rows, cols, (hole[0], hole[1]) if hole else None)
