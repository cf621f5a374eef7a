"""Checks a game record from a file against the rules: replays the moves and compares the result with the record."""

import math
import re
from datetime import datetime

from fourfall._core import Board
from fourfall.arena.judge import Ending, judge_board
from fourfall.arena.record import GameRecord, RecordError

MAX_LENGTHS = {
    "group": 1_000,
    "names": 1_000,
    "addresses": 10_000,
    "detail": 10_000,
    "stderr": 100_000,
    "reproducer": 20_000,
    "version": 100,
    "worker": 1_000,
    "timing": 100,
}
_MAX_NUMBERS = {"number": 2**63 - 1, "pair": 2**63 - 1, "seed": 2**64 - 1, "repeats": 2**31 - 1}
_TIMES = ("times_ms", "startup_ms", "move_time_s", "delays_ms")
_PLAYERS = ("first", "second")
_TIMESTAMP = re.compile(r"[0-9][0-9T:.+Z -]{,60}")


def check_record(record: GameRecord) -> None:
    """Check values and result of a record that `GameRecord.from_json` accepts; RecordError names the key.

    >>> from dataclasses import replace
    >>> from fourfall.arena.record import EXAMPLE
    >>> check_record(replace(EXAMPLE, winner=1))
    Traceback (most recent call last):
    fourfall.arena.record.RecordError: winner must be 0, the final board is won by the first player
    """
    _check_numbers(record)
    _check_texts(record)
    _check_lengths(record)
    _check_result(record)


def _check_numbers(record: GameRecord) -> None:
    for key, maximum in _MAX_NUMBERS.items():
        if not 0 <= getattr(record, key) <= maximum:
            raise RecordError(f"{key} must be a whole number from 0 to {maximum}")
    for key in _TIMES:
        for at, value in enumerate(getattr(record, key), 1):
            if not (math.isfinite(value) and value >= 0):
                raise RecordError(f"{key}[{at}] must be a finite number of at least 0, not {value}")
    for at, score in enumerate(record.scores, 1):
        if score is not None and not 0 <= score <= 1:
            raise RecordError(f"scores[{at}] must be a number from 0 to 1 or null, not {score}")


def _check_texts(record: GameRecord) -> None:
    for key, maximum in MAX_LENGTHS.items():
        value = getattr(record, key)
        for text in (value,) if isinstance(value, str) else value:
            if len(text) > maximum:
                raise RecordError(f"{key} must have at most {maximum} characters, not {len(text)}")
            if any("\ud800" <= letter <= "\udfff" for letter in text):
                raise RecordError(f"{key} contains half of a surrogate pair, which is not a character")
    if not all(name.strip() for name in record.names):
        raise RecordError("names must not be empty")
    try:
        if not _TIMESTAMP.fullmatch(record.started):
            raise ValueError
        datetime.fromisoformat(record.started)
    except ValueError:
        raise RecordError(
            f"started must be a time in ISO 8601, for example 2026-11-15T12:00:00+00:00, not {record.started[:60]!r}"
        ) from None


def _check_lengths(record: GameRecord) -> None:
    moves = len(record.moves)
    if len(record.scores) != moves:
        raise RecordError(f"scores must have {moves} items, one for each move, not {len(record.scores)}")
    extra = 0 if record.ending in (Ending.WIN, Ending.TIE, Ending.RESIGNATION, Ending.TIME) else 1
    if not moves <= len(record.times_ms) <= moves + extra:
        allowed = f"{moves} or {moves + 1} items" if extra else f"{moves} items"
        raise RecordError(f"times_ms must have {allowed}, one for each requested move, not {len(record.times_ms)}")


def _check_result(record: GameRecord) -> None:
    """Compare ending, winner and culprit with the final board."""
    if Board.parse(record.board).is_over:
        raise RecordError("board: the game is over before the first move")
    verdict = judge_board(record.final_board)
    if verdict is not None:
        is_win = verdict.ending is Ending.WIN
        state = f"won by the {_PLAYERS[verdict.winner or 0]} player" if is_win else "full without four in a row"
        if record.ending is not verdict.ending:
            raise RecordError(f"ending must be {verdict.ending.value!r}, the final board is {state}")
        _require("winner", record.winner, verdict.winner, f"the final board is {state}")
        _require("culprit", record.culprit, None, f"nobody failed in a game that ended with a {record.ending}")
        return
    if record.ending in (Ending.WIN, Ending.TIE):
        raise RecordError(f"ending must not be {record.ending.value!r}, the game is not over on the final board")
    if record.ending in (Ending.RESIGNATION, Ending.TIME):
        resigned = record.ending is Ending.RESIGNATION
        how, loser = ("with a resignation", "resigned") if resigned else ("on time", "has no time left")
        _require("culprit", record.culprit, None, f"nobody failed in a game that ended {how}")
        if record.winner is None:
            raise RecordError(f"winner must be 0 or 1, the opponent of the player that {loser}")
        return
    if record.culprit is None:
        raise RecordError(f"culprit must be 0 or 1, the game ended with a failure ({record.ending})")
    _require("winner", record.winner, 1 - record.culprit, f"the {_PLAYERS[record.culprit]} player failed")


def _require(key: str, value: int | None, expected: int | None, reason: str) -> None:
    if value != expected:
        raise RecordError(f"{key} must be {'null' if expected is None else expected}, {reason}")
