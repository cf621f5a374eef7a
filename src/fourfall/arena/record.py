"""Record of a finished game: immutable plain data from which tables, ratings and reports are computed."""

import json
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, replace
from functools import cache

from fourfall._core import Board
from fourfall.arena.judge import Ending


class RecordError(ValueError):
    """An invalid game record; the message names the key."""


def join_moves(position: str, moves: str) -> Board:
    """Return the board after more moves, which are written as in the notation of a position.

    >>> join_moves("6x7", "44").notation, join_moves("6x7:4", "4").notation
    ('6x7:44', '6x7:44')
    """
    board = Board.parse(position)
    return Board.parse(f"{position}{'' if board.ply or not moves else ':'}{moves}")


@dataclass(frozen=True)
class GameRecord:
    """One finished game.

    Pairs of two values belong to the first and the second player. `board` is the starting position with its opening
    moves; `moves` are the columns played after it. `times_ms` has one entry per move, and one more if the game ended
    because the last request for a move failed. A score is the win probability that the moving engine reported, or None
    if the agent reports none. With `ponder`, agents could think on the opponent's time. `repeats` counts attempts that
    were discarded because the machine withheld processor time from an agent until its time limit had passed;
    `delays_ms` is the time that was given back to each player in the recorded game, when a limit had passed. `stderr`
    and `reproducer` belong to the `culprit`, the player that failed, if any. `worker` is the name of the worker of a
    cluster that played the game, empty without a cluster. `timing` is empty if its timing was fair; otherwise it says
    why not: "slow" or "overloaded" (the worker), or "late" (other programs took much of the thinking time).
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
    ponder: bool = False
    repeats: int = 0
    delays_ms: tuple[float, float] = (0.0, 0.0)
    worker: str = ""
    timing: str = ""

    @property
    def final_board(self) -> Board:
        """The board at the end of the game.

        >>> EXAMPLE.final_board.notation
        '6x7:1122334'
        """
        return join_moves(self.board, self.moves)

    @property
    def first_points(self) -> float:
        """The score of the first player: 1, 0.5 or 0."""
        return 0.5 if self.winner is None else float(self.winner == 0)

    def get_points(self, player: int) -> float:
        """Return the score of the first (0) or second (1) player: 1, 0.5 or 0.

        >>> EXAMPLE.get_points(1)
        0.0
        """
        return self.first_points if player == 0 else 1 - self.first_points

    def to_json(self) -> str:
        """Write the record as one line of JSON; keys that have a default value are omitted if they have it.

        >>> GameRecord.from_json(EXAMPLE.to_json()) == EXAMPLE
        True
        """
        values = {key: value for key, value in vars(self).items() if key not in _DEFAULTS or value != _DEFAULTS[key]}
        return json.dumps(values, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> "GameRecord":
        """Read a record from JSON; RecordError describes the first mistake.

        >>> GameRecord.from_json("{}")
        Traceback (most recent call last):
        fourfall.arena.record.RecordError: number is missing
        """
        record = _make_json_reader()(text)
        for key, player in (("winner", record.winner), ("culprit", record.culprit)):
            if player not in (0, 1, None):
                raise RecordError(f"{key} must be 0, 1 or null, not {player}")
        try:
            _ = record.final_board
        except ValueError as error:
            raise RecordError(f"board and moves: {error}") from None
        return record

    def without_times(self) -> "GameRecord":
        """Return the record without times, dates and workers, which differ between two runs of the same game."""
        nothing = (0.0, 0.0)
        return replace(
            self, times_ms=(), startup_ms=nothing, started="", repeats=0, delays_ms=nothing, worker="", timing=""
        )

    def without_moves(self) -> "GameRecord":
        """Return the record without moves, times and scores, which take two thirds of its memory.

        >>> EXAMPLE.without_moves().first_points, EXAMPLE.without_moves().moves
        (1.0, '')
        """
        return replace(self, moves="", times_ms=(), scores=())


_DEFAULTS = {field.name: field.default for field in fields(GameRecord) if field.default is not MISSING}


@cache
def _make_json_reader() -> Callable[[str], GameRecord]:
    """Return a function that validates the JSON of a record; made on first use, because pydantic imports slowly."""
    from pydantic import TypeAdapter, ValidationError

    from fourfall.validation import STRICT, describe_validation_error

    GameRecord.__pydantic_config__ = STRICT  # type: ignore[attr-defined]
    adapter = TypeAdapter(GameRecord)

    def read_json(text: str) -> GameRecord:
        try:
            return adapter.validate_json(text)
        except ValidationError as error:
            raise RecordError(describe_validation_error(error, "", GameRecord, "json")) from None

    return read_json


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
