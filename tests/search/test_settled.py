"""Owns the truth of the settled set, and what the flagship makes of it."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from fourfall import Engine, Limit, solve

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "settled.py"


@pytest.fixture(scope="module")
def settled() -> ModuleType:
    """Load the script that owns the set."""
    spec = importlib.util.spec_from_file_location("settled", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["settled"] = module
    spec.loader.exec_module(module)
    return module


def test_the_set_is_what_it_says(settled: ModuleType) -> None:
    """Thousands of different unfinished positions of every official size with 20 to 40 free cells."""
    records = list(settled.load())
    assert len(records) > 2000
    assert len({record.board.notation for record in records}) == len(records)
    assert {(record.board.rows, record.board.cols) for record in records} == {
        (rows, cols) for rows in range(9, 13) for cols in range(9, 13)
    }
    for record in records:
        assert not record.board.is_over
        assert record.board.hole is not None
        assert 20 <= settled.free_cells(record.board) <= 40
        legal = [column for column, score in enumerate(record.columns) if score is not None]
        assert legal == record.board.legal_moves


def test_the_solver_agrees(settled: ModuleType) -> None:
    """Solved again, positions of the set have the same score in every column."""
    for record in [record for record in settled.load() if settled.free_cells(record.board) <= 22][::40]:
        again = {column.column: column.score for column in solve(record.board, columns=True).columns}
        assert again == {column: score for column, score in enumerate(record.columns) if score is not None}


def test_the_flagship_is_right_about_what_it_proves(settled: ModuleType) -> None:
    """Whatever it calls proven in a short search is so, and it proves most of the set."""
    engine = Engine("fourfall-classic", seed=1, memory_mb=16)
    records = list(settled.load())[::29]
    proved = 0
    for record in records:
        analysis = engine.analyse(record.board, Limit(simulations=3000))
        proved += analysis.score.is_exact
        for column in analysis.columns:
            truth = record.columns[column.column]
            if column.score.is_exact:
                assert column.score.value == truth.value
                assert column.score.distance >= truth.distance
    assert proved > len(records) / 2
