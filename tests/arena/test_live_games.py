"""Tests of the files that publish games in progress."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from fourfall import Board
from fourfall.arena import live_games
from fourfall.arena.live_games import list_live_games, make_live_game_writer, remove_live_games
from fourfall.arena.schedule import schedule_games
from fourfall.arena.spec import Spec
from fourfall.arena.store import Store

SPEC = Spec.match("left", "right", pairs=50)


def test_live_games_are_listed_while_the_event_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game is written at most every INTERVAL_S and listed until it is removed or no process claims the event."""
    seconds = 100.0
    monkeypatch.setattr(live_games, "time", SimpleNamespace(monotonic=lambda: seconds))
    first, second = list(schedule_games(SPEC))[:2]
    with Store(tmp_path / "arena.db") as store, store.claim_event(store.create_event(SPEC)):
        writers = [make_live_game_writer(store.path, 1, game) for game in (second, first)]
        for write in writers:
            write(Board.parse("6x7:4"))
            write(Board.parse("6x7:44"))
        games = list_live_games(store.path, 1)
        assert [(game.number, game.names, game.position) for game in games] == [
            (0, ("left", "right"), "6x7:4"),
            (1, ("right", "left"), "6x7:4"),
        ]
        seconds += live_games.INTERVAL_S
        writers[0](Board.parse("6x7:444"))
        assert list_live_games(store.path, 1)[1].position == "6x7:444"
        remove_live_games(store.path, 1, 0)
        assert [game.number for game in list_live_games(store.path, 1)] == [1]
    assert list_live_games(store.path, 1) == []
    remove_live_games(store.path, 1)
    assert not Path(f"{store.path}-live").exists()


def test_failed_write_is_ignored(tmp_path: Path) -> None:
    """If the file cannot be written, the game is not listed and no error is raised."""
    (tmp_path / "arena.db-live").write_text("a file instead of the folder")
    make_live_game_writer(tmp_path / "arena.db", 1, next(schedule_games(SPEC)))(Board.parse("6x7"))
    assert list_live_games(tmp_path / "arena.db", 1) == []
