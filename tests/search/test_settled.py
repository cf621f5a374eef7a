"""The set of solved positions: its contents, its scores, and the proofs of the flagship engine on it."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from fourfall import Engine, Limit, solve

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "settled.py"


@pytest.fixture(scope="module")
def settled() -> ModuleType:
    """Import the script benchmarks/settled.py, which reads the set."""
    spec = importlib.util.spec_from_file_location("settled", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["settled"] = module
    spec.loader.exec_module(module)
    return module


def test_set_has_the_documented_contents(settled: ModuleType) -> None:
    """The set has over 2000 different unfinished positions of all official sizes with 20 to 40 free cells."""
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


def test_solver_gives_the_scores_of_the_set(settled: ModuleType) -> None:
    """The solver gives the stored score for every column of a sample of the set."""
    for record in [record for record in settled.load() if settled.free_cells(record.board) <= 22][::40]:
        solved = {column.column: column.score for column in solve(record.board, columns=True).columns}
        assert solved == {column: score for column, score in enumerate(record.columns) if score is not None}


def test_proofs_of_the_flagship_are_right(settled: ModuleType) -> None:
    """Proofs of a short search agree with the set, and the engine proves more than half of the sample."""
    engine = Engine("fourfall-classic", seed=1, memory_mb=16)
    records = list(settled.load())[::29]
    proven = 0
    for record in records:
        analysis = engine.analyse(record.board, Limit(simulations=3000))
        proven += analysis.score.is_exact
        for column in analysis.columns:
            truth = record.columns[column.column]
            if column.score.is_exact:
                assert column.score.value == truth.value
                assert column.score.distance >= truth.distance
    assert proven > len(records) / 2
