"""Tests of the positions of a data set: random openings and positions of games."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from fourfall import Board
from fourfall.arena.jsonl import write_games
from fourfall.arena.record import GameRecord
from fourfall.arena.spec import Spec
from fourfall.datasets import DatasetError, Settings, StoneRange, collect
from fourfall.datasets.staging import StagedPosition, StagingFile
from fourfall.datasets.stones import get_stone_sets, hash_position
from tests.report.generated_event import store_event

Collect = Callable[[Settings], list[StagedPosition]]


@pytest.fixture
def collect_rows(tmp_path: Path) -> Collect:
    """Return a function that returns the positions of a data set in order."""

    def run(settings: Settings) -> list[StagedPosition]:
        with StagingFile(tmp_path / "out.parquet", settings, resume=False) as staging:
            collect.collect_positions(settings.check(), staging, lambda _: None)
            return [position for position, _ in staging.list_rows()]

    return run


@pytest.fixture
def records(tmp_path: Path) -> list[GameRecord]:
    """Store an event of 40 games in arena.db, some of which end with a failure."""
    return store_event(tmp_path / "arena.db", Spec.match("left", "right", pairs=20, boards=["4x4", "4x5@1,1"]))


def test_openings_are_distinct_and_stratified(collect_rows: Collect) -> None:
    """Every number of stones has as many positions; none is a mirror image of another; nobody wins at once."""
    settings = Settings(boards=("5x6", "6x5@3,3"), count=120, stones=StoneRange(6, 11))
    rows = collect_rows(settings)
    boards = [Board.parse(row.position) for row in rows]
    assert Counter((board.rows, board.ply) for board in boards) == Counter(
        {(size, stones): 10 for size in (5, 6) for stones in range(6, 12)}
    )
    seen: set[str] = set()
    for board in boards:
        texts = {str(image).replace(">", " ") for image in (board, board.mirror())}  # '>' marks the last stone
        assert not texts & seen
        seen |= texts
        assert not board.is_over
        assert not board.winning_moves
    assert collect_rows(settings) == rows
    assert collect_rows(replace(settings, seed=1)) != rows


def test_range_of_free_cells(collect_rows: Collect) -> None:
    """--free selects by the number of free cells on boards of all sizes."""
    rows = collect_rows(Settings(official=True, count=20, stones=StoneRange(60, 61, is_free=True)))
    boards = [Board.parse(row.position) for row in rows]
    assert {board.geometry.cells - board.ply for board in boards} == {60, 61}
    assert len({(board.rows, board.cols) for board in boards}) > 5
    assert all(board.hole is not None for board in boards)


def test_opening_of_an_opening_and_immediate_wins(collect_rows: Collect) -> None:
    """Openings continue the given moves; with the option the side to move may win at once."""
    settings = Settings(boards=("4x5:33",), count=200, stones=StoneRange(8, 10), immediate_wins=True)
    boards = [Board.parse(row.position) for row in collect_rows(settings)]
    assert {tuple(board.moves[:2]) for board in boards} == {(2, 2)}
    assert any(board.winning_moves for board in boards)
    assert not any(board.is_over for board in boards)


def test_small_boards_are_exhausted(collect_rows: Collect) -> None:
    """All 2 + 8 positions with one and two stones of 4x4 are found up to mirror images, then the search ends."""
    rows = collect_rows(Settings(boards=("4x4",), count=1000, stones=StoneRange(1, 2)))
    assert Counter(Board.parse(row.position).ply for row in rows) == {1: 2, 2: 8}


def test_empty_range_is_an_error(collect_rows: Collect) -> None:
    """A range that no position of the board has is an error."""
    with pytest.raises(DatasetError, match="no position fits these options"):
        collect_rows(Settings(boards=("4x4",), count=10, stones=StoneRange(16, 20)))


def list_expected(records: list[GameRecord]) -> dict[int, list[int]]:
    """Return wins, draws and losses of the side to move for every unfinished position of the games, by hash."""
    counts: dict[int, list[int]] = {}
    for record in records:
        board = record.final_board
        while True:
            if not board.is_over:
                found = counts.setdefault(hash_position(board.geometry, get_stone_sets(board)), [0, 0, 0])
                if record.ending.value in ("win", "tie"):
                    found[1 if record.winner is None else 0 if record.winner == board.turn else 2] += 1
            if not board.ply:
                break
            board.pop()
    return counts


def test_all_positions_of_games(tmp_path: Path, collect_rows: Collect, records: list[GameRecord]) -> None:
    """Every unfinished position is there once, with the results of the games that ended on the board."""
    rows = collect_rows(Settings(games=str(tmp_path / "arena.db")))
    assert {row.hash: list(row.results or ()) for row in rows} == list_expected(records)
    for row in rows:
        board = Board.parse(row.position)
        assert hash_position(board.geometry, get_stone_sets(board)) == row.hash
        assert records[row.source - 1].final_board.moves[: board.ply] == board.moves


def test_sample_of_games(
    tmp_path: Path, collect_rows: Collect, records: list[GameRecord], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sample is the beginning of the whole list, also if positions are dropped while the games are read."""
    settings = Settings(games=str(tmp_path / "arena.db"), seed=5)
    rows = collect_rows(settings)
    assert collect_rows(replace(settings, count=30)) == rows[:30]
    monkeypatch.setattr(collect, "_PRUNE_ROWS", 25)
    assert collect_rows(replace(settings, count=30)) == rows[:30]
    assert {row.hash for row in collect_rows(replace(settings, count=30, seed=6))} != {row.hash for row in rows[:30]}


def test_exported_games_give_the_same_positions(
    tmp_path: Path, collect_rows: Collect, records: list[GameRecord]
) -> None:
    """A JSON Lines file has the positions of the database; the source is the number of the game in the file."""
    write_games(tmp_path / "games.jsonl", records)
    stored = collect_rows(Settings(games=str(tmp_path / "arena.db"), count=50, stones=StoneRange(3, 9)))
    exported = collect_rows(Settings(games=str(tmp_path / "games.jsonl"), count=50, stones=StoneRange(3, 9)))
    assert [replace(row, source=row.source - 1) for row in stored] == exported
    assert all(3 <= Board.parse(row.position).ply <= 9 for row in stored)
    with pytest.raises(DatasetError, match="an event needs a database"):
        collect_rows(Settings(games=str(tmp_path / "games.jsonl"), event=1))
