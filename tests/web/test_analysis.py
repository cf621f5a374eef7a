"""Owns the tests of analysing: what is told, how it ends, and how people share the engine."""

import threading
import time
from pathlib import Path

import pytest

from fourfall import Board
from fourfall.web.app import Settings
from fourfall.web.limits import Limits
from tests.web.conftest import Message, Page, serving


def last(page: Page) -> Message:
    """Wait for the end of an analysis."""
    while not (analysis := page.hear("analysis", "error")).get("done", True):
        pass
    return analysis


def test_an_analysis_is_told_while_it_goes_on(page: Page) -> None:
    """The first word comes within half a second or so, the next ones know more, and stop has the last one."""
    page.say(type="analyse", position="9x9@4,4:5", key="k", ref="r")
    told = [page.hear("analysis") for _ in range(4)]
    page.say(type="stop")
    end = last(page)
    assert [analysis["done"] for analysis in told] == [False] * 4
    assert told[0]["seconds"] < 1.0
    counts = [analysis["simulations"] for analysis in told]
    assert counts == sorted(counts)
    assert end["simulations"] >= counts[-1] > counts[0] > 0
    assert (end["key"], end["ref"], end["stopped_by"], end["position"]) == ("k", "r", "stop", "9x9@4,4:5")
    assert [column["column"] for column in end["columns"]] == list(range(9))
    assert end["line"][0] == end["move"]
    assert all(0 <= column["win_chance"] <= 1 for column in end["columns"])


def test_a_proof_ends_an_analysis(page: Page) -> None:
    """A win in one is found at once and called a proof."""
    page.say(type="analyse", position="6x7:112233")
    end = last(page)
    assert (end["move"], end["score"]) == (3, {"win_chance": 1.0, "proof": "win", "distance": 1})


@pytest.mark.parametrize(
    ("limits", "stopped_by"), [({"time_s": 0.2}, "time"), ({"nodes": 300, "engine": "seed-002"}, "nodes")]
)
def test_limits_end_an_analysis(page: Page, limits: dict[str, object], stopped_by: str) -> None:
    """Time and nodes that were asked for are kept."""
    page.say(type="analyse", position="9x9@4,4", **limits)
    assert last(page)["stopped_by"] == stopped_by


def test_a_level_analyses_with_its_simulations(page: Page) -> None:
    """A level as the engine of an analysis has no more than its own number."""
    page.say(type="analyse", position="6x7", engine="level-4")
    assert last(page)["simulations"] == 120


def test_a_finished_game_needs_no_search(page: Page) -> None:
    """After the end there is a result and no columns."""
    page.say(type="analyse", position="6x7:1212121")
    end = last(page)
    assert (end["columns"], end["move"], end["stopped_by"]) == ([], None, "over")
    assert end["score"] == {"win_chance": 0.0, "proof": "loss", "distance": 0}


def test_a_new_analysis_replaces_the_old_one(page: Page) -> None:
    """After the first word on the new question there is none on the old one."""
    page.say(type="analyse", position="9x9@4,4", key="old")
    page.hear("analysis")
    page.say(type="analyse", position="9x9@4,4:5", key="new")
    while page.hear("analysis")["key"] == "old":
        pass
    assert {page.hear("analysis")["key"] for _ in range(3)} == {"new"}


def test_those_who_wait_are_told_their_place_and_take_turns(tmp_path: Path) -> None:
    """With one thread for analyses the second and the third wait, are told so, and all get their turns."""
    limits = Limits(analyses=1, turn_s=0.3)
    with (
        serving(Settings(tmp_path / "page.db", limits=limits)) as server,
        server.page() as first,
        server.page() as second,
        server.page() as third,
    ):
        first.say(type="analyse", position="9x9@4,4", key="1")
        first.hear("analysis")
        second.say(type="analyse", position="9x9@4,4", key="2")
        assert second.hear("queued")["message"] == "the engine is busy, you are next"
        third.say(type="analyse", position="9x9@4,4", key="3")
        waiting = third.hear("queued")
        assert (waiting["what"], waiting["place"], waiting["key"]) == ("analysis", 2, "3")
        assert third.hear("queued", "analysis")["place"] == 1
        assert third.hear("analysis")["simulations"] > 0
        before = first.hear("queued")
        assert before["place"] >= 1
        again = first.hear("analysis")
        while again["seconds"] < 0.35:  # goes on where it was, not from the beginning
            again = first.hear("analysis")
        second.say(type="stop")
        third.say(type="stop")
        assert last(second)["stopped_by"] == last(third)["stopped_by"] == "stop"


def test_a_crowd_is_turned_away(tmp_path: Path) -> None:
    """Where too many wait already, one more is told to come back later; leaving makes room."""
    with serving(Settings(tmp_path / "page.db", limits=Limits(analyses=1, crowd=1))) as server, server.page() as page:
        with server.page() as first:
            first.say(type="analyse", position="9x9@4,4")
            first.hear("analysis")
            assert page.ask(type="analyse", position="9x9@4,4")["code"] == "busy"
        for _ in range(100):
            page.say(type="analyse", position="9x9@4,4", nodes=50, engine="seed-002")
            if page.hear("analysis", "error")["type"] == "analysis":
                break
            time.sleep(0.1)
        else:
            pytest.fail("the place of somebody who left stays taken")


def test_an_opponents_move_does_not_wait_for_analyses(tmp_path: Path) -> None:
    """While analyses keep every thread busy, an opponent answers within its time and half a second."""
    with serving(Settings(tmp_path / "page.db")) as server, server.page() as player:
        stop = threading.Event()

        def analyse() -> None:
            with server.page() as page:
                page.say(type="analyse", position="9x9@4,4")
                while not stop.wait(0.05):
                    page.hear("analysis", "queued")

        threads = [threading.Thread(target=analyse) for _ in range(4)]
        for thread in threads:
            thread.start()
        try:
            game = player.ask("game", type="new", board="9x9@4,4", opponent="fourfall", time_s=0.3)
            slowest = 0.0
            for _ in range(4):
                asked = time.monotonic()
                game = player.play(game, Board.parse(game["position"]).legal_moves[0])
                slowest = max(slowest, time.monotonic() - asked)
        finally:
            stop.set()
            for thread in threads:
                thread.join()
        assert slowest < 0.3 + 0.5
