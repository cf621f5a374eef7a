"""Owns the tests of games in progress: they can be watched, and watching never disturbs them."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from fourfall import Board
from fourfall.arena import live
from fourfall.arena.schedule import schedule
from fourfall.arena.spec import match_spec
from fourfall.arena.store import Store

SPEC = match_spec("left", "right", 50)


def test_games_in_progress_can_be_watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A watched game is listed while its event is run, at a bounded rate, and gone when it ends or nobody runs it."""
    seconds = 100.0
    monkeypatch.setattr(live, "time", SimpleNamespace(monotonic=lambda: seconds))
    first, second = list(schedule(SPEC))[:2]
    with Store(tmp_path / "arena.db") as store, store.claim(store.create_event(SPEC)):
        watches = [live.watcher(store.path, 1, game) for game in (second, first)]
        for watch in watches:
            watch(Board.parse("6x7:4"))
            watch(Board.parse("6x7:44"))
        games = live.live(store.path, 1)
        assert [(game.number, game.names, game.board) for game in games] == [
            (0, ("left", "right"), "6x7:4"),
            (1, ("right", "left"), "6x7:4"),
        ]
        seconds += live.INTERVAL_S
        watches[0](Board.parse("6x7:444"))
        assert live.live(store.path, 1)[1].board == "6x7:444"
        live.forget(store.path, 1, 0)
        assert [game.number for game in live.live(store.path, 1)] == [1]
    assert live.live(store.path, 1) == []
    live.forget(store.path, 1)
    assert not Path(f"{store.path}-live").exists()


def test_watching_never_stops_a_game(tmp_path: Path) -> None:
    """Where nothing can be written the board is simply not shown."""
    (tmp_path / "arena.db-live").write_text("in the way")
    live.watcher(tmp_path / "arena.db", 1, next(schedule(SPEC)))(Board.parse("6x7"))
    assert live.live(tmp_path / "arena.db", 1) == []
