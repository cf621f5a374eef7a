"""Counts the rows of a data set by board, split, outcome and number of stones."""

from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from fourfall.datasets.parquet_file import Metadata, open_parquet

_COLUMNS = ("rows", "cols", "hole_row", "stones", "split", "outcome", "exact")
_BATCH_ROWS = 65_536


@dataclass
class Summary:
    """Numbers of rows of a data set.

    Attributes:
        metadata: what the file says about itself.
        size_bytes: size of the file.
        boards: rows by size of the board, such as "6x7", or "9x10 with a hole".
        splits: rows by split.
        outcomes: rows by "win", "draw", "loss" of the player to move, and "unknown".
        exact: rows whose score is exact.
        stones: rows by number of stones.
    """

    metadata: Metadata
    size_bytes: int
    boards: Counter[str] = field(default_factory=Counter)
    splits: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    exact: int = 0
    stones: Counter[int] = field(default_factory=Counter)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return self.stones.total()

    def to_dict(self) -> dict[str, Any]:
        """Return the summary as plain data for JSON."""
        counters = {name: dict(getattr(self, name)) for name in ("boards", "splits", "outcomes", "stones")}
        return {
            "metadata": asdict(self.metadata),
            "rows": self.rows,
            "size_bytes": self.size_bytes,
            "exact": self.exact,
            **counters,
        }


def summarise(path: Path | str) -> Summary:
    """Count the rows of a data set."""
    file, metadata = open_parquet(Path(path))
    summary = Summary(metadata, Path(path).stat().st_size)
    with file:
        for batch in file.iter_batches(_BATCH_ROWS, columns=list(_COLUMNS)):
            values = batch.to_pydict()
            sizes = zip(values["rows"], values["cols"], values["hole_row"], strict=True)
            summary.boards.update(_name_board(*size) for size in sizes)
            summary.splits.update(values["split"])
            summary.outcomes.update(map(_name_outcome, values["outcome"]))
            summary.exact += sum(values["exact"])
            summary.stones.update(values["stones"])
    return summary


def _name_board(rows: int, cols: int, hole_row: int | None) -> str:
    return f"{rows}x{cols}" if hole_row is None else f"{rows}x{cols} with a hole"


def _name_outcome(outcome: int | None) -> str:
    return "unknown" if outcome is None else ("draw", "win", "loss")[outcome]
