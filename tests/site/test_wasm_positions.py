"""Tests of the engine in WebAssembly: positions, stones and errors are those of the server."""

import random
from collections.abc import Iterator

import pytest

from fourfall import Board
from fourfall.web.errors import RequestError
from fourfall.web.positions import describe_position, find_position, parse_position
from tests.site.wasm_process import WasmError, WasmProcess, run_wasm

INVALID = ["", "6x7:9", "6x7:1111111", "6x7:12121211", "3x7", "6x13", "6x7@6,0", "6x07", "x", "6x7:é", "6x7:1\n2"]


@pytest.fixture(scope="module")
def wasm() -> Iterator[WasmProcess]:
    """Run one engine for all tests; it needs no network."""
    with run_wasm(has_weights=False) as process:
        yield process


def play_random_game(rng: random.Random) -> Board:
    """Return a position of a random game on a random board, often a finished one."""
    rows, cols = rng.randint(4, 12), rng.randint(4, 12)
    hole = (rng.randrange(rows), rng.randrange(cols)) if rng.random() < 0.5 else None
    board = Board(rows, cols, hole=hole)
    for _ in range(rng.choice([rng.randint(0, 20), rng.randint(20, 144)])):
        if board.is_over:
            break
        board.push(rng.choice(board.legal_moves))
    return board


def test_random_positions_are_described_as_by_the_server(wasm: WasmProcess) -> None:
    """Legal moves, threats and outcomes of thousands of random positions."""
    rng = random.Random(20)  # noqa: S311
    boards = [play_random_game(rng) for _ in range(3000)]
    found = wasm.map("describePosition", [board.notation for board in boards])
    assert sum(board.is_over for board in boards) > 500
    for board, info in zip(boards, found, strict=True):
        assert info == describe_position(board).model_dump(mode="json")


def test_invalid_positions_have_the_errors_of_the_server(wasm: WasmProcess) -> None:
    """The code and the problem that it names; the stack of the module does not grow."""
    before = wasm.call("state")
    for text, found in zip(INVALID * 50, wasm.map("describePosition", INVALID * 50), strict=True):
        with pytest.raises(RequestError) as caught:
            parse_position(text)
        assert isinstance(found, WasmError), text
        assert (found.code, found.params) == (caught.value.code, caught.value.params)
    assert wasm.call("state")["stack"] == before["stack"]


def test_stones_get_the_moves_of_the_server(wasm: WasmProcess) -> None:
    """A legal order of moves for the stones of random positions, and the errors of impossible ones."""
    rng = random.Random(7)  # noqa: S311
    requests = []
    for _ in range(300):
        board = play_random_game(rng)
        cells = [(row, col) for row in range(board.rows) for col in range(board.cols)]
        first, second = ([cell for cell in cells if board.stone_at(*cell) == player] for player in (0, 1))
        if rng.random() < 0.3 and first:
            first.pop(rng.randrange(len(first)))
        requests.append({"rows": board.rows, "cols": board.cols, "hole": board.hole, "first": first, "second": second})
    requests.append({"rows": 3, "cols": 7, "hole": None, "first": [], "second": []})
    requests.append({"rows": 6, "cols": 7, "hole": (-1, 0), "first": [(9, 9)], "second": []})
    found = wasm.map("findStones", requests)
    assert 10 < sum(isinstance(reply, WasmError) for reply in found) < 200
    for request, reply in zip(requests, found, strict=True):
        if isinstance(reply, WasmError):
            with pytest.raises(RequestError) as caught:
                find_position(**request)  # type: ignore[arg-type]
            assert (reply.code, reply.params) == (caught.value.code, caught.value.params)
        else:
            board = find_position(**request)  # type: ignore[arg-type]
            assert reply == describe_position(board).model_dump(mode="json")


def test_search_of_a_finished_game_is_refused(wasm: WasmProcess) -> None:
    """The code is that of the server; the search can be used for another position."""
    wasm.create("seed-002")
    for position, code in (("6x7:1212121", "game_over"), ("6x7:8", "bad_position")):
        with pytest.raises(WasmError) as caught:
            wasm.search(position, simulations=10)
        assert caught.value.code == code
    with pytest.raises(WasmError, match="no search was started"):
        wasm.call("step", {"name": "search", "milliseconds": 1})
    assert wasm.search("6x7:112233", simulations=100)["move"] == 3
    wasm.release()
    with pytest.raises(WasmError, match="the search was released"):
        wasm.call("analysis", {"name": "search"})
