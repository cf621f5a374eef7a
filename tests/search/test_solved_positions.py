"""Tests the solved positions of the benchmark: their content, agreement with the solver, and an engine's proofs."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from fourfall import Engine, Limit, solve

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "solved_positions.py"


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    """Load the script that reads the positions."""
    spec = importlib.util.spec_from_file_location("solved_positions", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["solved_positions"] = module
    spec.loader.exec_module(module)
    return module


def test_positions_have_the_documented_properties(benchmark: ModuleType) -> None:
    """Thousands of different unfinished positions of every official size with 20 to 40 free cells."""
    records = list(benchmark.load())
    assert len(records) > 2000
    assert len({record.board.notation for record in records}) == len(records)
    assert {(record.board.rows, record.board.cols) for record in records} == {
        (rows, cols) for rows in range(9, 13) for cols in range(9, 13)
    }
    for record in records:
        assert not record.board.is_over
        assert record.board.hole is not None
        assert 20 <= benchmark.free_cells(record.board) <= 40
        legal = [column for column, score in enumerate(record.columns) if score is not None]
        assert legal == record.board.legal_moves


def test_header_of_the_file_is_current(benchmark: ModuleType) -> None:
    """The file starts with the header that the script writes."""
    assert benchmark.FILE.read_text().startswith(benchmark.HEADER)


def test_scores_agree_with_solver(benchmark: ModuleType) -> None:
    """Solved again, positions of the set have the same score in every column."""
    for record in [record for record in benchmark.load() if benchmark.free_cells(record.board) <= 22][::40]:
        again = {column.column: column.score for column in solve(record.board, columns=True).columns}
        assert again == {column: score for column, score in enumerate(record.columns) if score is not None}


def test_proofs_of_the_engine_are_correct(benchmark: ModuleType) -> None:
    """Every result that a short search proves is correct, and it proves most of the positions."""
    engine = Engine("fourfall-classic", seed=1, memory_mb=16)
    records = list(benchmark.load())[::29]
    proven = 0
    for record in records:
        analysis = engine.search(record.board, Limit(simulations=3000))
        proven += analysis.score.is_exact
        for column in analysis.columns:
            exact = record.columns[column.column]
            if column.score.is_exact:
                assert column.score.value == exact.value
                assert column.score.distance >= exact.distance
    assert proven > len(records) / 2
