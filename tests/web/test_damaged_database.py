"""Tests that one damaged row of the database does not break the page's lists of games and events."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fourfall.arena.record import EXAMPLE
from fourfall.arena.spec import Spec
from fourfall.arena.store import Store
from fourfall.web.app import Settings
from tests.web.conftest import RunningServer, run_in_thread

PAGE_GAME = "p" + "A" * 16

DAMAGE = {
    "record is not JSON": "UPDATE games SET record = '{' WHERE id = {id}",
    "record is NaN": "UPDATE games SET record = 'NaN' WHERE id = {id}",
    "record is bytes": "UPDATE games SET record = x'ff00' WHERE id = {id}",
    "record is invalid UTF-8": "UPDATE games SET record = CAST(x'7bff7d' AS TEXT) WHERE id = {id}",
    "record is nested deeply": "UPDATE games SET record = printf('%.*c', 5000, '[') WHERE id = {id}",
    "record has no keys": "UPDATE games SET record = '{{}}' WHERE id = {id}",
    "board is a number": "UPDATE games SET record = json_set(record, '$.board', 5) WHERE id = {id}",
    "board is a list": "UPDATE games SET record = json_set(record, '$.board', json('[1]')) WHERE id = {id}",
    "winner is 7": "UPDATE games SET winner = 7 WHERE id = {id}",
    "winner is text": "UPDATE games SET winner = 'x' WHERE id = {id}",
    "name is bytes": "UPDATE games SET first = x'ff' WHERE id = {id}",
    "name is invalid UTF-8": "UPDATE games SET first = CAST(x'eda080' AS TEXT) WHERE id = {id}",
    "moves is text": "UPDATE games SET moves = 'x' WHERE id = {id}",
    "moves is infinite": "UPDATE games SET moves = 9e999 WHERE id = {id}",
    "started is bytes": "UPDATE games SET started = x'ff' WHERE id = {id}",
    "number is text": "UPDATE games SET number = 'x' WHERE id = {id}",
}
EVENT_DAMAGE = {
    "spec is not JSON": "UPDATE events SET spec = '{'",
    "spec is a list": "UPDATE events SET spec = '[]'",
    "spec is bytes": "UPDATE events SET spec = x'ff'",
    "name is bytes": "UPDATE events SET name = x'ff'",
    "planned is text": "UPDATE events SET planned = 'x'",
    "created is bytes": "UPDATE events SET created = x'ff'",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """Run a server on an empty database."""
    with run_in_thread(Settings(tmp_path_factory.mktemp("damaged") / "arena.db")) as running:
        yield running


def create_event(database: Path) -> tuple[int, list[int]]:
    """Create an event with three games; return the numbers of the event and of the games in the database."""
    with Store(database) as store:
        event = store.create_event(Spec.match("left", "right", pairs=2))
        records = [replace(EXAMPLE, number=at, started=f"2026-11-15T12:00:0{at}+00:00") for at in range(3)]
        return event, [store.add_game(event, record) for record in records]


def change(database: Path, statement: str) -> None:
    """Change the database without any check."""
    with sqlite3.connect(database) as connection:
        connection.execute(statement)
    connection.close()


@pytest.mark.parametrize("statement", DAMAGE.values(), ids=DAMAGE)
def test_damaged_game_does_not_break_the_lists(server: RunningServer, statement: str) -> None:
    """All other games are listed, page by page; the game itself is described or refused, never with status 500."""
    event, games = create_event(server.database)
    change(server.database, statement.replace("{id}", str(games[1])).replace("{{}}", "{}"))
    intact = [f"a{game}" for game in (games[2], games[0])]
    found, cursor = list[str](), ""
    while True:
        answer = server.get(f"/api/games?event={event}&limit=1{cursor}")
        found += [game["id"] for game in answer["games"]]
        if answer["next"] is None:
            break
        cursor = f"&before={answer['next']}"
    assert [game for game in found if game != f"a{games[1]}"] == intact
    server.get("/api/games?limit=200")
    server.get("/api/games?agent=left")
    details = server.get(f"/api/events/{event}")
    assert {game["id"] for game in details["recent"]} >= set(intact)
    assert event in [each["id"] for each in server.get("/api/events")["events"]]
    for path in ("", "/download?format=json", "/download?format=svg"):
        assert server.request(f"/api/games/a{games[1]}{path}")[0] in (200, 422)
    with server.open_page() as page:
        assert page.request("event", type="watch", event=event)["type"] == "event"
        reply = page.request("game", type="open", game=f"a{games[1]}")
        assert reply["type"] == "game" or reply["code"] == "invalid_record"


@pytest.mark.parametrize("statement", EVENT_DAMAGE.values(), ids=EVENT_DAMAGE)
def test_damaged_event_does_not_break_the_lists(server: RunningServer, statement: str) -> None:
    """The event is listed with its games."""
    event, games = create_event(server.database)
    change(server.database, f"{statement} WHERE id = {event}")
    assert event in [each["id"] for each in server.get("/api/events")["events"]]
    assert len(server.get(f"/api/events/{event}")["recent"]) == len(games)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE page_games SET game = '{'",
        "UPDATE page_games SET game = '[]'",
        "UPDATE page_games SET game = '{}'",
        "UPDATE page_games SET game = '{\"played\": 5}'",
        "UPDATE page_games SET first = x'ff'",
        "UPDATE page_games SET status = 'x'",
    ],
)
def test_damaged_game_of_the_page(server: RunningServer, statement: str) -> None:
    """A damaged game of the page does not break the list, and opening it is refused."""
    values = "'person', 'level-2', '6x7', 1, 'playing', NULL, NULL, '2026-11-15T12:00:00+00:00', '{}'"
    change(server.database, f"INSERT OR REPLACE INTO page_games VALUES ('{PAGE_GAME}', {values})")  # noqa: S608
    change(server.database, f"{statement} WHERE id = '{PAGE_GAME}'")
    server.get("/api/games?limit=200&source=page")
    status, body, _ = server.request(f"/api/games/{PAGE_GAME}")
    assert (status, body["code"]) == (422, "invalid_record")
