"""Tests of the counts of results: pairs, orders, databases, damaged rows and bounded memory."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from fourfall.arena import rating_input
from fourfall.arena.rating_input import RatingInput
from fourfall.arena.ratings import ResultCounts
from fourfall.arena.record import EXAMPLE, GameRecord
from fourfall.arena.spec import Spec
from fourfall.arena.store import Store, StoreError

SECOND = replace(EXAMPLE, number=1, names=("right", "left"), winner=None)
ALONE = replace(EXAMPLE, number=2, pair=1, winner=1)


def write_database(path: Path, *events: list[GameRecord]) -> Path:
    """Write events with these games."""
    with Store(path) as store:
        for records in events:
            event = store.create_event(Spec.match("left", "right", pairs=5))
            for record in records:
                store.add_game(event, record)
    return path


def test_pairs_of_all_results() -> None:
    """The counts distinguish who moved first and what both games of a pair ended with, in any order of arrival."""
    for order in (1, -1):
        results = RatingInput()
        games = [("b", "a", 0, 7), ("a", "b", 1, 7), ("a", "b", None, 8)]
        for game in games[::order]:
            results.add(*game)
        assert results.get_pairings() == {("a", "b"): (0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0)}
        assert (results.games, results.pairs, results.unpaired) == (3, 1, 1)
        assert results.count_results() == {"b": ResultCounts(2, 1, 0), "a": ResultCounts(0, 1, 2)}


def test_games_that_are_not_a_pair() -> None:
    """Two games with the same first player are single games; games against oneself are left out."""
    results = RatingInput()
    for game in (("a", "b", 0, 1), ("a", "b", 1, 1), ("c", "c", 0, 2)):
        results.add(*game)
    assert results.get_pairings() == {("a", "b"): (0,) * 9 + (1, 0, 1, 0, 0, 0)}
    assert (results.self_play, results.names) == (1, ["a", "b"])


def test_waiting_games_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games without a second game do not fill the memory: the oldest ones are counted as single games."""
    monkeypatch.setattr(rating_input, "_MAX_WAITING", 10)
    results = RatingInput()
    for at in range(1000):
        results.add("a", "b", 0, at)
        assert len(results._waiting) <= 10
    results.add("b", "a", 1, 999)
    assert (results.games, results.pairs, results.unpaired) == (1001, 1, 999)
    assert results.count_results()["a"] == ResultCounts(1001, 0, 0)


def test_databases_are_combined(tmp_path: Path) -> None:
    """Agents of one name in several events and databases are one agent; pairs of different events are different."""
    one = write_database(tmp_path / "one.db", [EXAMPLE, SECOND, ALONE], [EXAMPLE])
    other = write_database(tmp_path / "other.db", [SECOND])
    together = RatingInput.from_stores([one, other])
    assert (together.games, together.pairs, together.names) == (5, 1, ["left", "right"])
    assert RatingInput.from_stores([one], [2]).games == 1
    assert RatingInput.from_stores([one], [1, 2]).games == 4
    with Store(one, read_only=True) as store:
        assert RatingInput.from_stores([store]).games == 4
    apart = RatingInput.from_stores([one, other], keep_apart=True)
    assert sorted(apart.names) == sorted(f"{name} ({path})" for name in ("left", "right") for path in (one, other))
    with pytest.raises(StoreError, match="there is no event 3"):
        RatingInput.from_stores([one], [3])


def test_damaged_rows_are_left_out(tmp_path: Path) -> None:
    """Rows with impossible values are counted and left out; a damaged record does not matter, only columns are read."""
    path = write_database(tmp_path / "arena.db", [EXAMPLE, SECOND, ALONE])
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE games SET winner = 7 WHERE id = 1")
        connection.execute("UPDATE games SET first = x'00ff' WHERE id = 2")
        connection.execute("UPDATE games SET record = '{' WHERE id = 3")
    connection.close()
    results = RatingInput.from_stores([path])
    assert (results.games, results.damaged) == (1, {str(path): 2})


def test_records_of_an_event() -> None:
    """Records give the same counts as a database; scheduled agents without games are included."""
    results = RatingInput.from_records([EXAMPLE, SECOND, ALONE], ["late"])
    assert (results.names, results.pairs, results.unpaired) == (["late", "left", "right"], 1, 1)
    assert results.count_results()["late"].games == 0
