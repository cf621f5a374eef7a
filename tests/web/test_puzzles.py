"""Tests the HTTP routes of the puzzles: the set, one puzzle, the puzzle of a position, the check of a move."""

import gzip
import json

import pytest

from fourfall.coach.puzzles import load_puzzles
from tests.web.conftest import RunningServer
from tests.web.test_static_files import request

TWO_OPEN = "6x7:4455"
"""Blue wins with a double threat in column 3 or 6."""
ONE_WIN = "6x7:112233"
"""Blue wins at once in column 4."""


def test_set_is_compressed_and_not_sent_twice(server: RunningServer) -> None:
    """All shipped puzzles are sent, compressed, with the themes that occur; the ETag avoids a second transfer."""
    status, headers, body = request(server, "/api/puzzles", Accept_Encoding="gzip")
    assert (status, headers["content-encoding"], headers["cache-control"]) == (200, "gzip", "no-cache")
    found = json.loads(gzip.decompress(body))
    assert found["puzzles"] == [puzzle.to_json_value() for puzzle in load_puzzles()]
    kinds = {kind for puzzle in found["puzzles"] for kind in puzzle["themes"]}
    assert {theme["kind"] for theme in found["themes"]} == kinds
    assert all(theme["en"] and theme["zh"] for theme in found["themes"])
    again = request(server, "/api/puzzles", Accept_Encoding="gzip", If_None_Match=headers["etag"])
    assert (again[0], again[2]) == (304, b"")


def test_puzzle_has_hints_and_reasons(server: RunningServer) -> None:
    """A puzzle is found by its id, with three hints and the coach's reasons in both languages."""
    puzzle = load_puzzles()[0]
    found = server.get(f"/api/puzzles/{puzzle.id}")
    assert {key: found[key] for key in puzzle.to_json_value()} == puzzle.to_json_value()
    for language in ("en", "zh"):
        assert len(found["hints"][language]) == 3
        assert found["reasons"][language]
    status, error, _ = server.request("/api/puzzles/000000000000")
    assert (status, error["code"], error["params"]) == (404, "unknown_puzzle", {"puzzle": "000000000000"})


def test_puzzle_of_a_position(server: RunningServer) -> None:
    """A position with one good move becomes a puzzle without a rating; one with two good moves does not."""
    puzzle = min(load_puzzles(), key=lambda puzzle: puzzle.board.ply)  # many free cells
    found = server.get(f"/api/puzzles/find?position={puzzle.position}")["puzzle"]
    assert (found["id"], found["solution"][0], found["result"]) == (puzzle.id, puzzle.move, puzzle.result)
    assert (found["rating"], len(found["hints"]["zh"])) == (None, 3)
    assert server.get(f"/api/puzzles/find?position={TWO_OPEN}")["puzzle"] is None
    status, error, _ = server.request("/api/puzzles/find?position=6x7:1212121")
    assert (status, error["code"]) == (400, "game_over")


def test_wrong_move_is_refuted(server: RunningServer) -> None:
    """A move that loses has the refutation up to four in a row, and a sentence in both languages."""
    found = server.get("/api/puzzles/check?position=6x7:11223&column=0")
    assert (found["verdict"], found["columns"]) == ("loses", [0, 3])
    assert found["text"]["en"][0].startswith("This move loses")
    assert found["text"]["zh"][0]


def test_other_winning_move_is_not_refuted(server: RunningServer) -> None:
    """A move that wins at once has the verdict `wins` and no sentence."""
    found = server.get(f"/api/puzzles/check?position={ONE_WIN}&column=3")
    assert (found["verdict"], found["text"]) == ("wins", {"en": [], "zh": []})


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("position=6x7:111111&column=0", "column_full"),
        ("position=6x7&column=8", "illegal_move"),
        ("position=6x7:1212121&column=0", "game_over"),
        ("position=6x7:8&column=0", "bad_position"),
        ("position=6x7", "bad_request"),
    ],
)
def test_invalid_moves_are_refused(server: RunningServer, query: str, code: str) -> None:
    """The error says what is wrong with the position or the column."""
    status, error, _ = server.request(f"/api/puzzles/check?{query}")
    assert status in (400, 422)
    assert error["code"] == code
