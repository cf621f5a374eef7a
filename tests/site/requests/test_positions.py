"""Compares the requests about positions with the server: descriptions, images, stones and invalid values."""

import random

import pytest

from fourfall import Board, render
from tests.site.requests.request_process import RequestProcess
from tests.web.conftest import RunningServer
from tests.web.test_paste_import import create_random_board

PAGE_GAME = "pABCDEFGHIJKLMNOP"
WRONG_PATHS = [
    "/api/games?limit=0",
    "/api/games?limit=201",
    "/api/games?limit=x",
    "/api/games?limit=1.5",
    "/api/games?limit=",
    "/api/games?limit=3&limit=0",
    "/api/games?source=x",
    "/api/games?source=%27",
    "/api/games?result=won",
    f"/api/games?before={'a' * 201}",
    "/api/games?before=x",
    "/api/games?before=bnVsbA",
    "/api/games?before=W10",
    "/api/games?before=%00",
    "/api/games?event=0",
    f"/api/games?text={'a' * 101}",
    f"/api/games?agent={'%C3%A4' * 1001}",
    "/api/games/x",
    "/api/games/p1",
    "/api/games/a1",
    f"/api/games/{PAGE_GAME}",
    f"/api/games/{PAGE_GAME}/download",
    f"/api/games/{PAGE_GAME}/download?format=pdf",
    f"/api/games/{PAGE_GAME}/download?ply=145",
    f"/api/games/{PAGE_GAME}/download?ply=-1",
    "/api/position",
    "/api/position?position=",
    f"/api/position?position={'1' * 201}",
    "/api/position?position=6x7:x",
    "/api/position?position=6x7:4444444",
    "/api/board.svg?position=6x7@6,0",
    "/api/animation?position=6x7&start=3",
    "/api/animation?position=6x7&start=200",
    "/api/animation?position=6x7&format=png",
    "/api/explorer?position=6x7&source=book",
    "/api/explorer",
    "/api/nothing",
    "/api/",
    "/api/position/",
    "/api/puzzles/x",
    "/api/puzzles/aaaaaaaaaaaa",
    "/api/puzzles/find?position=6x7:1122334",
    "/api/puzzles/check?position=6x7",
    "/api/puzzles/check?position=6x7&column=7",
    "/api/puzzles/check?position=6x7&column=12",
    "/api/puzzles/check?position=6x7:444444&column=3",
]
WRONG_BODIES: list[tuple[str, object]] = [
    ("import", {}),
    ("import", {"text": 3}),
    ("import", {"text": "", "board": 3}),
    ("import", {"text": "x", "other": 1}),
    ("import", [1, None, True, {"a": 1.5}]),
    ("import", "a 'quoted' text\n\u200b"),
    ("import", {"text": "445", "board": "6y7"}),
    ("import", {"text": "445", "board": "6" * 201}),
    ("import", {"text": "4" * 17000}),
    ("stones", {}),
    ("stones", {"rows": 3, "cols": 7, "first": [], "second": []}),
    ("stones", {"rows": 6, "cols": 13, "first": [], "second": []}),
    ("stones", {"rows": "6", "cols": 7, "first": [], "second": []}),
    ("stones", {"rows": 6.5, "cols": 7, "first": [], "second": []}),
    ("stones", {"rows": True, "cols": 7, "first": [], "second": []}),
    ("stones", {"rows": None, "cols": 7, "first": [], "second": []}),
    ("stones", {"rows": 6, "cols": 7, "first": [[1]], "second": []}),
    ("stones", {"rows": 6, "cols": 7, "first": [[1, 12]], "second": []}),
    ("stones", {"rows": 6, "cols": 7, "first": [[1, "a"]], "second": []}),
    ("stones", {"rows": 6, "cols": 7, "first": [[0, 0]] * 145, "second": []}),
    ("stones", {"rows": 6, "cols": 7, "first": 3, "second": []}),
    ("stones", {"rows": 6, "cols": 7, "first": [3], "second": []}),
    ("stones", {"rows": 6, "cols": 7, "first": []}),
    ("stones", {"rows": 6, "cols": 7, "hole": [6, 0], "first": [], "second": []}),
    ("stones", {"rows": 6, "cols": 7, "hole": [1, 2, 3], "first": [], "second": []}),
    ("stones", {"rows": 6, "cols": 7, "hole": 5, "first": [], "second": []}),
    ("stones", {"rows": 6, "cols": 7, "first": [[5, 3], [4, 3]], "second": []}),
    ("stones", {"rows": 6, "cols": 7, "first": [[4, 3]], "second": []}),
]


@pytest.mark.parametrize("path", WRONG_PATHS)
def test_wrong_values_of_a_query(worker: RequestProcess, server: RunningServer, path: str) -> None:
    """Status, code and parameters are those of the server."""
    expected_status, expected, _ = server.request(path)
    status, body, _ = worker.request(path)
    assert expected_status >= 400
    assert (status, body["code"], body["params"]) == (expected_status, expected["code"], expected["params"])


@pytest.mark.parametrize(("name", "body"), WRONG_BODIES)
def test_wrong_bodies(worker: RequestProcess, server: RunningServer, name: str, body: object) -> None:
    """Status, code and parameters are those of the server."""
    expected_status, expected, _ = server.request(f"/api/{name}", body, method="POST")
    status, found, _ = worker.request(f"/api/{name}", body, "POST")
    assert expected_status >= 400
    assert (status, found["code"], found["params"]) == (expected_status, expected["code"], expected["params"])


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/api/events"), ("GET", "/api/events/3/history"), ("POST", "/api/matches"), ("DELETE", "/api/matches/3")],
)
def test_events_need_the_program(worker: RequestProcess, method: str, path: str) -> None:
    """Matches and tournaments are played by the program."""
    assert worker.request(path, None, method)[1]["code"] == "needs_program"


def test_engines(worker: RequestProcess, server: RunningServer) -> None:
    """The route returns the information of the welcome message."""
    assert worker.request("/api/engines") == (200, server.get("/api/engines"), "application/json")


def test_images_equal_those_of_the_package(worker: RequestProcess) -> None:
    """Random positions on all sizes, won, drawn and unfinished: the SVG images are equal byte by byte."""
    for seed in range(120):
        board = create_random_board(seed)
        position = board.notation.replace(",", "%2C")
        assert worker.request(f"/api/board.svg?position={position}") == (200, render.draw_svg(board), "image/svg+xml")
        if seed % 3 == 0:
            start = random.Random(seed).randrange(board.ply + 1)  # noqa: S311 (not for security)
            expected = render.draw_animated_svg(board, start=start)
            found = worker.request(f"/api/animation?position={position}&start={start}")
            assert found == (200, expected, "image/svg+xml")


def test_requests_that_need_no_engine(worker: RequestProcess) -> None:
    """Games, images, the explorer and imported moves work before the engine is loaded."""
    calls = worker.engine_calls
    for path in ("games", "board.svg?position=6x7:44", "animation?position=6x7:44", "explorer?position=6x7", "puzzles"):
        assert worker.request(f"/api/{path}")[0] == 200
    for text in ("4 4 5", "6x7:445", '{"position": "6x7:445"}'):
        assert worker.request("/api/import", {"text": text}, "POST")[1]["position"] == "6x7:445"
    assert worker.engine_calls == calls


def test_stones_of_random_games(worker: RequestProcess, server: RunningServer) -> None:
    """The worker and the server find the same order of moves; moves of one colour in a wrong place are refused."""
    for seed in range(30):
        board = create_random_board(seed)
        cells: dict[int | None, list[tuple[int, int]]] = {0: [], 1: [], None: []}
        for row in range(board.rows):
            for col in range(board.cols):
                cells[board.stone_at(row, col)].append((row, col))
        body = {"rows": board.rows, "cols": board.cols, "hole": board.hole, "first": cells[0], "second": cells[1]}
        expected_status, expected, _ = server.request("/api/stones", body)
        status, found, _ = worker.request("/api/stones", body, "POST")
        assert (status, found) == (expected_status, expected)
        assert Board.parse(found["position"]) == board
