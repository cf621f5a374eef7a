"""Tests watching events, and starting and stopping matches."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fourfall.arena.record import EXAMPLE
from fourfall.arena.spec import Spec
from fourfall.arena.sprt import Sprt
from fourfall.arena.store import Store
from fourfall.web.app import Settings
from tests.web.conftest import Message, RunningServer, run_in_thread


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RunningServer]:
    """Run a server on a database with one event of one game."""
    database = tmp_path / "arena.db"
    with Store(database) as store:
        event = store.create_event(Spec.match("left", "right", pairs=1))
        store.add_game(event, EXAMPLE)
    with run_in_thread(Settings(database)) as running:
        yield running


def test_event_of_the_arena(server: RunningServer) -> None:
    """The page receives the list, the standings, the cross table and the games of an event."""
    with server.open_page() as page:
        events = page.request("events", type="watch", event=None)["events"]
        assert [(event["id"], event["state"], event["games"], event["planned"]) for event in events] == [
            (1, "stopped", 1, 2)
        ]
        event = page.request("event", type="watch", event=1)
    [group] = event["groups"]
    assert [(row["agent"], row["won"], row["lost"]) for row in group["standings"]] == [
        ("left", 1, 0),
        ("right", 0, 1),
    ]
    assert group["cross"] == [[None, [1, 0, 0]], [[0, 0, 1], None]]
    assert [(game["id"], game["winner"], game["moves"]) for game in event["recent"]] == [("a1", 0, 7)]
    assert server.get("/api/events/1") == {key: event[key] for key in event if key not in ("type", "ref")}


def test_match_that_its_sequential_test_ended_is_complete(server: RunningServer) -> None:
    """The planned number of games is then the number of games that were played."""
    with server.open_page() as page, Store(server.database) as store:
        number = store.create_event(Spec.match("left", "right", pairs=50, sprt=Sprt(0, 30)))
        store.add_game(number, EXAMPLE)
        event = page.request("event", type="watch", event=number)
        assert (event["state"], event["games"], event["planned"]) == ("stopped", 1, 100)
        store.mark_complete(number)
        store.add_game(number, replace(EXAMPLE, number=1))
        store.mark_complete(number)
    event = server.get(f"/api/events/{number}")
    assert (event["state"], event["games"], event["planned"]) == ("complete", 2, 2)


def test_watching_page_receives_games_of_other_processes(server: RunningServer) -> None:
    """A game that another process adds to a watched event is sent without a request."""
    with server.open_page() as page, Store(server.database) as store:
        page.request("event", type="watch", event=1)
        store.add_game(1, replace(EXAMPLE, number=1, winner=1))
        assert page.receive("event")["games"] == 2
        page.send(type="unwatch")


def test_arena_game_is_read_only(server: RunningServer) -> None:
    """A game of the arena is sent as a finished game; moves are refused; unknown games and events are errors."""
    with server.open_page() as page:
        game = page.request("game", type="open", game="a1")
        assert (game["status"], game["names"], game["you"]) == ("over", ["left", "right"], None)
        assert game["outcome"]["winner"] == 0
        assert len(game["outcome"]["cells"]) == 4
        assert page.request("game", type="move", game="a1", ply=7, column=0)["code"] == "read_only"
        error = page.request("game", type="open", game="a9")
        assert (error["code"], error["params"]) == ("unknown_game", {"game": "a9"})
        error = page.request("event", type="watch", event=9)
        assert (error["code"], error["params"]) == ("unknown_event", {"event": 9})


def test_match_is_played_and_watched(server: RunningServer) -> None:
    """The watching page receives live boards and, at the end, the complete standings."""
    body: Message
    status, body, _ = server.request(
        "/api/matches", {"a": "fourfall", "b": "seed-002", "games": 2, "move_time_s": 0.05}
    )
    assert status == 201
    number, states, boards = body["event"], set(), set()
    with server.open_page() as page:
        page.send(type="watch", event=number)
        while (event := page.receive("event"))["state"] == "running":
            states.add((event["state"], event["can_stop"]))
            boards |= {game["position"] for game in event["live"]}
    assert states == {("running", True)}
    assert len(boards) > 1
    assert (event["state"], event["games"], event["can_stop"]) == ("complete", 2, False)
    assert [row["games"] for row in event["groups"][0]["standings"]] == [2, 2]
    assert len(server.get(f"/api/games?event={number}")["games"]) == 2


def test_one_match_at_a_time(server: RunningServer) -> None:
    """A second match is refused until the first is stopped; stopping keeps the event and ends the process."""
    status, body, _ = server.request("/api/matches", {"a": "fourfall", "b": "seed-002", "games": 200, "move_time_s": 1})
    assert status == 201
    event = body["event"]
    status, body, _ = server.request("/api/matches", {"a": "level-1", "b": "level-2"})
    assert (status, body["code"], body["params"]) == (503, "match_running", {"event": event})
    start = time.monotonic()
    assert server.request(f"/api/matches/{event}", method="DELETE")[0] == 204
    assert time.monotonic() - start < 30  # a match of 200 games takes much longer
    assert server.get(f"/api/events/{event}")["state"] == "stopped"
    status, body, _ = server.request(f"/api/matches/{event}", method="DELETE")
    assert (status, body["code"], body["params"]) == (404, "match_not_running", {"event": event})
    assert server.request("/api/matches", {"a": "level-1", "b": "level-2", "games": 2})[0] == 201


@pytest.mark.parametrize(
    ("match", "code"),
    [
        ({"a": "library:./x.so", "b": "level-1"}, "third_party_engine"),
        ({"a": "level-1", "b": "program:/bin/true"}, "third_party_engine"),
        ({"a": "level-1", "b": "level-2", "games": 3}, "bad_request"),
        ({"a": "level-1", "b": "level-2", "games": 100000}, "bad_request"),
        ({"a": "level-1", "b": "level-2", "move_time_s": 1, "simulations": 5}, "bad_request"),
        ({"a": "level-1", "b": "level-2", "board": "6x7:1212121"}, "game_over"),
        ({"a": "level-1", "b": "level-2", "board": "66x7"}, "bad_position"),
        ({"a": "level-1"}, "bad_request"),
    ],
)
def test_invalid_match_is_refused(server: RunningServer, match: Message, code: str) -> None:
    """Third-party code, odd or large numbers of games, two limits and invalid boards start nothing."""
    status, body, _ = server.request("/api/matches", match)
    assert 400 <= status < 500, body
    assert body["code"] == code
    assert len(server.get("/api/events")["events"]) == 1
