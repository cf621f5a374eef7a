"""Tests of the plain data that the command line and the web page serialise for an event."""

import json
import math
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from fourfall import Board
from fourfall.arena.event_summary import (
    find_event_state,
    round_interval,
    summarise_event,
    summarise_game,
    summarise_groups,
)
from fourfall.arena.judge import Ending
from fourfall.arena.live_games import list_live_games, make_live_game_writer
from fourfall.arena.ratings import Interval
from fourfall.arena.record import EXAMPLE
from fourfall.arena.schedule import schedule_games
from fourfall.arena.spec import Spec
from fourfall.arena.sprt import Sprt
from fourfall.arena.store import Store

SPEC = Spec.match("left", "right", pairs=1)
SECOND = replace(EXAMPLE, number=1, names=("right", "left"), winner=1)
CRASH = replace(EXAMPLE, number=1, names=("right", "left"), winner=1, culprit=0, ending=Ending.CRASH)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Open a new database."""
    with Store(tmp_path / "arena.db") as store:
        yield store


def test_event_state(store: Store) -> None:
    """An event is stopped, running while it is claimed or about to be claimed, complete, or imported."""
    number = store.create_event(SPEC)
    event = store.get_event(number)
    assert find_event_state(store, event) == "stopped"
    assert find_event_state(store, event, starting=number) == "running"
    with store.claim_event(number):
        assert find_event_state(store, event) == "running"
    for record in (EXAMPLE, SECOND):
        store.add_game(number, record)
    assert find_event_state(store, store.get_event(number), starting=number) == "complete"
    store.import_games("file", [replace(EXAMPLE, seed=9)])
    assert find_event_state(store, store.get_event()) == "imported"


def test_summary_of_an_event(store: Store) -> None:
    """The summary has the numbers of games and the state of the sequential test."""
    store.create_event(SPEC)
    number = store.create_event(replace(SPEC, sprt=Sprt(0, 30)))
    for record in (EXAMPLE, SECOND):
        store.add_game(number, record)
    first, second = (asdict(summarise_event(store, event)) for event in store.list_events())
    assert first["created"]
    assert first | {"created": ""} == {
        "id": 1,
        "name": "left against right",
        "state": "stopped",
        "games": 0,
        "planned": 2,
        "created": "",
        "sprt": None,
    }
    assert (second["state"], second["games"], second["planned"]) == ("complete", 2, 2)
    sprt = second["sprt"]
    assert 0 < sprt.pop("llr") < 1
    assert sprt == {"elo0": 0, "elo1": 30, "accepted": None, "pairs": (0, 0, 0, 0, 1)}


def test_summary_of_groups(store: Store) -> None:
    """Standings have ranks, results by side, estimates with None for infinite bounds, and failures; all is JSON."""
    store.create_event(SPEC)
    [group] = summarise_groups([EXAMPLE, CRASH], store.get_event())
    assert json.loads(json.dumps(asdict(group), allow_nan=False))["name"] == ""
    left, right = group.standings
    assert (left.rank, left.agent, left.games, left.won, left.drawn, left.lost) == (1, "left", 2, 2, 0, 0)
    assert (left.first, left.second) == ((1, 0, 0), (1, 0, 0))
    assert (left.score.value, left.elo.high) == (1.0, None)
    assert left.elo.value is None  # infinite, as the difference by score is
    assert left.elo.low is not None
    assert (group.elo_kind, group.unconnected) == ("difference", [])
    assert (right.rank, right.lost, right.elo.low, right.failures) == (2, 2, None, {"crash": 1})
    assert group.cross == [[None, (2, 0, 0)], [(0, 0, 2), None]]


def test_summary_of_unconnected_agents(store: Store) -> None:
    """With more than two agents, Elo is a rating; agents that no games connect are listed in sets."""
    store.import_games("file", [EXAMPLE, replace(SECOND, names=("x", "y"), pair=1)])
    [group] = summarise_groups(list(store.find_records()), store.get_event())
    assert group.elo_kind == "rating"
    assert sorted(map(sorted, group.unconnected)) == [["left", "right"], ["x", "y"]]


def test_equal_agents_have_no_negative_zero() -> None:
    """A tiny negative rating is rounded to 0.0, which is shown without a sign."""
    assert str(round_interval(Interval(-1e-9, -12.34, math.inf), 1).value) == "0.0"


def test_summary_of_games(store: Store) -> None:
    """Finished games have their number in the database; live games that are finished already are left out."""
    event = store.create_event(SPEC)
    game = store.add_game(event, EXAMPLE)
    [stored] = store.find_games(event)
    assert asdict(summarise_game(stored)) == {
        "id": game,
        "number": 0,
        "names": ("left", "right"),
        "winner": 0,
        "ending": "win",
        "moves": 7,
    }
    with store.claim_event(event):
        for scheduled in schedule_games(SPEC):
            make_live_game_writer(store.path, event, scheduled)(Board.parse("6x7:4"))
        [running] = list_live_games(store.path, event, {0})
    assert asdict(running) == {"number": 1, "group": "", "names": ("right", "left"), "position": "6x7:4"}
