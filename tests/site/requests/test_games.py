"""Compares the requests for stored games with the server: lists, details, files, deletion, opening explorer."""

import json
import random
from typing import Any

import pytest

from fourfall import Board
from fourfall.arena.judge import Ending, Verdict
from fourfall.web.game_repository import GameRepository
from fourfall.web.messages.replies import ReviewReply
from fourfall.web.messages.requests import Thresholds
from fourfall.web.play.clock import Clock
from fourfall.web.play.game import Game, PlayedMove
from tests.site.requests.request_process import RequestProcess
from tests.web.conftest import RunningServer

COUNT = 60


def create_game(number: int) -> Game:
    """Create a game: on 6x7, on a board with a hole or from an opening; won, lost, drawn, given up or unfinished."""
    rng = random.Random(number)  # noqa: S311 (not for security)
    start = ("6x7", "6x7:43", "4x4", "6x7@0,3", "4x4@3,1", "4x4@3,2")[number % 6]
    board = Board.parse(start)
    limit = rng.choice((0, 3, 60, 60))
    while not board.is_over and len(board.moves) - Board.parse(start).ply < limit:
        board.push(rng.choice(board.legal_moves))
    score = {"win_chance": 0.25, "proof": None, "distance": None}
    moves = board.moves[Board.parse(start).ply :]
    game = Game(
        f"p{number:016}",
        start,
        (0, 1, None)[number % 3],
        "human" if number % 3 == 2 else f"level-{10 + number % 4}",
        1.5 if number % 2 else None,
        started=f"2026-11-{10 + number // 10}T12:00:{number % 7:02}.000+00:00",
        clock=Clock(60, 2) if number % 5 == 0 else None,
        played=[PlayedMove(column, 12.5, score if ply % 2 else None) for ply, column in enumerate(moves)],
    )
    if not board.is_over and number % 4 == 1 and moves:
        game.end(Verdict(Ending.RESIGNATION if number % 8 == 1 else Ending.TIME, board.turn))
    if not board.is_over and number % 16 == 3 and moves:
        game.end(Verdict(Ending.CRASH, 0, 1, "the opponent ended"))
    return game


def create_review(game: Game) -> ReviewReply:
    """Create a review without moves."""
    return ReviewReply(
        game=game.id,
        position=game.board.notation,
        start=game.start,
        engine="fourfall",
        done=0,
        total=0,
        finished=True,
        stopped=False,
        moves=[],
        final=None,
        accuracy=(0.5, None),
        thresholds=Thresholds(),
        move_time_s=0.2,
    )


def convert(game: Game) -> dict[str, Any]:
    """Return a game as the browser's database keeps it (`StoredGame`)."""
    reply = game.describe().model_dump(mode="json")
    kept = ["start", "moves", "redo", "times_ms", "scores", "position", "you", "opponent", "names", "move_time_s"]
    kept += ["simulations", "outcome", "started", "rematch_of"]
    return {
        **{name: reply[name] for name in kept},
        "id": game.id,
        "redo_times_ms": [],
        "redo_scores": [],
        "clock": None if game.clock is None else vars(game.clock),
        "turn_started": None,
    }


@pytest.fixture(scope="module")
def games(server: RunningServer, worker: RequestProcess) -> list[Game]:
    """Store the same games on the server and in the worker; every fifth one is reviewed."""
    games = [create_game(number) for number in range(COUNT)]
    repository = GameRepository(server.database)
    for number, game in enumerate(games):
        review = create_review(game) if number % 5 == 0 else None
        repository.save_game(game)
        if review is not None:
            repository.save_review(game.id, review)
        worker.save(convert(game), None if review is None else review.model_dump(mode="json"))
    repository.close()
    return games


QUERIES = [
    *["limit=200", "limit=7", "source=page&limit=3", "source=arena", "event=3", "agent=level-12", "agent=nobody"],
    *["text=LEVEL-1", "text=%25", "text=_", "text=", "text=lu", "result=first", "result=second&limit=2", "result=draw"],
    *["result=unfinished", "text=you&result=first&limit=4", "agent=Blue&result=second"],
]


@pytest.mark.usefixtures("games")
@pytest.mark.parametrize("query", QUERIES)
def test_all_parts_of_a_list(worker: RequestProcess, server: RunningServer, query: str) -> None:
    """Every part of the filtered list, newest games first, and the cursors between them are those of the server."""
    cursor, parts = "", 0
    while True:
        path = f"/api/games?{query}{cursor}"
        expected = server.get(path)
        assert worker.request(path) == (200, expected, "application/json")
        parts += 1
        if expected["next"] is None:
            break
        cursor = f"&before={expected['next']}"
    assert parts > 1 or "limit" not in query or "limit=200" in query


def test_details_and_files(worker: RequestProcess, server: RunningServer, games: list[Game]) -> None:
    """The details of every game, and its files: JSON, text and SVG."""
    for game in games:
        path = f"/api/games/{game.id}"
        assert worker.request(path)[1] == server.get(path)
        assert worker.request(f"{path}/download")[1] == server.get(f"{path}/download")
        for query in ("format=text", "format=svg", f"format=svg&ply={min(2, game.board.ply)}", "format=text&ply=99"):
            status, body, headers = server.request(f"{path}/download?{query}")
            found_status, found, media_type = worker.request(f"{path}/download?{query}")
            if status == 422:
                assert (found_status, found["params"]) == (422, body["params"])
            else:
                assert (found_status, found, media_type) == (200, body, headers["Content-Type"])


def test_opening_explorer(worker: RequestProcess, server: RunningServer, games: list[Game]) -> None:
    """Counts, columns and examples at positions of the games, with symmetry and with other orders of moves."""
    positions = {"6x7", "4x4", "6x7:34", "4x4@3,2:1", "6x7:4354"}
    for game in games[::2]:
        shape, _, moves = game.board.notation.partition(":")
        positions |= {f"{shape}:{moves[:ply]}" for ply in (1, 2, 4) if len(moves) >= ply} | {game.board.notation}
    for number, position in enumerate(sorted(positions)):
        path = f"/api/explorer?position={position}{('', '&source=page', '&source=arena')[number % 3]}"
        expected, found = server.get(path), worker.request(path)[1]
        # Games that started at the same time have no order.
        for info in (expected, found):
            info["examples"] = [example["started"] for example in info["examples"]]
        assert found == expected


def test_deletion_and_restoring(worker: RequestProcess, server: RunningServer, games: list[Game]) -> None:
    """A deleted game is in no list and cannot be opened until it is restored, with its review."""
    game = next(game for game in games[::5] if game.played)
    path = f"/api/games/{game.id}"
    before = worker.request("/api/games?limit=200")[1]
    for method, route in (
        *(("DELETE", path), ("GET", path), ("DELETE", path), ("GET", "/api/games?limit=200")),
        *(("GET", f"/api/explorer?position={game.board.notation}"), ("POST", f"{path}/restore"), ("GET", path)),
        *(("POST", f"{path}/restore"), ("DELETE", "/api/games/a1"), ("POST", "/api/games/a1/restore")),
    ):
        status, body, _ = server.request(route, method=method)
        found_status, found, _ = worker.request(route, None, method)
        assert found_status == status, (method, route)
        if status < 300:
            assert (found or "") == body
        else:
            assert (found["code"], found["params"]) == (body["code"], body["params"])
    assert worker.request("/api/games?limit=200")[1] == before


def test_saving_a_changed_game_removes_its_review(worker: RequestProcess, games: list[Game]) -> None:
    """A review belongs to the moves that it was made of."""
    game = games[0]
    path = f"/api/games/{game.id}"
    worker.save(convert(game))
    assert worker.request(path)[1]["review"] is not None
    changed = convert(game) | {"position": "6x7:4", "moves": [3]}
    worker.save(changed, create_review(game).model_dump(mode="json"))
    assert worker.request(path)[1]["review"] is None
    worker.save(convert(game), create_review(game).model_dump(mode="json"))
    assert worker.request(path)[1]["review"]["position"] == game.board.notation


def test_files_are_those_that_the_arena_imports(worker: RequestProcess, games: list[Game]) -> None:
    """The record of a finished game is valid, and the paste import reads it."""
    finished = next(game for game in games if game.is_over and game.played)
    text = json.dumps(worker.request(f"/api/games/{finished.id}/download")[1])
    imported = worker.request("/api/import", {"text": text}, "POST")[1]
    assert (imported["kind"], imported["position"]) == ("record", finished.board.notation)
