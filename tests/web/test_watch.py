"""Owns the tests of watching: events, tables, live boards, and the match that is begun from the page."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fourfall.arena.record import EXAMPLE
from fourfall.arena.spec import match_spec
from fourfall.arena.store import Store
from fourfall.web.app import Settings
from tests.web.conftest import Message, Served, serving


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    """Serve a database with a tournament."""
    database = tmp_path / "arena.db"
    with Store(database) as store:
        event = store.create_event(match_spec("left", "right", 1))
        store.add(event, EXAMPLE)
    with serving(Settings(database)) as served:
        yield served


def test_the_events_of_the_database_are_shown(server: Served) -> None:
    """The list, the table, the cross table and the games of an event that somebody played elsewhere."""
    with server.page() as page:
        listed = page.ask("events", type="watch", event=None)["events"]
        assert [(event["id"], event["state"], event["games"], event["planned"]) for event in listed] == [
            (1, "stopped", 1, 2)
        ]
        event = page.ask("event", type="watch", event=1)
    [group] = event["groups"]
    assert [(line["agent"], line["won"], line["lost"]) for line in group["standings"]] == [
        ("left", 1, 0),
        ("right", 0, 1),
    ]
    assert group["cross"] == [[None, [1, 0, 0]], [[0, 0, 1], None]]
    assert [(game["id"], game["winner"], game["moves"]) for game in event["recent"]] == [("a1", 0, 7)]
    assert server.get("/api/events/1") == {key: event[key] for key in event if key not in ("type", "ref")}


def test_a_match_that_its_test_ended_is_complete(server: Served) -> None:
    """It is shown with the games that it has, not with those that it might have had."""
    with server.page() as page, Store(server.database) as store:
        event = store.create_event(match_spec("left", "right", 50, sprt=[0, 30]))
        store.add(event, EXAMPLE)
        shown = page.ask("event", type="watch", event=event)
        assert (shown["state"], shown["games"], shown["planned"]) == ("stopped", 1, 100)
        store.settle(event)
        store.add(event, replace(EXAMPLE, number=1))
        store.settle(event)
    shown = server.get(f"/api/events/{event}")
    assert (shown["state"], shown["games"], shown["planned"]) == ("complete", 2, 2)


def test_a_game_that_ends_elsewhere_appears(server: Served) -> None:
    """Whoever watches is told of a game that another process adds."""
    with server.page() as page, Store(server.database) as store:
        page.ask("event", type="watch", event=1)
        store.add(1, EXAMPLE.__class__(**{**vars(EXAMPLE), "number": 1, "winner": 1}))
        assert page.hear("event")["games"] == 2
        page.say(type="unwatch")


def test_games_of_the_arena_are_opened_but_not_played(server: Served) -> None:
    """A stored game is shown like one of the page, over; nobody can move in it."""
    with server.page() as page:
        game = page.ask("game", type="open", game="a1")
        assert (game["status"], game["names"], game["you"]) == ("over", ["left", "right"], None)
        assert game["outcome"]["winner"] == 0
        assert len(game["outcome"]["cells"]) == 4
        assert page.ask("game", type="move", game="a1", ply=7, column=0)["code"] == "read_only"
        assert page.ask("game", type="open", game="a9")["code"] == "unknown_game"
        assert page.ask("event", type="watch", event=9)["code"] == "unknown_event"


def test_a_match_is_played_and_watched_live(server: Served) -> None:
    """Boards of running games change, games are counted, the table grows, and at the end everything is there."""
    status, body, _ = server.request("/api/matches", {"a": "fourfall", "b": "seed-002", "games": 2, "time_s": 0.1})
    assert status == 201
    event, states, boards = body["event"], set(), set()
    with server.page() as page:
        page.say(type="watch", event=event)
        while (shown := page.hear("event"))["state"] == "running":
            states.add((shown["state"], shown["ours"]))
            boards |= {game["position"] for game in shown["live"]}
    assert states == {("running", True)}
    assert len(boards) > 1
    assert (shown["state"], shown["games"], shown["ours"]) == ("complete", 2, False)
    assert [line["games"] for line in shown["groups"][0]["standings"]] == [2, 2]
    assert len(server.get(f"/api/games?event={event}")["games"]) == 2


def test_one_match_at_a_time_which_can_be_stopped(server: Served) -> None:
    """A second match is refused while one runs; stopped, it leaves its event and no process."""
    status, body, _ = server.request("/api/matches", {"a": "fourfall", "b": "seed-002", "games": 200, "time_s": 1})
    assert status == 201
    event = body["event"]
    status, body, _ = server.request("/api/matches", {"a": "level-1", "b": "level-2"})
    assert (status, body["code"]) == (503, "busy")
    asked = time.monotonic()
    assert server.request(f"/api/matches/{event}", method="DELETE")[0] == 204
    assert time.monotonic() - asked < 5
    assert server.get(f"/api/events/{event}")["state"] == "stopped"
    assert server.request(f"/api/matches/{event}", method="DELETE")[0] == 404
    assert server.request("/api/matches", {"a": "level-1", "b": "level-2", "games": 2})[0] == 201


@pytest.mark.parametrize(
    "wanted",
    [
        {"a": "library:./x.so", "b": "level-1"},
        {"a": "level-1", "b": "program:/bin/true"},
        {"a": "level-1", "b": "level-2", "games": 3},
        {"a": "level-1", "b": "level-2", "games": 100000},
        {"a": "level-1", "b": "level-2", "time_s": 1, "nodes": 5},
        {"a": "level-1", "b": "level-2", "board": "6x7:1212121"},
        {"a": "level-1", "b": "level-2", "board": "66x7"},
        {"a": "level-1"},
    ],
)
def test_a_match_that_makes_no_sense_is_refused(server: Served, wanted: Message) -> None:
    """Foreign code, odd numbers, too many games and impossible boards begin nothing."""
    status, body, _ = server.request("/api/matches", wanted)
    assert 400 <= status < 500, body
    assert len(server.get("/api/events")["events"]) == 1
