"""Owns the tests of the HTTP part: what it answers, file by file and list by list."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fourfall import Board
from fourfall.arena.record import EXAMPLE, GameRecord
from fourfall.arena.store import Store
from fourfall.web.app import Settings
from tests.web.conftest import Served, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve games of the arena, one a second."""
    database = tmp_path_factory.mktemp("http") / "arena.db"
    records = [replace(EXAMPLE, number=at, started=f"2026-11-15T12:00:0{at}+00:00") for at in range(7)]
    with Store(database) as store:
        store.import_games("seven", records)
    with serving(Settings(database)) as served:
        yield served


def test_engines_and_limits_are_listed(server: Served) -> None:
    """The presets, the levels, and what may be asked for."""
    choices = server.get("/api/engines")
    assert choices["engines"][0]["name"] == "fourfall"
    assert [level["name"] for level in choices["levels"]] == [f"level-{at}" for at in range(1, 11)]
    assert choices["limits"]["time_s"] > 0
    with server.page() as page:
        assert {key: page.welcome[key] for key in choices} == choices


def test_the_list_of_games_continues_where_it_ended(server: Served) -> None:
    """Pages of a list hold every game once, newest first; a made-up cursor is refused."""
    seen, cursor = [], ""
    while True:
        listed = server.get(f"/api/games?limit=3{cursor}")
        seen += [game["id"] for game in listed["games"]]
        if listed["next"] is None:
            break
        cursor = f"&before={listed['next']}"
    assert seen == [f"a{at}" for at in range(7, 0, -1)]
    for forged in ("x", "bnVsbA", "W10", "%00"):
        assert server.request(f"/api/games?before={forged}")[1]["code"] == "bad_request"


@pytest.mark.parametrize(
    ("query", "count"), [("agent=left", 7), ("agent=nobody", 0), ("event=1", 7), ("event=2", 0), ("source=page", 0)]
)
def test_games_are_found_by_agent_event_and_source(server: Served, query: str, count: int) -> None:
    """Each way of asking finds what is there."""
    assert len(server.get(f"/api/games?{query}")["games"]) == count


def test_a_game_is_shown_with_its_moves(server: Served) -> None:
    """The moves, the outcome and the scores of a stored game."""
    game = server.get("/api/games/a1")
    assert game["position"] == "6x7:1122334"
    assert game["moves"] == [0, 0, 1, 1, 2, 2, 3]
    assert game["outcome"]["cells"] == [[5, 0], [5, 1], [5, 2], [5, 3]]
    assert game["scores"][0] == {"win_chance": 0.5, "proof": None, "distance": None}
    status, body, _ = server.request("/api/games/a99")
    assert (status, body["code"]) == (404, "unknown_game")


def test_downloads_can_be_read_back(server: Served) -> None:
    """Text and JSON tell the game to /api/read again; the picture is a picture; all are files to keep."""
    for kind in ("text", "json"):
        _, body, headers = server.request(f"/api/games/a1/download?format={kind}")
        assert headers["Content-Disposition"].startswith('attachment; filename="fourfall-a1.')
        pasted = body if isinstance(body, str) else json.dumps(body)
        status, read, _ = server.request("/api/read", {"text": pasted})
        assert (status, read["position"]) == (200, "6x7:1122334")
    status, picture, headers = server.request("/api/games/a1/download?format=svg&ply=3")
    assert (status, headers["Content-Type"]) == (200, "image/svg+xml")
    assert "6x7:112:" in picture
    assert server.request("/api/games/a1/download?format=svg&ply=99")[1]["code"] == "bad_request"


def test_a_game_of_the_page_is_downloaded_as_a_record(server: Served) -> None:
    """A finished game is a record that the arena imports; one that goes on is its position."""
    with server.page() as page:
        game = page.play(page.ask("game", type="new", board="6x7", opponent="level-1"), 3)
        going = server.get(f"/api/games/{game['game']}/download")
        assert going["position"] == game["position"]
        page.ask("game", type="resign", game=game["game"])
    record = GameRecord.from_json(json.dumps(server.get(f"/api/games/{game['game']}/download")))
    assert (record.names, record.winner, record.ending) == (("you", "level-1"), 1, "resignation")
    assert record.final == Board.parse(game["position"])


def test_the_rules_of_a_position(server: Served) -> None:
    """Legal columns, threats of both sides and the end of a game."""
    shown = server.get("/api/position?position=6x7:112233")
    assert (shown["legal"], shown["threats"], shown["outcome"]) == (list(range(7)), [[[5, 3]], [[4, 3]]], None)
    over = server.get("/api/position?position=6x7:1122334")
    assert (over["legal"], over["outcome"]["winner"]) == ([], 0)
    assert server.request("/api/position?position=6x7:9")[1]["code"] == "bad_position"
    assert server.get("/api/picture.svg?position=9x9@4,4:5").startswith("<svg")


@pytest.mark.parametrize("path", ["/api/nothing", "/nothing", "/static/../app.py", "/%2e%2e/app.py", "/..%2fapp.py"])
def test_there_is_nothing_else(server: Served, path: str) -> None:
    """Unknown addresses and ways out of the folder lead nowhere."""
    status, body, _ = server.request(path)
    assert (status, body["code"]) == (404, "not_found")


def test_the_schema_names_every_path(server: Served) -> None:
    """OpenAPI describes the whole API."""
    paths = server.get("/api/openapi.json")["paths"]
    contract = (Path(__file__).parents[2] / "docs" / "page.md").read_text()
    for path in paths:
        assert path.replace("{game}", "{id}").replace("events/{event}", "events/{id}") in contract
    assert len(paths) == 11
