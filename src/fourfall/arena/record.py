"""Owns the record of a finished game: immutable plain data that everything after the game is computed from."""

import json
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from fourfall._core import Board
from fourfall.arena.judge import Ending


class RecordError(ValueError):
    """A game record that does not make sense; the message names the field."""


@dataclass(frozen=True)
class GameRecord:
    """One finished game.

    Pairs of two hold one entry for the first player and one for the second. `board` is where the game began, with its
    opening moves; `moves` are those played after it, as text. `times_ms` has an entry for each move, and one more where
    the game ended by a question that was not answered legally in time. A score is the win chance, as the engine that
    moved saw it, or None where the agent gives none. `stderr` and `reproducer` belong to the culprit, if there is one.
    """

    number: int
    pair: int
    group: str
    names: tuple[str, str]
    addresses: tuple[str, str]
    move_time_s: tuple[float, float]
    board: str
    moves: str
    times_ms: tuple[float, ...]
    scores: tuple[float | None, ...]
    startup_ms: tuple[float, float]
    ending: Ending
    winner: int | None
    culprit: int | None
    detail: str
    stderr: str
    reproducer: str
    seed: int
    sandboxed: bool
    version: str
    started: str

    @property
    def final(self) -> Board:
        """The board at the end of the game.

        >>> EXAMPLE.final.notation
        '6x7:1122334'
        """
        board = Board.parse(self.board)
        return Board.parse(f"{self.board}{'' if board.ply or not self.moves else ':'}{self.moves}")

    @property
    def first_score(self) -> float:
        """What the game is worth to the first player: 1, 0.5 or 0."""
        return 0.5 if self.winner is None else float(self.winner == 0)

    def to_json(self) -> str:
        """Write the record as one line of JSON.

        >>> GameRecord.from_json(EXAMPLE.to_json()) == EXAMPLE
        True
        """
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> "GameRecord":
        """Read a record from JSON; RecordError says what is wrong with it."""
        try:
            data = json.loads(text)
        except ValueError as error:
            raise RecordError(f"not JSON: {error}") from None
        if not isinstance(data, dict):
            raise RecordError("a record is a JSON object")
        for name in data.keys() - _FIELDS.keys():
            raise RecordError(f"unknown field {name!r}")
        for name in _FIELDS.keys() - data.keys():
            raise RecordError(f"field {name!r} is missing")
        record = cls(**{name: _checked(name, data[name]) for name in _FIELDS})
        try:
            _ = record.final
        except ValueError as error:
            raise RecordError(f"board and moves: {error}") from None
        return record

    def without_clock(self) -> "GameRecord":
        """Return the record without what differs between two runs of the same games: times and dates."""
        return replace(self, times_ms=(), startup_ms=(0.0, 0.0), started="")


_NUMBER = (int, float)
_FIELDS: dict[str, str] = {field.name: str(field.type) for field in fields(GameRecord)}


def _checked(name: str, value: Any) -> Any:  # noqa: ANN401 (any JSON value)
    """Bring a JSON value into the type of its field, or complain."""
    match name:
        case "number" | "pair" | "seed":
            fits = isinstance(value, int) and not isinstance(value, bool)
        case "names" | "addresses":
            fits = isinstance(value, list) and len(value) == 2 and all(isinstance(item, str) for item in value)
        case "move_time_s" | "startup_ms":
            fits = isinstance(value, list) and len(value) == 2 and all(_is_number(item) for item in value)
        case "times_ms":
            fits = isinstance(value, list) and all(_is_number(item) for item in value)
        case "scores":
            fits = isinstance(value, list) and all(item is None or _is_number(item) for item in value)
        case "winner" | "culprit":
            fits = value is None or (isinstance(value, int) and value in (0, 1) and not isinstance(value, bool))
        case "sandboxed":
            fits = isinstance(value, bool)
        case "ending":
            fits = value in list(Ending)
            value = Ending(value) if fits else value
        case _:
            fits = isinstance(value, str)
    if not fits:
        raise RecordError(f"field {name!r} cannot be {json.dumps(value)[:60]}")
    return tuple(value) if isinstance(value, list) else value


def _is_number(value: object) -> bool:
    return isinstance(value, _NUMBER) and not isinstance(value, bool)


EXAMPLE = GameRecord(
    number=0,
    pair=0,
    group="",
    names=("left", "right"),
    addresses=("seed-000?simulations=10", "seed-002?simulations=10"),
    move_time_s=(3.0, 3.0),
    board="6x7",
    moves="1122334",
    times_ms=(1.0, 1.5, 1.0, 1.5, 1.0, 1.5, 1.0),
    scores=(0.5, 0.5, 0.5, 0.4, 0.7, 0.2, 1.0),
    startup_ms=(0.1, 0.1),
    ending=Ending.WIN,
    winner=0,
    culprit=None,
    detail="",
    stderr="",
    reproducer="",
    seed=1,
    sandboxed=True,
    version="0.1.0",
    started="2026-11-15T12:00:00+00:00",
)
