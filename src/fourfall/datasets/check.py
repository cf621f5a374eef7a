"""Checks a data set: every row against the rules, and a sample of the labels against new ones."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fourfall._core import Board, version
from fourfall.cluster.tasks import run_tasks
from fourfall.datasets.labels import Label, label_positions, make_task
from fourfall.datasets.parquet_file import Metadata, open_parquet
from fourfall.datasets.schema import describe_label, describe_position
from fourfall.datasets.staging import StagedPosition
from fourfall.datasets.stones import get_stone_sets, hash_position

Row = dict[str, Any]

_BATCH_ROWS = 4096
_TASK_ROWS = 4
_MAX_MISTAKES = 20


@dataclass(frozen=True)
class CheckResult:
    """Result of a check.

    Attributes:
        rows: number of rows, which were all checked against the rules.
        relabelled: number of rows that were labelled again.
        mistakes: what is wrong, one line for each of the first mistakes.
        is_exact_comparison: whether the new labels must be equal. If the version of Fourfall or the instruction set of
            the network is another one, bounds must overlap, and values of the engine may differ.
        largest_difference: largest difference between an old and a new value of the engine; None without engine labels.
    """

    rows: int
    relabelled: int
    mistakes: tuple[str, ...]
    is_exact_comparison: bool
    largest_difference: float | None


def check_dataset(
    path: Path | str, *, count: int = 20, seed: int = 0, workers: int | None = None, cluster: str | None = None
) -> CheckResult:
    """Check every row of a data set against the rules, and label `count` random rows again.

    `workers` and `cluster` are those of `make_dataset`.
    """
    file, metadata = open_parquet(Path(path))
    rows = file.metadata.num_rows
    chosen = set(random.Random(seed).sample(range(rows), min(count, rows)))  # noqa: S311 (a sample, not a secret)
    mistakes: list[str] = []
    sample: list[tuple[int, Row]] = []
    hashes = np.empty(rows, np.int64)
    if rows != metadata.rows:
        mistakes.append(f"the file has {rows} rows, its metadata say {metadata.rows}")
    with file:
        for number, row in enumerate(_list_rows(file)):
            hashes[number] = row["hash"]
            if len(mistakes) < _MAX_MISTAKES:
                mistakes += (f"row {number} ({row['position']}): {text}" for text in _check_row(row))
            if number in chosen:
                sample.append((number, row))
    values, counts = np.unique(hashes, return_counts=True)
    if len(values) < rows:
        mistakes.append(f"{int((counts > 1).sum())} positions are there more than once")
    comparison = _Comparison(metadata)
    if metadata.settings.labels and not mistakes:
        comparison.run(sample, workers, cluster)
    return CheckResult(
        rows,
        comparison.relabelled,
        tuple((mistakes + comparison.mistakes)[:_MAX_MISTAKES]),
        comparison.is_exact,
        comparison.largest_difference,
    )


def _list_rows(file: Any) -> Iterator[Row]:  # noqa: ANN401 (a file of pyarrow, which has no types)
    for batch in file.iter_batches(_BATCH_ROWS):
        yield from batch.to_pylist()


def _check_row(row: Row) -> Iterator[str]:
    """Yield what is wrong in a row."""
    try:
        board = Board.parse(row["position"])
    except ValueError as error:
        yield f"position: {error}"
        return
    results = None if row["game_wins"] is None else (row["game_wins"], row["game_draws"], row["game_losses"])
    position_hash = hash_position(board.geometry, get_stone_sets(board))
    expected = describe_position(StagedPosition(0, position_hash, row["position"], row["source"], results))
    yield from (f"{name} is {row[name]}, not {value}" for name, value in expected.items() if row[name] != value)
    if board.is_over:
        yield "the game is over"
    if row["lower"] is None:
        return
    if row["lower"] > row["upper"]:
        yield f"lower {row['lower']} is above upper {row['upper']}"
    pairs = list(zip(row["legal"], row["column_lower"], row["column_upper"], strict=True))
    if any((lower is None) == legal or (upper is None) == legal for legal, lower, upper in pairs):
        yield "a column has bounds and is not legal, or is legal and has none"
    elif not board.is_over and max(lower for legal, lower, _ in pairs if legal) > row["upper"]:
        yield "a column has a lower bound above the upper bound of the position"
    if row["policy"] is not None and abs(sum(share or 0 for share in row["policy"]) - 1) > 1e-5:
        yield "the shares of the policy do not add up to 1"


class _Comparison:
    """Compares the labels of a sample with new ones."""

    def __init__(self, metadata: Metadata) -> None:
        self._settings = metadata.settings
        self._instruction_sets = set(metadata.instruction_sets)
        self.is_exact = metadata.settings.version == version
        self.mistakes: list[str] = []
        self.relabelled = 0
        self.largest_difference: float | None = None

    def run(self, sample: list[tuple[int, Row]], workers: int | None, cluster: str | None) -> None:
        """Label the sample again and compare."""
        rows = dict(sample)
        numbers = list(rows)
        tasks = (
            make_task(self._settings, [rows[number]["position"] for number in part], part)
            for part in (numbers[at : at + _TASK_ROWS] for at in range(0, len(numbers), _TASK_ROWS))
        )
        for task, labels in run_tasks(label_positions, tasks, cluster=cluster, workers=workers):
            for number, label in zip(task.ranks, labels, strict=True):
                self._compare(number, rows[number], label)
        self.mistakes.sort()

    def _compare(self, number: int, row: Row, label: Label) -> None:
        self.relabelled += 1
        if label.instruction_set is not None and self._instruction_sets != {label.instruction_set}:
            self.is_exact = False
        if label.value is not None:
            difference = float(abs(np.float32(label.value) - np.float32(row["value"])))
            self.largest_difference = max(self.largest_difference or 0.0, difference)
        new = describe_label(label)
        names = [name for name in new if self.is_exact and not _is_equal(row[name], new[name])]
        if not self.is_exact and not _overlap(row, label):
            names = ["lower", "upper"]
        for name in names:
            self.mistakes.append(f"row {number} ({row['position']}): {name} is {row[name]}, not {new[name]}")


def _is_equal(stored: Any, new: Any) -> bool:  # noqa: ANN401 (a value of any column)
    """Whether values are equal in single precision, the precision of the file."""
    if isinstance(stored, list) and isinstance(new, list | tuple):
        return all(_is_equal(*pair) for pair in zip(stored, new, strict=True))
    if isinstance(stored, float) and isinstance(new, float):
        return bool(np.float32(stored) == np.float32(new))
    return bool(stored == new)


def _overlap(row: Row, label: Label) -> bool:
    """Whether both bounds can be true, of the position and of every column."""
    pairs = [((row["lower"], row["upper"]), label.bounds)]
    columns = zip(row["column_lower"], row["column_upper"], label.column_bounds, strict=True)
    pairs += [((lower, upper), bounds) for lower, upper, bounds in columns if bounds is not None]
    return all(old[0] <= new[1] and new[0] <= old[1] for old, new in pairs)
