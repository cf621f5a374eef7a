"""Tests of the check of imported records: one damaged field at a time, and random games with other results."""

import json
import math
import re
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfall import Board
from fourfall.arena.jsonl import MAX_LINE_LENGTH, format_line, read_games
from fourfall.arena.judge import Ending, judge_board
from fourfall.arena.record import EXAMPLE, GameRecord, RecordError
from fourfall.arena.record_check import MAX_LENGTHS, check_record
from fourfall.render import COLUMN_NAMES
from tests.strategies import Game, games

CRASHED = replace(
    EXAMPLE,
    moves="112",
    times_ms=(1.0, 2.0, 3.0, 4.0),
    scores=(None, 0.0, 1.0),
    ending=Ending.CRASH,
    winner=0,
    culprit=1,
    detail="killed by SIGSEGV",
)
DRAWN = replace(
    EXAMPLE,
    moves="547125662261271266215743771576315353334444",
    times_ms=(1.0,) * 42,
    scores=(None,) * 42,
    ending=Ending.TIE,
    winner=None,
)
RESIGNED = replace(CRASHED, times_ms=(1.0, 2.0, 3.0), ending=Ending.RESIGNATION, culprit=None)
FAILED_AT_START = replace(CRASHED, moves="", times_ms=(), scores=(), ending=Ending.CANNOT_LOAD)


@pytest.mark.parametrize("record", [EXAMPLE, CRASHED, DRAWN, RESIGNED, FAILED_AT_START])
def test_valid_records_are_accepted(record: GameRecord) -> None:
    """Each kind of ending has a valid record."""
    check_record(record)


@pytest.mark.parametrize(
    ("record", "changes", "message"),
    [
        (EXAMPLE, {"winner": 1}, "winner must be 0, the final board is won by the first player"),
        (EXAMPLE, {"winner": None}, "winner must be 0, the final board is won by the first player"),
        (EXAMPLE, {"culprit": 1}, "culprit must be null, nobody failed in a game that ended with a win"),
        (EXAMPLE, {"ending": Ending.TIE}, "ending must be 'win', the final board is won by the first player"),
        (EXAMPLE, {"ending": Ending.CRASH, "culprit": 1}, "ending must be 'win', the final board is won by the first"),
        (EXAMPLE, {"board": "6x7:1122334", "moves": "", "times_ms": (), "scores": ()}, "board: the game is over"),
        (DRAWN, {"winner": 0}, "winner must be null, the final board is full without four in a row"),
        (DRAWN, {"ending": Ending.WIN, "winner": 0}, "ending must be 'tie', the final board is full without four"),
        (RESIGNED, {"ending": Ending.WIN}, "ending must not be 'win', the game is not over on the final board"),
        (RESIGNED, {"ending": Ending.TIE, "winner": None}, "ending must not be 'tie', the game is not over"),
        (RESIGNED, {"winner": None}, "winner must be 0 or 1, the opponent of the player that resigned"),
        (RESIGNED, {"culprit": 1}, "culprit must be null, nobody failed"),
        (CRASHED, {"culprit": None}, "culprit must be 0 or 1, the game ended with a failure (crash)"),
        (CRASHED, {"winner": 1}, "winner must be 0, the second player failed"),
        (CRASHED, {"winner": None}, "winner must be 0, the second player failed"),
        (CRASHED, {"times_ms": (1.0,) * 5}, "times_ms must have 3 or 4 items, one for each requested move, not 5"),
        (EXAMPLE, {"times_ms": (1.0,) * 8}, "times_ms must have 7 items, one for each requested move, not 8"),
        (EXAMPLE, {"times_ms": ()}, "times_ms must have 7 items"),
        (EXAMPLE, {"times_ms": (1.0,) * 6 + (-1.0,)}, "times_ms[7] must be a finite number of at least 0, not -1.0"),
        (EXAMPLE, {"times_ms": (math.nan,) * 7}, "times_ms[1] must be a finite number of at least 0, not nan"),
        (EXAMPLE, {"startup_ms": (0.0, math.inf)}, "startup_ms[2] must be a finite number of at least 0, not inf"),
        (EXAMPLE, {"move_time_s": (-1.0, 1.0)}, "move_time_s[1] must be a finite number of at least 0"),
        (EXAMPLE, {"scores": (None,) * 8}, "scores must have 7 items, one for each move, not 8"),
        (EXAMPLE, {"scores": (1.01,) * 7}, "scores[1] must be a number from 0 to 1 or null, not 1.01"),
        (EXAMPLE, {"scores": (math.nan,) * 7}, "scores[1] must be a number from 0 to 1 or null, not nan"),
        (EXAMPLE, {"number": 2**63}, "number must be a whole number from 0 to 9223372036854775807"),
        (EXAMPLE, {"number": -1}, "number must be a whole number from 0"),
        (EXAMPLE, {"pair": 10**30}, "pair must be a whole number from 0 to 9223372036854775807"),
        (EXAMPLE, {"seed": 2**64}, "seed must be a whole number from 0 to 18446744073709551615"),
        (EXAMPLE, {"names": ("a", " ")}, "names must not be empty"),
        (EXAMPLE, {"names": ("a", "\ud800")}, "names contains half of a surrogate pair"),
        (EXAMPLE, {"started": ""}, "started must be a time in ISO 8601"),
        (EXAMPLE, {"started": "yesterday"}, "started must be a time in ISO 8601"),
        (EXAMPLE, {"started": "2026-13-15T12:00:00"}, "started must be a time in ISO 8601"),
        (EXAMPLE, {"started": "2026-11-15\x1b12:00:00"}, "started must be a time in ISO 8601"),
        (EXAMPLE, {"started": "2" * 10**6}, "started must be a time in ISO 8601"),
    ],
)
def test_damaged_fields_are_refused(record: GameRecord, changes: dict[str, Any], message: str) -> None:
    """The message names the key and what is allowed."""
    with pytest.raises(RecordError, match=f"^{re.escape(message)}"):
        check_record(replace(record, **changes))


@pytest.mark.parametrize("key", MAX_LENGTHS)
def test_texts_are_bounded_and_without_lone_surrogates(key: str) -> None:
    """Every text has a maximum length, and half of a surrogate pair is refused."""

    def change(text: str) -> GameRecord:
        value: Any = (text, "x") if isinstance(getattr(EXAMPLE, key), tuple) else text
        return replace(EXAMPLE, **{key: value})

    check_record(change("é" * MAX_LENGTHS[key]))
    with pytest.raises(RecordError, match=f"^{key} must have at most {MAX_LENGTHS[key]} characters"):
        check_record(change("x" * (MAX_LENGTHS[key] + 1)))
    with pytest.raises(RecordError, match=f"^{key} contains half of a surrogate pair"):
        check_record(change("x\udfff"))


@given(games(), st.sampled_from(Ending), st.sampled_from([0, 1, None]), st.sampled_from([0, 1, None]))
def test_only_results_that_follow_from_the_moves_are_accepted(
    game: Game, ending: Ending, winner: int | None, culprit: int | None
) -> None:
    """A record is accepted if and only if its ending, winner and culprit agree with the final board."""
    board = game.board()
    moves = "".join(COLUMN_NAMES[column] for column in game.moves)
    record = replace(
        EXAMPLE,
        board=Board(*game.shape).notation,
        moves=moves,
        times_ms=(1.0,) * len(moves),
        scores=(None,) * len(moves),
        ending=ending,
        winner=winner,
        culprit=culprit,
    )
    verdict = judge_board(board)
    if verdict is not None:
        is_valid = (ending, winner, culprit) == (verdict.ending, verdict.winner, None)
    elif ending in (Ending.WIN, Ending.TIE):
        is_valid = False
    elif ending in (Ending.RESIGNATION, Ending.TIME):
        is_valid = winner is not None and culprit is None
    else:
        is_valid = culprit is not None and winner == 1 - culprit
    if is_valid:
        check_record(record)
    else:
        with pytest.raises(RecordError, match=r"^(ending|winner|culprit) must "):
            check_record(record)


ODD_VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from([2**63, 2**64, 10**400, -1, math.nan, math.inf, -math.inf, 1e308, "\ud800", "\x00", "\x1b[2J"]),
    st.floats(),
    st.text(max_size=20),
    st.lists(st.one_of(st.none(), st.floats(), st.integers(), st.text(max_size=5)), max_size=9),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)


@given(st.sampled_from(sorted(vars(EXAMPLE))), ODD_VALUES)
def test_file_with_a_random_value_is_read_or_refused(key: str, value: object) -> None:
    """A random value of one key gives a record that can be written again, or an error with one line and its place."""
    text = json.dumps(json.loads(EXAMPLE.to_json()) | {key: value})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.jsonl"
        path.write_text(f"\n{text}\n", encoding="utf-8")
        message = ""
        try:
            [record] = read_games(path)
        except RecordError as error:
            message = str(error)
    if message:
        assert message.startswith(f"{path}:2: ")
        assert "\n" not in message
    else:
        line = format_line(record)
        assert line.isprintable()
        assert GameRecord.from_json(line.encode().decode()) == record


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (EXAMPLE.to_json().replace('"seed":1', '"seed":' + "9" * 5000), "not JSON: number out of range"),
        (EXAMPLE.to_json().replace('"seed":1', '"seed":' + "[" * 100_000), "not JSON: recursion limit exceeded"),
        (EXAMPLE.to_json().replace("0.5,", "NaN,", 1), "scores[1] must be a number, not nan"),
        (EXAMPLE.to_json().replace("0.5,", "1e999,", 1), "scores[1] must be a number, not inf"),
        (EXAMPLE.to_json().replace("left", "\\ud800"), "not JSON: "),
        ("x" * (MAX_LINE_LENGTH + 1), f"the line has more than {MAX_LINE_LENGTH} characters"),
        (EXAMPLE.to_json().replace('"winner":0', '"winner":1'), "winner must be 0, the final board is won by the"),
    ],
)
def test_damaged_lines_are_refused(tmp_path: Path, line: str, message: str) -> None:
    """The message names the file and the line."""
    path = tmp_path / "games.jsonl"
    path.write_text(f"{replace(EXAMPLE, number=1).to_json()}\n\n{line}\n", encoding="utf-8")
    with pytest.raises(RecordError, match=f"^{re.escape(f'{path}:3: {message}')}"):
        list(read_games(path))
