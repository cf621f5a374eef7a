"""Compares the paste import with the server: texts of all kinds, invalid texts and random ones."""

import json
import random
from dataclasses import replace
from typing import Any

import pytest

from fourfall import Board, render
from fourfall.arena.judge import Ending
from fourfall.arena.record import EXAMPLE
from fourfall.web.errors import RequestError
from fourfall.web.paste_import import import_text
from tests.site.requests.request_process import RequestProcess
from tests.web.test_paste_import import FRAMED, create_random_board, draw_grid

RECORD = json.loads(EXAMPLE.to_json())
TEXTS = [
    "6x7:445",
    " 6x7:445\n",
    "https://example.org/page/#6x7:445&ply=2",
    "http://localhost:4444/#6x7%3A445",
    "http://localhost:4444/#6x7%3A445%FF%E4&ply=999",
    "#analyse=6x7:445",
    "#6x7:445&ply=1",
    "https://example.org/",
    "https://example.org/#6x7:4x",
    '{"position": "6x7:445"}',
    '{"position": "6x7:44x"}',
    FRAMED,
    "6X7 : 4 4 5",
    "6x7: 4, 4, 5",
    "6\u00d77\uff1a\uff14\uff14\uff15",
    "10 X 11 @ 4, 7: 66 5A",
    "6x7:44\n5",
    "\ufeff6x7:445",
    "6x7:445\n\n" + render.draw_text(Board.parse("6x7:445")),
    *[
        "445",
        "4 4 5",
        "4,4,5",
        "4, 4,\n5",
        "1. 4 4 3. 5",
        "1.4 2.4 3.5",
        "3.4 2.4",
        "4;4;5",
        "\uff14\uff14",
        "444444444",
    ],
    *["", "  \n", "hello", "a\nb\nh\nd", "6x7:4444444", "....\n....\n...?\n....", "6x7:4x", "99x7", "6x7@6,0"],
    *["....\n....\n....\n...", "....\n....\n....\nXX..", "X...\n....\n....\n....", "##..\n....\n....\n...."],
    *["...\n...\n...\n...", "....\n" * 13, "{", '{"a": ' + "[" * 800, '{"a": 1}', "[1]", "{}x"],
    *[
        "XXXX\nOOO.\n....\n....",
        "....\n....\nOOOO\nXXXX",
        "....\n....\nO\u0307...\n....",
        "....\n....\n\U0001f600\n....",
    ],
    *["1 .\n2 .\n3 .\n4 .", "0111\n0222\n0111\n2222", "1112\n2221\n1112\n2221", "....\n....\n....\n>O.."],
    "....\x0b....\x1c....\x85X...\u2028",
    "....\n....\n....\n'...",
    "....\n....\n....\n\t\x00...",
]
WRONG_RECORDS: list[dict[str, object]] = [
    {"number": "0"},
    {"number": 1.5},
    {"names": "left"},
    {"names": ["left"]},
    {"names": ["left", 3]},
    {"names": ["a", "b", "c"]},
    {"addresses": 3},
    {"move_time_s": [1, None]},
    {"times_ms": [1, "x"]},
    {"times_ms": {}},
    {"scores": [None, True]},
    {"ending": "lost"},
    {"ending": None},
    {"winner": 2},
    {"winner": "0"},
    {"culprit": -1},
    {"sandboxed": 1},
    {"board": "6x8"},
    {"board": "6x7:x"},
    {"board": "6x7:12", "moves": "3"},
    {"moves": "44444444"},
    {"moves": 3},
    {"moves": "11223345"},
    {"started": None},
    {"repeats": "many", "delays_ms": [0]},
    {"delays_ms": [0]},
]


def check(worker: RequestProcess, text: str, board: str = "6x7") -> None:
    """Import a text by the server's function and by the worker, and compare the results."""
    status, found, _ = worker.request("/api/import", {"text": text, "board": board}, "POST")
    if status != 200:
        found.pop("message")
    assert (status, found) == import_as_server(text, board), text


def import_as_server(text: str, board: str) -> tuple[int, dict[str, Any]]:
    """Return the status and the body of the server's response, without the message of an error."""
    try:
        return 200, json.loads(import_text(text, board).model_dump_json())
    except RequestError as error:
        return error.status, {"code": error.code, "params": error.params}


@pytest.mark.parametrize("text", TEXTS)
def test_texts_of_all_kinds(worker: RequestProcess, text: str) -> None:
    """The same game, or the same error."""
    check(worker, text)
    check(worker, text, "9x10@3,3:12")


@pytest.mark.parametrize("changes", WRONG_RECORDS)
def test_wrong_records(worker: RequestProcess, changes: dict[str, object]) -> None:
    """The error names the same key and the same problem."""
    check(worker, json.dumps(RECORD | changes))


def test_records(worker: RequestProcess) -> None:
    """Records of the arena, as entries of `fourfall games --json`, with an opening, and with each key missing."""
    check(worker, json.dumps({"id": 4, "event": 2, **RECORD}))
    check(worker, replace(EXAMPLE, board="6x7:11", moves="22334", ending=Ending.WIN, ponder=True).to_json())
    for key in RECORD:
        check(worker, json.dumps({name: value for name, value in RECORD.items() if name != key}))
    for key in ("colour", "name", "time_ms", "start", "move_time_ms", ""):
        check(worker, json.dumps({**RECORD, key: 1}))


def test_text_boards_of_random_games(worker: RequestProcess) -> None:
    """Boards drawn by Fourfall, grids of letters and grids of digits, also of finished games."""
    for seed in range(40):
        board = create_random_board(seed)
        for text in (
            str(board),
            render.draw_text(board, values=[0.25] * board.cols),
            render.draw_text(board, values=["wins in 3"] * board.cols),
            draw_grid(board, ".XO#", ""),
            draw_grid(board, ".xo#", " "),
            draw_grid(board, "012#", " "),
            draw_grid(board, "·●◆▒", " "),
        ):
            check(worker, text)


def test_random_texts(worker: RequestProcess) -> None:
    """Random characters, and correct texts in which some characters were replaced."""
    rng = random.Random(7)  # noqa: S311 (not for security)
    alphabet = ".XO#012x \n|>*{}[]:\"@,43a\x85\x1f\u00d7\uff14%&\\'"
    for seed in range(300):
        if seed % 2:
            text = "".join(rng.choices(alphabet, k=rng.randrange(60)))
        else:
            letters = list(rng.choice([*TEXTS[:30], EXAMPLE.to_json(), str(create_random_board(seed))]))
            for _ in range(rng.randrange(1, 4)):
                letters[rng.randrange(len(letters) or 1) : rng.randrange(len(letters) + 1)] = rng.choice(alphabet)
            text = "".join(letters)
        check(worker, text)
