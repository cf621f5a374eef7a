"""Owns the tests of playing: moves and answers, taking back, ending, coming back."""

import json
import random
from pathlib import Path

import pytest

from fourfall import Board
from fourfall.web.app import Settings
from fourfall.web.limits import Limits
from tests.web.conftest import Begin, Page, Served, serving


def test_a_whole_game_is_played_to_its_end(page: Page, begin: Begin) -> None:
    """A person who plays at random gets an answer to every move, until the game is over and says how."""
    rng = random.Random(4)  # noqa: S311 (no secret)
    game = begin(board="random")
    while game["status"] == "playing":
        game = page.play(game, rng.choice(Board.parse(game["position"]).legal_moves))
    outcome = Board.parse(game["position"]).outcome()
    assert outcome is not None
    assert game["outcome"]["winner"] == outcome.winner
    assert [tuple(cell) for cell in game["outcome"]["cells"]] == outcome.cells
    assert len(game["times_ms"]) == len(game["scores"]) == len(game["moves"])
    assert all((score is None) == (at % 2 == 0) for at, score in enumerate(game["scores"]))
    assert page.ask("game", type="move", game=game["game"], ply=len(game["moves"]), column=0)["code"] == "game_over"


def test_the_opponent_begins_when_the_person_is_second(begin: Begin) -> None:
    """The first stone is the opponent's, with its score."""
    game = begin(side="second")
    assert (len(game["moves"]), game["turn"], game["you"]) == (1, 1, 1)
    assert 0 <= game["scores"][0]["win_chance"] <= 1


def test_a_repeated_move_is_harmless(page: Page, begin: Begin) -> None:
    """The same message twice, as after a reconnect, is one move; another ply is stale."""
    game = begin()
    after = page.play(game, 3)
    again = page.ask("game", type="move", game=game["game"], ply=0, column=3, ref="again")
    assert (again["moves"], again["ref"]) == (after["moves"], "again")
    assert page.ask("game", type="move", game=game["game"], ply=0, column=2)["code"] == "stale"
    assert page.ask("game", type="move", game=game["game"], ply=7, column=2)["code"] == "stale"


@pytest.mark.parametrize(("column", "code"), [(7, "illegal_move"), (0, "column_full")])
def test_a_move_that_is_none_changes_nothing(page: Page, begin: Begin, column: int, code: str) -> None:
    """Off the board and into a full column are named, and the game is as it was."""
    game = begin(board="6x7:111111")
    assert page.ask("game", type="move", game=game["game"], ply=6, column=column)["code"] == code
    assert page.ask("game", type="open", game=game["game"])["moves"] == []


def test_taking_back_and_playing_again(page: Page, begin: Begin) -> None:
    """Undo takes the answer and the move back, redo plays both, and a new move forgets them."""
    game = page.play(page.play(begin(), 3), 4)
    undone = page.ask("game", type="undo", game=game["game"])
    assert (undone["moves"], undone["redo"]) == (game["moves"][:2], game["moves"][2:])
    redone = page.ask("game", type="redo", game=game["game"])
    assert (redone["moves"], redone["redo"], redone["times_ms"]) == (game["moves"], [], game["times_ms"])
    page.ask("game", type="undo", game=game["game"])
    page.ask("game", type="undo", game=game["game"])
    assert page.ask("game", type="undo", game=game["game"])["code"] == "nothing_to_undo"
    begun = page.ask("game", type="open", game=game["game"])
    assert page.play(begun, 0)["redo"] == []
    assert page.ask("game", type="redo", game=game["game"])["code"] == "nothing_to_redo"


def test_a_thinking_opponent_is_stopped_by_undo(page: Page) -> None:
    """Taking back does not wait for an opponent who would think for long, and its move never comes."""
    page.say(type="new", board="6x7", opponent="fourfall", time_s=20)
    game = page.hear("game")
    page.say(type="move", game=game["game"], ply=0, column=3)
    assert page.hear("thinking")["game"] == game["game"]
    undone = page.ask("game", type="undo", game=game["game"], ref="u")
    assert (undone["moves"], undone["redo"], undone["thinking"]) == ([], [3], False)
    assert page.ask("game", type="open", game=game["game"])["moves"] == []


def test_resigning_can_be_taken_back(page: Page, begin: Begin) -> None:
    """Resigning ends the game for the opponent; undo takes it back and nothing else."""
    game = page.play(begin(), 3)
    over = page.ask("game", type="resign", game=game["game"])
    assert (over["status"], over["outcome"]["winner"], over["outcome"]["ending"]) == ("over", 1, "resignation")
    again = page.ask("game", type="undo", game=game["game"])
    assert (again["status"], again["moves"]) == ("playing", game["moves"])


def test_a_rematch_swaps_sides_on_the_same_board(page: Page, begin: Begin) -> None:
    """The new game has the old board, opponent and limits, and the opponent begins."""
    game = begin(board="9x10@3,4:12")
    page.say(type="rematch", game=game["game"])
    again = page.hear_turn(1)
    assert again["game"] != game["game"]
    assert (again["start"], again["you"], again["opponent"]) == (game["start"], 1, game["opponent"])
    assert again["rematch_of"] == game["game"]


def test_a_hint_wins_where_there_is_a_win(page: Page, begin: Begin) -> None:
    """The flagship sees a win in one, and says that it is proven."""
    game = begin(board="6x7:112233")
    hint = page.ask("hint", type="hint", game=game["game"], ref="h")
    assert (hint["column"], hint["ply"], hint["ref"]) == (3, 6, "h")
    assert hint["score"] == {"win_chance": 1.0, "proof": "win", "distance": 1}


def test_two_pages_see_the_same_game(server: Served, page: Page, begin: Begin) -> None:
    """A move made on one page appears on the other, with the answer."""
    game = begin()
    with server.page() as other:
        assert other.ask("game", type="open", game=game["game"])["position"] == "6x7"
        after = page.play(game, 3)
        assert other.hear_turn(2)["position"] == after["position"]
        other.say(type="leave", game=game["game"])
        assert other.ask("pong", type="ping")["type"] == "pong"
        page.play(after, 3)
        other.say(type="ping", ref="quiet")
        assert other.hear("game", "pong")["type"] == "pong"


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("library:./bot.so", "foreign_engine"),
        ("program:/bin/sh -c id", "foreign_engine"),
        ("../presets/fourfall.toml", "foreign_engine"),
        ("seed-002?memory=1000000", "foreign_engine"),
        ("python:os:system", "foreign_engine"),
        ("seed-999", "unknown_engine"),
    ],
)
def test_only_built_in_opponents_can_be_named(page: Page, name: str, code: str) -> None:
    """Addresses of foreign code, files and options from a request are refused, whatever they name."""
    for message in (
        {"type": "new", "board": "6x7", "opponent": name},
        {"type": "analyse", "position": "6x7", "engine": name},
        {"type": "review", "position": "6x7", "engine": name},
    ):
        assert page.ask(**message)["code"] == code


def test_a_bot_from_the_command_line_plays_and_may_fail(tmp_path: Path) -> None:
    """A bot that was given with --agent is an opponent, and one that fails loses, with the reason."""
    good, bad = tmp_path / "good.py", tmp_path / "bad.py"
    good.write_text("def choose(board, limit):\n    return board.legal_moves[-1]\n")
    bad.write_text("def choose(board, limit):\n    raise ValueError('out of ideas')\n")
    agents = [f"python:{good}:choose", f"python:{bad}:choose"]
    with serving(Settings(tmp_path / "page.db", agents)) as server, server.page() as page:
        assert [engine["name"] for engine in page.welcome["engines"] if engine["foreign"]] == agents
        game = page.ask("game", type="new", board="6x7", opponent=agents[0], time_s=5)
        assert page.play(game, 3)["moves"] == [3, 6]
        game = page.ask("game", type="new", board="6x7", opponent=agents[1], time_s=5)
        over = page.play(game, 3)
        assert (over["outcome"]["winner"], over["outcome"]["ending"]) == (0, "crash")
        assert "out of ideas" in over["outcome"]["detail"]
        assert page.ask("analysis", type="analyse", position="6x7", engine=agents[0])["code"] == "unknown_engine"
        going = page.ask("game", type="new", board="6x7", opponent=agents[0], time_s=5)["game"]
    with serving(Settings(tmp_path / "page.db")) as server, server.page() as page:
        page.say(type="move", game=going, ply=0, column=3)
        assert page.hear("error")["code"] == "foreign_engine"


def test_a_restart_keeps_the_games_and_an_interrupted_opponent_thinks_again(tmp_path: Path) -> None:
    """What was played is there after a restart, and an answer that was being thought about comes after all."""
    settings = Settings(tmp_path / "page.db")
    with serving(settings) as server, server.page() as page:
        game = page.play(page.ask("game", type="new", board="6x7", opponent="level-1"), 3)
        slow = page.ask("game", type="new", board="6x7", opponent="fourfall", time_s=1.5)
        page.say(type="move", game=slow["game"], ply=0, column=3)
        assert page.hear("thinking")["game"] == slow["game"]
    with serving(settings) as server, server.page() as page:
        kept = page.ask("game", type="open", game=game["game"])
        assert (kept["position"], kept["times_ms"]) == (game["position"], game["times_ms"])
        assert page.ask("game", type="open", game=slow["game"])["thinking"]
        assert page.hear_turn(2)["moves"][0] == 3


def test_an_idle_game_leaves_memory_and_comes_back(tmp_path: Path) -> None:
    """A game that nobody looks at is forgotten, and opened again from the disk as it was."""
    settings = Settings(tmp_path / "page.db", limits=Limits(idle_game_s=0.1))
    with serving(settings) as server:
        with server.page() as page:
            game = page.play(page.ask("game", type="new", board="6x7", opponent="level-1"), 3)
            page.say(type="leave", game=game["game"])
            page.say(type="new", board="6x7", opponent="level-1")
        with server.page() as page:
            for _ in range(4):
                assert page.ask("pong", type="ping")["type"] == "pong"
            assert page.ask("game", type="open", game=game["game"])["position"] == game["position"]


def test_the_list_of_games_shows_those_with_moves(page: Page, server: Served, begin: Begin) -> None:
    """A game appears in the list with its first move, newest first, and can be reopened from there."""
    game = begin()
    listed = [line["id"] for line in server.get("/api/games?source=page")["games"]]
    assert game["game"] not in listed
    page.play(game, 3)
    first = server.get("/api/games?source=page")["games"][0]
    assert (first["id"], first["names"], first["status"]) == (game["game"], ["you", "level-1"], "playing")
    assert json.dumps(page.ask("game", type="open", game=first["id"])["moves"])[:2] == "[3"
