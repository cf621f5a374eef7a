"""Tests the HTTP routes: engines, games, downloads, positions and unknown paths."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fourfall import Board
from fourfall.arena.record import EXAMPLE, GameRecord
from fourfall.arena.store import Store
from fourfall.web.app import Settings
from tests.web.conftest import RunningServer, run_in_thread


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Run a server on a database with seven games of the arena, one per second."""
    database = tmp_path_factory.mktemp("http") / "arena.db"
    records = [replace(EXAMPLE, number=i, started=f"2026-11-15T12:00:0{i}+00:00") for i in range(7)]
    with Store(database) as store:
        store.import_games("seven", records)
    with run_in_thread(Settings(database)) as running:
        yield running


def test_engines_and_limits(server: RunningServer) -> None:
    """The route returns the engines, levels, limits and defaults of the welcome message."""
    info = server.get("/api/engines")
    assert info["engines"][0]["name"] == "fourfall"
    assert [level["name"] for level in info["levels"]] == [f"level-{i}" for i in range(2, 101, 2)]
    assert info["limits"] == {
        "move_time_s": 30.0,
        "analysis_time_s": 120.0,
        "simulations": 50_000_000,
        "review_move_time_s": 2.0,
        "match_games": 200,
        "message_bytes": 16384,
        "messages_per_s": 20.0,
        "games": 8,
    }
    assert info["defaults"] == {
        "opponent": "level-30",
        "engine": "fourfall",
        "move_time_s": 1.0,
        "review_move_time_s": 0.2,
        "thresholds": {"inaccuracy": 0.08, "mistake": 0.16, "blunder": 0.3},
    }
    with server.open_page() as page:
        assert {key: page.welcome[key] for key in info} == info


def test_game_list_is_divided_into_pages(server: RunningServer) -> None:
    """The pages of the list contain every game once, newest first; an invalid cursor is refused."""
    ids, cursor = [], ""
    while True:
        games = server.get(f"/api/games?limit=3{cursor}")
        ids += [game["id"] for game in games["games"]]
        if games["next"] is None:
            break
        cursor = f"&before={games['next']}"
    assert ids == [f"a{i}" for i in range(7, 0, -1)]
    for invalid in ("x", "bnVsbA", "W10", "%00"):
        error = server.request(f"/api/games?before={invalid}")[1]
        assert (error["code"], error["params"]["problem"].split()[0]) == ("bad_request", "before")


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("agent=left", 7),
        ("agent=nobody", 0),
        ("event=1", 7),
        ("event=2", 0),
        ("source=page", 0),
        ("text=EF", 7),
        ("text=%25", 0),
        ("text=lef&result=first", 7),
        ("result=second", 0),
        ("result=draw", 0),
        ("result=unfinished", 0),
    ],
)
def test_game_list_can_be_filtered(server: RunningServer, query: str, count: int) -> None:
    """The list can be restricted to an agent, a part of a name, a result, an event or a source."""
    assert len(server.get(f"/api/games?{query}")["games"]) == count


def test_game_with_its_moves(server: RunningServer) -> None:
    """A stored game has its moves, outcome and scores; an unknown id is an error."""
    game = server.get("/api/games/a1")
    assert game["position"] == "6x7:1122334"
    assert game["moves"] == [0, 0, 1, 1, 2, 2, 3]
    assert game["event_name"] == server.get(f"/api/events/{game['event']}")["name"]
    assert game["outcome"]["cells"] == [[5, 0], [5, 1], [5, 2], [5, 3]]
    assert game["scores"][0] == {"win_chance": 0.5, "proof": None, "distance": None}
    status, body, _ = server.request("/api/games/a99")
    assert status == 404
    assert body == {"code": "unknown_game", "params": {"game": "a99"}, "message": "there is no game a99"}


def test_downloads_can_be_imported(server: RunningServer) -> None:
    """/api/import reads downloaded text and JSON; SVG shows the board after the requested ply."""
    for file_format in ("text", "json"):
        _, body, headers = server.request(f"/api/games/a1/download?format={file_format}")
        assert headers["Content-Disposition"].startswith('attachment; filename="fourfall-a1.')
        text = body if isinstance(body, str) else json.dumps(body)
        status, game, _ = server.request("/api/import", {"text": text})
        assert (status, game["position"], game["move_order"]) == (200, "6x7:1122334", "given")
    status, image, headers = server.request("/api/games/a1/download?format=svg&ply=3")
    assert (status, headers["Content-Type"]) == (200, "image/svg+xml")
    assert "6x7:112:" in image
    assert server.request("/api/games/a1/download?format=svg&ply=99")[1]["code"] == "bad_request"


def test_import_reports_a_reconstructed_move_order(server: RunningServer) -> None:
    """A text board is imported with a reconstructed move order; an unexpected character is reported in parameters."""
    board = "\n".join(["......."] * 5 + ["...X..."])
    game = server.request("/api/import", {"text": board})[1]
    assert (game["kind"], game["position"], game["move_order"]) == ("text_board", "6x7:4", "reconstructed")
    status, error, _ = server.request("/api/import", {"text": board.replace("X", "?")})
    assert (status, error["code"], error["params"]) == (422, "unexpected_character", {"character": "'?'", "line": 6})


def test_page_game_is_downloaded_as_a_record(server: RunningServer) -> None:
    """A finished game is a record that the arena imports; an unfinished one is its position."""
    with server.open_page() as page:
        game = page.play(page.request("game", type="new", board="6x7", opponent="level-2"), 3)
        unfinished = server.get(f"/api/games/{game['game']}/download")
        assert unfinished["position"] == game["position"]
        page.request("game", type="resign", game=game["game"])
    record = GameRecord.from_json(json.dumps(server.get(f"/api/games/{game['game']}/download")))
    assert (record.names, record.winner, record.ending) == (("you", "level-2"), 1, "resignation")
    assert record.final_board == Board.parse(game["position"])


def test_game_list_has_the_last_positions(server: RunningServer) -> None:
    """The entries of finished and unfinished games have the position after their moves."""
    with server.open_page() as page:
        game = page.request("game", type="new", board="6x7:11", opponent="level-2")
        page.send(type="move", game=game["game"], ply=2, column=3)
        game = page.receive_game(2)
        games = {entry["id"]: entry for entry in server.get("/api/games")["games"]}
        assert (games["a1"]["board"], games["a1"]["position"]) == ("6x7", "6x7:1122334")
        assert games[game["game"]]["position"] == game["position"]
        assert game["position"].startswith("6x7:114")
        server.request(f"/api/games/{game['game']}", method="DELETE")


def test_deleted_game_can_be_restored(server: RunningServer) -> None:
    """A deleted game is in no list and cannot be opened until it is restored; its review comes back with it."""
    with server.open_page() as page:
        game = page.play(page.request("game", type="new", board="6x7", opponent="level-2"), 3)
        path = f"/api/games/{game['game']}"
        listed = server.get("/api/games?source=page")["games"]
        assert listed[0]["id"] == game["game"]
        assert server.request(path, method="DELETE")[0] == 204
        assert server.get("/api/games?source=page")["games"] == listed[1:]
        assert server.request(path)[1]["code"] == "unknown_game"
        assert page.request("error", type="open", game=game["game"])["code"] == "unknown_game"
        assert server.request(path, method="DELETE")[1]["code"] == "unknown_game"
        assert server.request(f"{path}/restore", method="POST")[0] == 204
        assert server.get("/api/games?source=page")["games"] == listed
        assert page.request("game", type="open", game=game["game"])["position"] == game["position"]
        assert server.request(f"{path}/restore", method="POST")[1]["code"] == "unknown_game"
        server.request(path, method="DELETE")


def test_games_of_the_arena_cannot_be_deleted(server: RunningServer) -> None:
    """They belong to the results of an event."""
    assert server.request("/api/games/a1", method="DELETE")[1]["code"] == "read_only"
    assert len(server.get("/api/games?event=1")["games"]) == 7


def test_animations(server: RunningServer) -> None:
    """A game is drawn as animated SVG and as GIF; a start after the last stone is refused."""
    path = "/api/animation?position=6x7:1122334"
    status, image, headers = server.request(f"{path}&start=5")
    assert (status, headers["Content-Type"], image.count("<animateTransform")) == (200, "image/svg+xml", 2)
    status, _, headers = server.request(f"{path}&format=gif")
    assert (status, headers["Content-Type"]) == (200, "image/gif")
    assert server.request(f"{path}&start=8")[1]["code"] == "bad_request"


def test_position(server: RunningServer) -> None:
    """The route returns legal columns, threats of both players and the outcome."""
    position = server.get("/api/position?position=6x7:112233")
    assert (position["legal"], position["threats"], position["outcome"]) == (
        list(range(7)),
        [[[5, 3]], [[4, 3]]],
        None,
    )
    finished = server.get("/api/position?position=6x7:1122334")
    assert (finished["legal"], finished["outcome"]["winner"]) == ([], 0)
    assert server.request("/api/position?position=6x7:9")[1]["code"] == "bad_position"
    assert server.get("/api/board.svg?position=9x9@4,4:5").startswith("<svg")


@pytest.mark.parametrize("path", ["/api/nothing", "/nothing", "/static/../app.py", "/%2e%2e/app.py", "/..%2fapp.py"])
def test_unknown_path_is_not_found(server: RunningServer, path: str) -> None:
    """Unknown paths, and paths out of the folder of static files, return 404."""
    status, body, _ = server.request(path)
    assert (status, body["code"]) == (404, "not_found")


def test_wrong_method_is_refused(server: RunningServer) -> None:
    """A method that the route does not have returns 405 and names the method."""
    status, body, headers = server.request("/api/engines", method="DELETE")
    assert (status, body["code"], body["params"]["problem"]) == (405, "bad_request", "DELETE: Method Not Allowed")
    assert headers["Allow"].startswith("GET")


def test_every_path_is_documented(server: RunningServer) -> None:
    """docs/page.md contains every path of the OpenAPI schema."""
    paths = server.get("/api/openapi.json")["paths"]
    documentation = (Path(__file__).parents[2] / "docs" / "page.md").read_text()
    for path in paths:
        assert re.sub(r"\{(game|puzzle)\}|(?<=events/)\{event\}", "{id}", path) in documentation
    assert len(paths) == 20


def test_stones_of_an_edited_position(server: RunningServer) -> None:
    """The route finds an order of moves; stones that no game leads to and wrong cells are refused."""
    stones: dict[str, object] = {"rows": 6, "cols": 7, "hole": [0, 0], "first": [[5, 3], [5, 4]], "second": [[4, 3]]}
    status, info, _ = server.request("/api/stones", stones)
    assert (status, info["position"], info["turn"]) == (200, "6x7@0,0:445", 1)
    refused: list[tuple[dict[str, object], str, str]] = [
        ({"second": []}, "impossible_stones", "the first player has 2 stones and the second 0"),
        ({"second": [[3, 3]]}, "impossible_stones", "above a free cell"),
        ({"second": [[0, 0]]}, "impossible_stones", "is on the hole"),
        ({"hole": [6, 0]}, "impossible_stones", "hole"),
        ({"rows": 13}, "bad_request", "rows"),
        ({"first": [[5]]}, "bad_request", "first"),
        ({"first": [[5, 12]]}, "bad_request", "first"),
    ]
    for change, code, problem in refused:
        status, error, _ = server.request("/api/stones", {**stones, **change})
        assert (status, error["code"]) == (422, code)
        assert problem in error["message"]
