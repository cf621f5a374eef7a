"""Tests playing over the websocket: moves, undo, end of the game, reconnecting, opponents."""

import json
import random
from pathlib import Path

import pytest

from fourfall import Board
from fourfall.agents.levels import LEVELS
from fourfall.web.app import Settings
from fourfall.web.limits import Limits
from tests.web.conftest import Page, RunningServer, StartGame, run_in_thread


def test_play_a_complete_game(page: Page, start_game: StartGame) -> None:
    """The opponent replies to every random move until the game is over with the right outcome."""
    rng = random.Random(4)  # noqa: S311 (not for security)
    game = start_game(board="random")
    while game["status"] == "playing":
        game = page.play(game, rng.choice(Board.parse(game["position"]).legal_moves))
    outcome = Board.parse(game["position"]).outcome()
    assert outcome is not None
    assert game["outcome"]["winner"] == outcome.winner
    assert [tuple(cell) for cell in game["outcome"]["cells"]] == outcome.cells
    assert len(game["times_ms"]) == len(game["scores"]) == len(game["moves"])
    assert all((score is None) == (i % 2 == 0) for i, score in enumerate(game["scores"]))
    assert page.request("game", type="move", game=game["game"], ply=len(game["moves"]), column=0)["code"] == "game_over"


def test_opponent_moves_first_if_the_person_is_second(start_game: StartGame) -> None:
    """The first move is the opponent's and has a score."""
    game = start_game(side="second")
    assert (len(game["moves"]), game["turn"], game["you"]) == (1, 1, 1)
    assert 0 <= game["scores"][0]["win_chance"] <= 1


def test_repeated_move_message_is_ignored(page: Page, start_game: StartGame) -> None:
    """The same message twice, as after a reconnect, is one move; a different move or ply is stale."""
    game = start_game()
    after = page.play(game, 3)
    again = page.request("game", type="move", game=game["game"], ply=0, column=3, ref="again")
    assert (again["moves"], again["ref"]) == (after["moves"], "again")
    error = page.request("game", type="move", game=game["game"], ply=0, column=2)
    assert (error["code"], error["params"]) == ("stale", {"stones": 2, "ply": 0})
    assert page.request("game", type="move", game=game["game"], ply=7, column=2)["code"] == "stale"


@pytest.mark.parametrize(
    ("column", "code", "params"),
    [(7, "illegal_move", {"column": "8", "columns": 7}), (0, "column_full", {"column": "1"})],
)
def test_illegal_move_changes_nothing(
    page: Page, start_game: StartGame, column: int, code: str, params: dict[str, object]
) -> None:
    """A column off the board and a full column have their own error codes, and the game stays as it was."""
    game = start_game(board="6x7:111111")
    error = page.request("game", type="move", game=game["game"], ply=6, column=column)
    assert (error["code"], error["params"]) == (code, params)
    assert page.request("game", type="open", game=game["game"])["moves"] == []


def test_undo_and_redo(page: Page, start_game: StartGame) -> None:
    """Undo takes back the reply and the move, redo plays both again, a new move clears the redo list."""
    game = page.play(page.play(start_game(), 3), 4)
    undone = page.request("game", type="undo", game=game["game"])
    assert (undone["moves"], undone["redo"]) == (game["moves"][:2], game["moves"][2:])
    redone = page.request("game", type="redo", game=game["game"])
    assert (redone["moves"], redone["redo"], redone["times_ms"]) == (game["moves"], [], game["times_ms"])
    page.request("game", type="undo", game=game["game"])
    page.request("game", type="undo", game=game["game"])
    assert page.request("game", type="undo", game=game["game"])["code"] == "nothing_to_undo"
    reopened = page.request("game", type="open", game=game["game"])
    assert page.play(reopened, 0)["redo"] == []
    assert page.request("game", type="redo", game=game["game"])["code"] == "nothing_to_redo"


def test_undo_stops_the_opponents_search(page: Page) -> None:
    """Undo does not wait for a search of 20 s, and its move is never played."""
    page.send(type="new", board="6x7", opponent="fourfall", move_time_s=20)
    game = page.receive("game")
    page.send(type="move", game=game["game"], ply=0, column=3)
    assert page.receive("thinking")["game"] == game["game"]
    undone = page.request("game", type="undo", game=game["game"], ref="u")
    assert (undone["moves"], undone["redo"], undone["thinking"]) == ([], [3], False)
    assert page.request("game", type="open", game=game["game"])["moves"] == []


def test_undo_of_a_resignation(page: Page, start_game: StartGame) -> None:
    """The opponent wins by resignation; undo takes back the resignation and no move."""
    game = page.play(start_game(), 3)
    over = page.request("game", type="resign", game=game["game"])
    assert (over["status"], over["outcome"]["winner"], over["outcome"]["ending"]) == ("over", 1, "resignation")
    again = page.request("game", type="undo", game=game["game"])
    assert (again["status"], again["moves"]) == ("playing", game["moves"])


def test_rematch_swaps_the_sides(page: Page, start_game: StartGame) -> None:
    """The new game has the same board and opponent, and the opponent moves first."""
    game = start_game(board="9x10@3,4:12")
    page.send(type="rematch", game=game["game"])
    again = page.receive_game(1)
    assert again["game"] != game["game"]
    assert (again["start"], again["you"], again["opponent"]) == (game["start"], 1, game["opponent"])
    assert again["rematch_of"] == game["game"]


def test_hint_finds_an_immediate_win(page: Page, start_game: StartGame) -> None:
    """The hint is the winning move, with a proven score."""
    game = start_game(board="6x7:112233")
    hint = page.request("hint", type="hint", game=game["game"], ref="h")
    assert (hint["column"], hint["ply"], hint["ref"]) == (3, 6, "h")
    assert hint["score"] == {"win_chance": 1.0, "proof": "win", "distance": 1}


def test_two_pages_receive_the_same_game(server: RunningServer, page: Page, start_game: StartGame) -> None:
    """A page that opened the game receives moves and replies until it leaves the game."""
    game = start_game()
    with server.open_page() as other:
        assert other.request("game", type="open", game=game["game"])["position"] == "6x7"
        after = page.play(game, 3)
        assert other.receive_game(2)["position"] == after["position"]
        other.send(type="leave", game=game["game"])
        assert other.request("pong", type="ping")["type"] == "pong"
        page.play(after, 3)
        other.send(type="ping", ref="after the move")
        assert other.receive("game", "pong")["type"] == "pong"


def test_level_rejects_simulations(page: Page) -> None:
    """A level has a fixed number of simulations, and the error names the field."""
    error = page.request("game", type="new", opponent="level-40", simulations=10)
    assert error["code"] == "bad_message"
    assert (
        f"level-40 has a fixed number of simulations, {LEVELS['level-40'].simulations}; leave out simulations"
        in error["message"]
    )


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("library:./bot.so", "third_party_engine"),
        ("program:/bin/sh -c id", "third_party_engine"),
        ("../presets/fourfall.toml", "third_party_engine"),
        ("seed-002?memory_mb=1000000", "third_party_engine"),
        ("python:os:system", "third_party_engine"),
        ("seed-999", "unknown_engine"),
    ],
)
def test_requests_can_name_only_allowed_engines(page: Page, name: str, code: str) -> None:
    """Addresses of third-party code, files and options are refused in every message that names an engine."""
    for message in (
        {"type": "new", "board": "6x7", "opponent": name},
        {"type": "analyse", "position": "6x7", "engine": name},
        {"type": "review", "position": "6x7", "engine": name},
    ):
        error = page.request(**message)
        assert (error["code"], error["params"]) == (code, {"engine": name})


def test_third_party_agent_as_opponent(tmp_path: Path) -> None:
    """An agent from --agent plays; if it fails, it loses; it cannot analyse; without --agent it is refused."""
    good, bad = tmp_path / "good.py", tmp_path / "bad.py"
    good.write_text("def choose(board, limit):\n    return board.legal_moves[-1]\n")
    bad.write_text("def choose(board, limit):\n    raise ValueError('out of ideas')\n")
    agents = [f"python:{good}:choose", f"python:{bad}:choose"]
    with run_in_thread(Settings(tmp_path / "page.db", agents)) as server, server.open_page() as page:
        assert [engine["name"] for engine in page.welcome["engines"] if engine["third_party"]] == agents
        game = page.request("game", type="new", board="6x7", opponent=agents[0], move_time_s=5)
        assert page.play(game, 3)["moves"] == [3, 6]
        game = page.request("game", type="new", board="6x7", opponent=agents[1], move_time_s=5)
        over = page.play(game, 3)
        assert (over["outcome"]["winner"], over["outcome"]["ending"]) == (0, "crash")
        assert "out of ideas" in over["outcome"]["detail"]
        assert page.request("analysis", type="analyse", position="6x7", engine=agents[0])["code"] == "cannot_analyse"
        unfinished = page.request("game", type="new", board="6x7", opponent=agents[0], move_time_s=5)["game"]
    with run_in_thread(Settings(tmp_path / "page.db")) as server, server.open_page() as page:
        page.send(type="move", game=unfinished, ply=0, column=3)
        assert page.receive("error")["code"] == "third_party_engine"


def test_restart_keeps_games_and_repeats_the_search(tmp_path: Path) -> None:
    """After a restart the games are there, and a search that the stop interrupted starts again."""
    settings = Settings(tmp_path / "page.db")
    with run_in_thread(settings) as server, server.open_page() as page:
        game = page.play(page.request("game", type="new", board="6x7", opponent="level-2"), 3)
        slow = page.request("game", type="new", board="6x7", opponent="fourfall", move_time_s=1.5)
        page.send(type="move", game=slow["game"], ply=0, column=3)
        assert page.receive("thinking")["game"] == slow["game"]
    with run_in_thread(settings) as server, server.open_page() as page:
        reopened = page.request("game", type="open", game=game["game"])
        assert (reopened["position"], reopened["times_ms"]) == (game["position"], game["times_ms"])
        assert page.request("game", type="open", game=slow["game"])["thinking"]
        assert page.receive_game(2)["moves"][0] == 3


def test_idle_game_is_loaded_again(tmp_path: Path) -> None:
    """A game without subscribers is removed from memory and loaded from the database when it is opened."""
    settings = Settings(tmp_path / "page.db", limits=Limits(idle_game_s=0.1))
    with run_in_thread(settings) as server:
        with server.open_page() as page:
            game = page.play(page.request("game", type="new", board="6x7", opponent="level-2"), 3)
            page.send(type="leave", game=game["game"])
            page.send(type="new", board="6x7", opponent="level-2")
        with server.open_page() as page:
            for _ in range(4):
                assert page.request("pong", type="ping")["type"] == "pong"
            assert page.request("game", type="open", game=game["game"])["position"] == game["position"]


def test_game_list_contains_games_with_moves(page: Page, server: RunningServer, start_game: StartGame) -> None:
    """A game is listed after its first move, newest first, and can be opened with the id of the list."""
    game = start_game()
    ids = [summary["id"] for summary in server.get("/api/games?source=page")["games"]]
    assert game["game"] not in ids
    page.play(game, 3)
    first = server.get("/api/games?source=page")["games"][0]
    assert (first["id"], first["names"], first["status"]) == (game["game"], ["you", "level-2"], "playing")
    assert json.dumps(page.request("game", type="open", game=first["id"])["moves"])[:2] == "[3"


def test_searches_stop_soon_after_the_connection_closes(tmp_path: Path) -> None:
    """A search of 30 s stops when its page has gone; when the game is opened again, it starts again."""
    limits = Limits(abandoned_search_s=0.1, move_threads=1)
    long_search = {"board": "9x9@4,4", "opponent": "fourfall", "side": "second", "move_time_s": 30}
    with run_in_thread(Settings(tmp_path / "page.db", limits=limits)) as server:
        with server.open_page() as page:
            game = page.request("game", type="new", **long_search)
            assert game["thinking"]
        with server.open_page() as other:  # its search gets the only thread
            quick = other.request("game", type="new", board="6x7", opponent="level-2", side="second")
            assert other.receive_game(1)["game"] == quick["game"]
            reopened = other.request("game", type="open", game=game["game"])
            assert (reopened["thinking"], reopened["moves"]) == (True, [])


def test_searches_of_a_connection_are_limited(tmp_path: Path) -> None:
    """A game that a connection no longer follows, because it has started others, is not searched any more."""
    long_search = {"board": "9x9@4,4", "opponent": "fourfall", "side": "second", "move_time_s": 2}
    with run_in_thread(Settings(tmp_path / "page.db", limits=Limits(games=2))) as server, server.open_page() as page:
        games = [page.request("game", type="new", **long_search)["game"] for _ in range(5)]
        moved = {page.receive_game(1)["game"] for _ in range(2)}
        assert moved == set(games[3:])
        for game in games[:3]:
            assert server.get(f"/api/games/{game}")["moves"] == []


def test_rate_of_new_games_of_a_client_is_limited(tmp_path: Path) -> None:
    """New games of all connections of one client count together; games that exist can be played on."""
    limits, new = Limits(new_games_per_s=0.01, new_game_burst=2), {"type": "new", "board": "6x7", "opponent": "level-2"}
    with (
        run_in_thread(Settings(tmp_path / "page.db", limits=limits)) as server,
        server.open_page() as page,
        server.open_page() as other,
    ):
        game = page.request("game", **new)
        assert other.request("game", **new)["type"] == "game"
        assert page.request("game", **new)["code"] == "too_fast"
        assert other.request("game", type="rematch", game=game["game"])["code"] == "too_fast"
        assert len(page.play(game, 3)["moves"]) == 2
        with server.open_page(source_address=("127.0.0.2", 0)) as third:
            assert third.request("game", **new)["type"] == "game"
