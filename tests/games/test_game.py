"""Tests the class Game: where games come from, what is refused, and how they are drawn and written."""

import io
import pickle
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image, ImageSequence

import fourfall
from fourfall import Board, Game, GameError, NotationError
from fourfall.arena.jsonl import write_games
from fourfall.arena.judge import Ending
from fourfall.arena.record import EXAMPLE, RecordError
from fourfall.arena.spec import Spec
from fourfall.arena.store import Store, StoreError

FORFEIT = replace(
    EXAMPLE, board="6x7:44", moves="55", ending=Ending.TIMEOUT, winner=0, culprit=1, times_ms=(1.0, 2.0, 3000.0)
)


def test_result_comes_from_the_board() -> None:
    """A finished board gives ending and winner; an unfinished one gives neither."""
    won, tie, running = Game("6x7:1122334"), Game("4x4:3333224124124114"), Game("6x7:44")
    assert (won.ending, won.winner, won.is_over) == ("win", 0, True)
    assert (running.ending, running.winner, running.is_over) == (None, None, False)
    assert tie.winner is None
    assert tie.describe() == "blue against orange: draw"


def test_game_that_did_not_end_on_the_board() -> None:
    """A record that ended by a failure keeps its ending and names the loser."""
    game = Game.from_record(FORFEIT)
    assert (game.opening, game.ending, game.winner, game.board.is_over) == (2, "timeout", 0, False)
    assert str(game) == "left (blue) against right (orange): left won (timeout of right)"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"names": "ab"}, "names must be two texts, not 'ab'"),
        ({"names": ("a", "b", "c")}, "names must be two texts"),
        ({"names": ("a", 1)}, "names must be two texts"),
        ({"opening": 3}, "opening must be from 0 to 2, the number of stones, not 3"),
        ({"opening": -1}, "opening must be from 0 to 2"),
        ({"winner": 2, "ending": "win"}, "winner must be 0, 1 or None, not 2"),
        ({"winner": 0}, "a game with a winner needs an ending"),
        ({"winner": 0, "ending": "win"}, "ending is 'win', but the board is not full and has no four in a row"),
        ({"ending": "tie"}, "ending is 'tie', but the board is not full"),
    ],
)
def test_wrong_values_are_refused(values: dict[str, object], message: str) -> None:
    """The error names the value."""
    with pytest.raises(GameError, match=message):
        Game("6x7:44", **values)  # type: ignore[arg-type]


@pytest.mark.parametrize(("ending", "winner"), [("resignation", 1), ("timeout", 0), ("win", 1), ("win", None)])
def test_result_that_contradicts_the_board_is_refused(ending: str, winner: int | None) -> None:
    """A game that is over on the board has the result of the board."""
    with pytest.raises(GameError, match="but the board has four in a row: ending 'win', winner 0"):
        Game("6x7:1212121", ending=ending, winner=winner)
    assert Game("6x7:1212121", ending="win", winner=0) == Game("6x7:1212121")


def test_wrong_position_is_refused() -> None:
    """A wrong notation is named as by Board.parse; a board instead of a text gets a hint."""
    with pytest.raises(NotationError, match="'x'"):
        Game("6x7:4x")
    with pytest.raises(TypeError, match=r"position must be a text such as '6x7:44'.*Game\.from_board"):
        Game(Board(6, 7))  # type: ignore[arg-type]


def test_games_are_values() -> None:
    """Games are compared by their moves, not only by the position, and can be hashed and pickled."""
    game = Game("6x7:1234", ("a", "b"))
    assert game == pickle.loads(pickle.dumps(game))  # noqa: S301 (our own data)
    assert game != Game("6x7:3412", ("a", "b"))
    assert len({game, Game("6x7:1234", ("a", "b"))}) == 1
    game.board.push(0)
    assert game.board.ply == 4


def test_games_of_database_and_file(tmp_path: Path) -> None:
    """A game is found by its number in the database and by its line in a file; a missing one is an error."""
    database, file = tmp_path / "arena.db", tmp_path / "games.jsonl"
    with Store(database) as store:
        number = store.add_game(store.create_event(Spec.match("seed-000", "seed-002", pairs=1)), EXAMPLE)
    write_games(file, [EXAMPLE, replace(EXAMPLE, number=1, names=("x", "y"))])
    expected = Game.from_record(EXAMPLE)
    assert Game.from_database(database, number) == expected
    assert Game.from_jsonl(file, 2).names == ("x", "y")
    assert [game.names for game in Game.read_jsonl(file)] == [("left", "right"), ("x", "y")]
    assert expected.scores == EXAMPLE.scores
    with pytest.raises(StoreError, match="there is no game 99"):
        Game.from_database(database, 99)
    with pytest.raises(RecordError, match="the file has fewer lines"):
        Game.from_jsonl(file, 3)


def test_svg_plays_the_moves_after_the_opening(tmp_path: Path) -> None:
    """The animation begins after the opening or after `start`; the file has what the method returns."""
    game = Game("6x7:443322", ("<b>", "x & y"), opening=2)
    path = tmp_path / "game.svg"
    drawing = game.to_svg(path)
    assert drawing.count("<animateTransform") == 4
    assert game.to_svg(start=5).count("<animateTransform") == 1
    assert game.to_svg(animated=False).count("<animate") == 0
    assert path.read_text() == drawing + "\n"
    root = ElementTree.fromstring(drawing)  # noqa: S314 (our own output)
    texts = [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[-1] == "● <b>   ◆ x & y"
    assert root.findtext("{http://www.w3.org/2000/svg}title") == (
        "<b> (blue) against x & y (orange): not over, 6 stones"
    )


@pytest.mark.parametrize(("position", "result"), [("6x7:1122334", "1-0"), ("4x4:3333224124124114", "½-½")])
def test_caption_has_the_result(position: str, result: str) -> None:
    """The caption of the image ends with the points of both players, also after long names."""
    drawing = Game(position, ("a" * 99, "b" * 99)).to_svg(animated=False)
    assert f"a…   ◆ {'b' * 5}" in drawing
    assert f"b…   {result}</text>" in drawing


def test_gif_has_one_frame_for_each_position(tmp_path: Path) -> None:
    """A GIF shows the opening, then one more stone in each frame, for the given time."""
    game = Game("6x7@5,3:443322", opening=2)
    path = tmp_path / "game.gif"
    assert game.to_gif(path, move_time_s=0.5, pause_s=2) == path.read_bytes()
    with Image.open(io.BytesIO(game.to_gif(start=4, move_time_s=0.5, pause_s=2))) as image:
        assert [frame.info["duration"] for frame in ImageSequence.Iterator(image)] == [500, 500, 2000]


@pytest.mark.parametrize(("option", "value"), [("move_time_s", 0), ("pause_s", 1e9), ("move_time_s", float("nan"))])
def test_times_out_of_range_are_refused(option: str, value: float) -> None:
    """Times must be from 0.02 to 600 seconds, for both formats."""
    for draw in (Game("6x7:44").to_svg, Game("6x7:44").to_gif):
        with pytest.raises(ValueError, match=rf"{option} must be from 0\.02 to 600 seconds"):
            draw(**{option: value})  # type: ignore[arg-type]


def test_missing_pillow_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Pillow the error is one line with the command that installs it."""
    monkeypatch.setitem(sys.modules, "PIL", None)
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    with pytest.raises(ImportError, match=r'install it with: pip install "fourfall\[notebook\]"'):
        Game("6x7:44").to_gif()


def test_long_and_hostile_names_stay_in_the_image() -> None:
    """A long name is shortened, and control characters are replaced."""
    game = Game("6x7:44", ("a" * 500, "two\nlines \u202e"))
    drawing = game.to_svg()
    assert "a" * 80 not in drawing.partition("</title>")[2]
    assert "\u202e" not in drawing
    assert "two\nlines" not in drawing


def test_lazy_names_of_the_package() -> None:
    """Games are public names of the package; an unknown name is an AttributeError."""
    assert {"Game", "Review", "review_game"} <= set(dir(fourfall))
    with pytest.raises(AttributeError, match="has no attribute 'Gaem'"):
        _ = fourfall.Gaem
