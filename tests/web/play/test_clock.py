"""Tests games between two persons and games with a clock over the websocket."""

import time
from pathlib import Path

import pytest

from fourfall.agents.time_control import compute_move_time_s
from fourfall.web.app import Settings
from fourfall.web.limits import Limits
from tests.web.conftest import Message, Page, RunningServer, StartGame, run_in_thread


def play_person(page: Page, game: Message, column: int) -> Message:
    """Play a move of a game between two persons."""
    ply = len(game["moves"])
    return page.request("game", type="move", game=game["game"], ply=ply, column=column)


def test_two_persons_play_a_game(server: RunningServer, page: Page, start_game: StartGame) -> None:
    """Both sides move without an engine; the game is stored with the names of the sides and can be reviewed."""
    game = start_game(opponent="human")
    assert (game["you"], game["opponent"], game["thinking"]) == (None, "human", False)
    assert game["names"] == ["Blue", "Orange"]
    for column in (0, 0, 1, 1, 2, 2, 3):
        game = play_person(page, game, column)
    assert (game["status"], game["outcome"]["winner"], game["scores"]) == ("over", 0, [None] * 7)
    stored = server.get(f"/api/games/{game['game']}")
    assert (stored["names"], stored["you"], stored["moves"]) == (["Blue", "Orange"], None, [0, 0, 1, 1, 2, 2, 3])
    undone = page.request("game", type="undo", game=game["game"])
    assert (undone["moves"], undone["redo"], undone["status"]) == ([0, 0, 1, 1, 2, 2], [3], "playing")
    assert page.request("hint", type="hint", game=game["game"])["column"] == 3
    page.request("game", type="redo", game=game["game"])
    again = page.request("game", type="rematch", game=game["game"])
    assert (again["moves"], again["you"], again["opponent"]) == ([], None, "human")
    review = page.request("review", type="review", game=game["game"], move_time_s=0.01)
    while not review["finished"]:
        review = page.receive("review")
    assert [move["ply"] for move in review["moves"]] == [0, 1, 2, 3, 4, 5, 6]


def test_side_to_move_resigns_between_two_persons(page: Page, start_game: StartGame) -> None:
    """The person whose turn it is loses; undo takes back the resignation."""
    game = play_person(page, start_game(opponent="human"), 3)
    over = page.request("game", type="resign", game=game["game"])
    assert (over["outcome"]["winner"], over["outcome"]["ending"]) == (0, "resignation")
    assert page.request("game", type="undo", game=game["game"])["moves"] == [3]


@pytest.mark.parametrize("field", [{"side": "second"}, {"move_time_s": 1.0}, {"simulations": 10}])
def test_fields_of_an_engine_are_refused_between_two_persons(page: Page, field: dict[str, object]) -> None:
    """A field that has no meaning without an engine is an error that names it."""
    error = page.request("game", type="new", opponent="human", **field)
    assert error["code"] == "bad_message"
    assert f"leave out {next(iter(field))}" in error["message"]


@pytest.mark.parametrize("clock", [{"initial_s": 0}, {"initial_s": 20_000}, {"initial_s": 60, "increment_s": -1}, {}])
def test_invalid_clock_is_refused(page: Page, clock: dict[str, object]) -> None:
    """A clock without time or with too much of it is an error."""
    assert page.request("game", type="new", opponent="human", clock=clock)["code"] == "bad_message"


def test_time_runs_out_without_a_message(page: Page, server: RunningServer, start_game: StartGame) -> None:
    """The side to move loses when its time is used up, and the page gets the game without asking."""
    game = start_game(opponent="human", clock={"initial_s": 1.5})
    assert game["clock"]["initial_s"] == 1.5
    assert 0 < game["clock"]["left_ms"][0] <= game["clock"]["left_ms"][1] == 1500
    game = play_person(page, game, 3)
    over = page.receive("game")
    assert (over["status"], over["outcome"]["winner"], over["outcome"]["ending"]) == ("over", 0, "time")
    assert over["clock"]["left_ms"][1] == 0
    assert server.get(f"/api/games/{game['game']}")["ending"] == "time"
    assert page.request("game", type="undo", game=game["game"])["code"] == "out_of_time"
    assert page.request("game", type="move", game=game["game"], ply=1, column=0)["code"] == "game_over"


def test_clock_continues_while_the_server_is_stopped(tmp_path: Path) -> None:
    """The clock is never paused: neither without subscribers nor while the server is stopped."""
    settings = Settings(tmp_path / "page.db", limits=Limits(idle_game_s=0.3))
    with run_in_thread(settings) as server:
        with server.open_page() as page:
            left = page.request("game", type="new", board="6x7", opponent="human", clock={"initial_s": 0.25})
            game = page.request("game", type="new", board="6x7", opponent="human", clock={"initial_s": 0.8})
            long = page.request("game", type="new", board="6x7", opponent="human", clock={"initial_s": 600})
        while server.get(f"/api/games/{left['game']}")["status"] == "playing":
            time.sleep(0.02)
    time.sleep(max(0.0, game["clock"]["left_ms"][0] / 1000))
    with run_in_thread(settings) as server, server.open_page() as page:
        over = page.request("game", type="open", game=game["game"])
        assert (over["status"], over["outcome"]["ending"], over["outcome"]["winner"]) == ("over", "time", 1)
        assert page.request("game", type="open", game=long["game"])["clock"]["left_ms"][0] < 599_500


def test_engine_adapts_to_its_clock(page: Page, start_game: StartGame) -> None:
    """An engine with 20 s per move and 4 s for the game plays several moves and keeps time."""
    game = start_game(board="6x7", opponent="fourfall", move_time_s=20, clock={"initial_s": 4.0})
    for column in (0, 6, 0):
        game = page.play(game, column)
        assert game["status"] == "playing"
    assert 0 < game["clock"]["left_ms"][1] < 4000
    assert game["clock"]["left_ms"][1] == pytest.approx(4000 - sum(game["times_ms"][1::2]), abs=100)


def test_engine_loses_on_time(page: Page, start_game: StartGame) -> None:
    """The clock of the engine runs too: an engine without time loses."""
    game = start_game(board="6x7", opponent="fourfall", side="second", clock={"initial_s": 0.0001})
    assert (game["status"], game["outcome"]["winner"], game["outcome"]["ending"]) == ("over", 1, "time")


def test_move_time_of_an_engine_with_a_clock() -> None:
    """The time grows with what is left, and a move never takes more than half of it."""
    times = [compute_move_time_s(left_s, 1.0, 60) for left_s in (0.1, 1.0, 10.0, 100.0)]
    assert times == sorted(times)
    assert all(0 < spent <= left_s / 2 for spent, left_s in zip(times, (0.1, 1.0, 10.0, 100.0), strict=True))
