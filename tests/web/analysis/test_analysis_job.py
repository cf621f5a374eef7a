"""Tests analyses over the websocket: results, limits, turns and the full queue."""

import threading
import time
from pathlib import Path

import pytest

from fourfall import Board
from fourfall.agents.levels import LEVELS
from fourfall.web import limits
from fourfall.web.app import Settings
from fourfall.web.limits import Limits
from tests.web.conftest import Message, Page, run_in_thread


def receive_last(page: Page) -> Message:
    """Wait for the last message of an analysis."""
    while not (analysis := page.receive("analysis", "error")).get("done", True):
        pass
    return analysis


def test_results_are_sent_during_the_analysis(page: Page) -> None:
    """The first result comes soon, later ones have more simulations, `stop` ends with a last one."""
    page.send(type="analyse", position="9x9@4,4:5", key="k", ref="r")
    results = [page.receive("analysis") for _ in range(4)]
    page.send(type="stop")
    last = receive_last(page)
    assert [result["done"] for result in results] == [False] * 4
    assert results[0]["seconds"] < 5.0
    counts = [result["simulations"] for result in results]
    assert counts == sorted(counts)
    assert last["simulations"] >= counts[-1] > counts[0] > 0
    assert (last["key"], last["ref"], last["stopped_by"], last["position"]) == ("k", "r", "stop", "9x9@4,4:5")
    assert [column["column"] for column in last["columns"]] == list(range(9))
    assert last["pv"][0] == last["move"]
    assert last["simulations_per_second"] > 0
    assert all(0 <= column["win_chance"] <= 1 for column in last["columns"])
    assert all(column["pv"][0] == column["column"] for column in last["columns"])
    assert last["pv"] == last["columns"][last["move"]]["pv"]


def test_proof_ends_the_analysis(page: Page) -> None:
    """An immediate win is found and reported as a proof."""
    page.send(type="analyse", position="6x7:112233")
    last = receive_last(page)
    assert (last["move"], last["score"]) == (3, {"win_chance": 1.0, "proof": "win", "distance": 1})


@pytest.mark.parametrize(
    ("fields", "stopped_by"), [({"time_s": 0.2}, "time"), ({"simulations": 300, "engine": "seed-002"}, "simulations")]
)
def test_limits_end_the_analysis(page: Page, fields: dict[str, object], stopped_by: str) -> None:
    """Time and simulations of the request are kept."""
    page.send(type="analyse", position="9x9@4,4", **fields)
    assert receive_last(page)["stopped_by"] == stopped_by


def test_analysis_continues_after_the_limit_of_time(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """An analysis without a time stops at the server's limit; `resume` continues the search of the same position."""
    monkeypatch.setattr(limits, "MAX_ANALYSIS_TIME_S", 0.4)
    page.send(type="analyse", position="9x9@4,4")
    first = receive_last(page)
    assert (first["stopped_by"], first["can_resume"]) == ("time", True)
    page.send(type="analyse", position="9x9@4,4", resume=True)
    second = receive_last(page)
    assert (second["stopped_by"], second["can_resume"]) == ("time", True)
    assert second["nodes"] > first["nodes"]
    assert second["simulations"] > first["simulations"]
    assert second["seconds"] >= first["seconds"] + 0.3
    monkeypatch.setattr(limits, "MAX_ANALYSIS_TIME_S", 0.02)
    page.send(type="analyse", position="9x9@4,4:1", resume=True)
    assert receive_last(page)["seconds"] < second["seconds"]
    page.send(type="analyse", position="9x9@4,4", time_s=0.1)
    assert not receive_last(page)["can_resume"]


def test_level_analyses_with_its_simulations(page: Page) -> None:
    """An analysis by a level has the level's number of simulations."""
    page.send(type="analyse", position="6x7", engine="level-40")
    assert receive_last(page)["simulations"] == LEVELS["level-40"].simulations


def test_finished_game_is_scored_without_a_search(page: Page) -> None:
    """A finished game has a proven score and no columns."""
    page.send(type="analyse", position="6x7:1212121")
    last = receive_last(page)
    assert (last["columns"], last["move"], last["stopped_by"]) == ([], None, "over")
    assert last["score"] == {"win_chance": 0.0, "proof": "loss", "distance": 0}


def test_new_analysis_replaces_the_old_one(page: Page) -> None:
    """After the first result of the new analysis there are no more results of the old one."""
    page.send(type="analyse", position="9x9@4,4", key="old")
    page.receive("analysis")
    page.send(type="analyse", position="9x9@4,4:5", key="new")
    while page.receive("analysis")["key"] == "old":
        pass
    assert {page.receive("analysis")["key"] for _ in range(3)} == {"new"}


def test_waiting_analyses_take_turns(tmp_path: Path) -> None:
    """With one thread, the second and third analyses wait, receive their places, and all get turns."""
    limits = Limits(analysis_threads=1, turn_s=0.3)
    with (
        run_in_thread(Settings(tmp_path / "page.db", limits=limits)) as server,
        server.open_page() as first,
        server.open_page() as second,
        server.open_page() as third,
    ):
        first.send(type="analyse", position="9x9@4,4", key="1")
        first.receive("analysis")
        second.send(type="analyse", position="9x9@4,4", key="2")
        assert second.receive("queued") == {"type": "queued", "ref": None, "what": "analysis", "place": 1, "key": "2"}
        third.send(type="analyse", position="9x9@4,4", key="3")
        waiting = third.receive("queued")
        assert (waiting["what"], waiting["place"], waiting["key"]) == ("analysis", 2, "3")
        assert third.receive("queued", "analysis")["place"] == 1
        assert third.receive("analysis")["simulations"] > 0
        assert first.receive("queued")["place"] >= 1
        resumed = first.receive("analysis")
        while resumed["seconds"] < 0.35:  # it continues the search of its first turn
            resumed = first.receive("analysis")
        second.send(type="stop")
        third.send(type="stop")
        assert receive_last(second)["stopped_by"] == receive_last(third)["stopped_by"] == "stop"


def test_full_queue_is_an_error(tmp_path: Path) -> None:
    """If the queue is full, a request is refused; after a page has left, there is a free place."""
    limits = Limits(analysis_threads=1, queued_analyses=1)
    with run_in_thread(Settings(tmp_path / "page.db", limits=limits)) as server, server.open_page() as page:
        with server.open_page() as first:
            first.send(type="analyse", position="9x9@4,4")
            first.receive("analysis")
            assert page.request(type="analyse", position="9x9@4,4")["code"] == "busy"
        for _ in range(100):
            page.send(type="analyse", position="9x9@4,4", simulations=50, engine="seed-002")
            if page.receive("analysis", "error")["type"] == "analysis":
                break
            time.sleep(0.1)
        else:
            pytest.fail("the place of a closed connection is never free")


def test_opponents_move_does_not_wait_for_analyses(tmp_path: Path) -> None:
    """While analyses occupy all their threads for a minute each, an opponent moves soon."""
    limits = Limits(analysis_threads=2, turn_s=60)
    with run_in_thread(Settings(tmp_path / "page.db", limits=limits)) as server, server.open_page() as player:
        stop = threading.Event()

        def analyse() -> None:
            with server.open_page() as page:
                page.send(type="analyse", position="9x9@4,4")
                while not stop.wait(0.05):
                    page.receive("analysis")

        threads = [threading.Thread(target=analyse) for _ in range(2)]
        for thread in threads:
            thread.start()
        try:
            game = player.request("game", type="new", board="9x9@4,4", opponent="fourfall", move_time_s=0.1)
            slowest_s = 0.0
            for _ in range(3):
                start = time.monotonic()
                game = player.play(game, Board.parse(game["position"]).legal_moves[0])
                slowest_s = max(slowest_s, time.monotonic() - start)
        finally:
            stop.set()
            for thread in threads:
                thread.join()
        assert slowest_s < 60 / 4


def test_known_board_is_answered_at_once(page: Page) -> None:
    """An empty board of the census has one reply: exact results of all columns without simulations."""
    page.send(type="analyse", position="4x6@3,1", key="k", time_s=60)
    reply = page.receive("analysis", "queued")
    assert (reply["type"], reply["done"], reply["stopped_by"], reply["simulations"]) == ("analysis", True, "census", 0)
    assert reply["score"] == {"win_chance": 1.0, "proof": "win", "distance": 21}
    assert [column["distance"] for column in reply["columns"]] == [23, 21, 23, 23, 23, 23]
    assert reply["pv"] == reply["columns"][reply["move"]]["pv"]
    assert not reply["can_resume"]


def test_level_analyses_a_known_board_by_its_own_search(page: Page) -> None:
    """The verdict of a level is its own, not that of the census."""
    page.send(type="analyse", position="4x4", engine="level-4", key="k")
    last = receive_last(page)
    assert last["simulations"] > 0
    assert last["stopped_by"] != "census"
