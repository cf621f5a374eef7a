"""Compares the requests about puzzles with the server: the set, one puzzle, checks of moves, and found puzzles."""

import pytest

from fourfall.coach.puzzles import load_puzzles
from tests.site.requests.conftest import SHIPPED_PUZZLES
from tests.site.requests.request_process import RequestProcess
from tests.web.conftest import RunningServer
from tests.web.test_paste_import import create_random_board


def test_set_of_puzzles(worker: RequestProcess, server: RunningServer) -> None:
    """The list has no hints, so that it is small; the themes are those of the server."""
    status, found, _ = worker.request("/api/puzzles")
    expected = server.get("/api/puzzles")
    assert status == 200
    assert found == {**expected, "puzzles": expected["puzzles"][:SHIPPED_PUZZLES]}


def test_one_puzzle(worker: RequestProcess, server: RunningServer) -> None:
    """A puzzle has its hints and reasons."""
    for puzzle in load_puzzles()[:SHIPPED_PUZZLES:4]:
        path = f"/api/puzzles/{puzzle.id}"
        assert worker.request(path)[1] == server.get(path)


@pytest.mark.parametrize("number", range(2, 500, 71))
def test_checks_of_all_moves(worker: RequestProcess, server: RunningServer, number: int) -> None:
    """The verdict, the line and the sentences of every column of a puzzle, from easy to difficult."""
    puzzle = load_puzzles()[number]
    for column in puzzle.board.legal_moves:
        path = f"/api/puzzles/check?position={puzzle.position}&column={column}"
        assert worker.request(path)[1] == server.get(path)


@pytest.mark.parametrize("number", range(0, 500, 50))
def test_found_puzzles(worker: RequestProcess, server: RunningServer, number: int) -> None:
    """A shipped position, as one of a person's own games: solution, themes, hints and reasons."""
    path = f"/api/puzzles/find?position={load_puzzles()[number].position}"
    assert worker.request(path)[1] == server.get(path)


def test_positions_without_a_puzzle(worker: RequestProcess, server: RunningServer) -> None:
    """Random positions have hardly ever exactly one good move."""
    for seed in range(1, 17, 3):
        board = create_random_board(seed)
        if not board.is_over:
            path = f"/api/puzzles/find?position={board.notation}"
            assert worker.request(path)[1] == server.get(path)
