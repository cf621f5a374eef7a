"""Tests that the check of a data set finds mistakes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from fourfall.datasets import check_dataset

Rows = list[dict[str, Any]]


def test_correct_file_has_no_mistakes(exact_file: Path) -> None:
    """All rows are checked, and a sample is labelled again with the same result."""
    result = check_dataset(exact_file, count=6, workers=1)
    assert (result.rows, result.relabelled, result.mistakes) == (40, 6, ())
    assert result.is_exact_comparison


def _change_distance(rows: Rows) -> None:
    for row in rows:
        row["column_lower"] = [None if score is None else score - (score > 0) for score in row["column_lower"]]


def _remove_stone(rows: Rows) -> None:
    rows[7]["own_stones"] = bytes(18)


def _move_to_other_split(rows: Rows) -> None:
    rows[7]["split"] = "test" if rows[7]["split"] == "train" else "train"


def _repeat_row(rows: Rows) -> None:
    rows[7] = rows[8]


def _swap_bounds(rows: Rows) -> None:
    rows[7]["lower"], rows[7]["upper"] = 5, -5


def _label_full_column(rows: Rows) -> None:
    rows[7]["column_lower"] = [0] * 12


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_change_distance, "column_lower is"),
        (_remove_stone, "own_stones is"),
        (_move_to_other_split, "split is"),
        (_repeat_row, "more than once"),
        (_swap_bounds, "lower 5 is above upper -5"),
        (_label_full_column, "is not legal"),
    ],
)
def test_mistake_is_found(tmp_path: Path, exact_file: Path, change: Callable[[Rows], None], message: str) -> None:
    """A changed file has a mistake that names the row and the column."""
    table = pq.read_table(exact_file)
    rows = table.to_pylist()
    change(rows)
    path = tmp_path / "changed.parquet"
    pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), path)
    mistakes = check_dataset(path, count=4, workers=1).mistakes
    assert any(message in mistake for mistake in mistakes), mistakes
