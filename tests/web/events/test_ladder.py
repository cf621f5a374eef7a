"""Tests of ladders in the messages of the page."""

from pathlib import Path

import pytest

from fourfall.arena.ladder.registry import Ladder
from fourfall.arena.ladder.suspension import RepeatedFailure
from fourfall.arena.spec import Entrant
from fourfall.arena.store import Store
from fourfall.web.app import Settings
from tests.arena.ladders import add_pairs
from tests.web.conftest import run_in_thread


def test_ladder_is_watched(tmp_path: Path) -> None:
    """The page receives states, trends and failures of the agents, changes without a request, and the history."""
    database = tmp_path / "ladder.db"
    with Store(database) as store:
        ladder = Ladder.create(store)
        ladder.add_agents([Entrant(name, "level-2") for name in ("left", "right", "new")])
        add_pairs(ladder, 60)
        ladder.suspend_agent("right", RepeatedFailure(4, 4, 2))
        with run_in_thread(Settings(database)) as server, server.open_page() as page:
            event = page.request("event", type="watch", event=1)
            assert (event["name"], event["state"], event["planned"], event["games"]) == ("ladder", "stopped", None, 120)
            left, new, right = event["ladder"]["agents"]
            assert [row["agent"] for row in (left, new, right)] == ["left", "new", "right"]
            assert (left["rank"], left["games"], left["state"], left["suspension"]) == (1, 120, "active", None)
            assert left["elo"]["value"] == pytest.approx(-right["elo"]["value"])
            assert left["trend"] == pytest.approx(-right["trend"])
            assert (new["rank"], new["state"], new["elo"], new["trend"]) == (2, "active", None, None)
            assert right["suspension"] == {"failed": 4, "played": 4, "game": "a2", "ending": "win", "detail": ""}
            assert event["ladder"]["history_pairs"] == 60
            ladder.resume_agent("right")
            event = page.receive("event")
            assert [agent["state"] for agent in event["ladder"]["agents"]] == ["active"] * 3
            history = server.get("/api/events/1/history")
            assert history["games"][-1] == 120
            assert len(history["times"]) == len(history["games"]) <= 200
            assert history["ratings"].keys() == {"left", "right"}
            status, body, _ = server.request("/api/events/9/history")
            assert (status, body["code"]) == (404, "unknown_event")
