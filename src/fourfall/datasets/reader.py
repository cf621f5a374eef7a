"""Reads data sets into NumPy arrays, whole or in batches."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fourfall._core import Board
from fourfall.datasets.errors import DatasetError
from fourfall.datasets.parquet_file import Metadata, open_parquet
from fourfall.datasets.schema import COLUMNS, Column, import_pyarrow
from fourfall.datasets.stones import SET_BYTES, SIZE, SPLITS

if TYPE_CHECKING:
    import pyarrow as pa

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Dataset:
    """Rows of a data set as NumPy arrays.

    `dataset["outcome"]` is the array of a column (see `COLUMNS`). Numbers that may be null are floats; NaN is null.
    Bit sets of stones have the shape (rows, 12, 12) with zeros and ones, columns with one value per column of the board
    the shape (rows, 12).

    Attributes:
        metadata: what the file says about itself.
        arrays: the arrays by the name of the column.
    """

    metadata: Metadata
    arrays: Mapping[str, Array]

    def __len__(self) -> int:
        return len(next(iter(self.arrays.values())))

    def __getitem__(self, name: str) -> Array:
        try:
            return self.arrays[name]
        except KeyError:
            raise KeyError(f"there is no column {name!r}; the columns are {', '.join(self.arrays)}") from None

    @cached_property
    def boards(self) -> list[Board]:
        """The positions as boards, with their moves."""
        return [Board.parse(text) for text in self["position"]]

    def make_planes(self, rows: int = SIZE, cols: int = SIZE) -> NDArray[np.uint8]:
        """Return the planes of `BoardBatch.planes` as an array of shape (rows of the data set, 4, rows, cols).

        Plane 0: stones of the side to move. 1: stones of the opponent. 2: cells on which the next stone can land.
        3: cells that are blocked, which are the hole and the cells outside a smaller board. Row 0 is the top row; a
        smaller board is in the top left corner. Raises ValueError if a board does not fit into `rows` and `cols`.
        """
        heights, widths = self["rows"][:, None], self["cols"][:, None]
        if len(self) and (heights.max() > rows or widths.max() > cols):
            raise ValueError(f"boards up to {heights.max()}x{widths.max()} do not fit into {rows}x{cols} planes")
        row, col = np.arange(rows), np.arange(cols)
        blocked = (row >= heights)[:, :, None] | (col >= widths)[:, None, :]
        blocked |= (row == self["hole_row"][:, None])[:, :, None] & (col == self["hole_col"][:, None])[:, None, :]
        own, opposing = (self[name][:, :rows, :cols] for name in ("own_stones", "opposing_stones"))
        is_free = ~blocked & (own == 0) & (opposing == 0)
        is_lowest = np.cumsum(is_free[:, ::-1], axis=1)[:, ::-1] == 1
        return np.stack([own, opposing, is_free & is_lowest, blocked], axis=1).astype(np.uint8)


def read(path: Path | str, split: str | None = None) -> Dataset:
    """Read a data set, or one split of it: "train", "validation" or "test".

    >>> import tempfile
    >>> from fourfall.datasets import Settings, make_dataset
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     rows = make_dataset(f"{folder}/small.parquet", Settings(boards=("4x5",), count=10), workers=1)
    ...     data = read(f"{folder}/small.parquet")
    >>> len(data), data["column_outcome"].shape, data.make_planes(4, 5).shape
    (10, (10, 12), (10, 4, 4, 5))
    >>> data.boards[0].notation == data["position"][0]
    True
    """
    pa = import_pyarrow()
    file, metadata = open_parquet(Path(path))
    with file:
        return _make_dataset(metadata, _select(file.read(), split, pa))


def read_batches(path: Path | str, split: str | None = None, *, rows: int = 65_536) -> Iterator[Dataset]:
    """Yield a data set, or one split of it, in batches of at most `rows` rows, for files larger than the memory."""
    pa = import_pyarrow()
    file, metadata = open_parquet(Path(path))
    with file:
        for batch in file.iter_batches(rows):
            table = _select(pa.Table.from_batches([batch]), split, pa)
            if len(table):
                yield _make_dataset(metadata, table)


def _select(table: "pa.Table", split: str | None, pa: Any) -> "pa.Table":  # noqa: ANN401 (a module)
    if split is None:
        return table
    if split not in SPLITS:
        raise DatasetError(f"there is no split {split!r}; choose one of {', '.join(SPLITS)}")
    import pyarrow.compute

    return table.filter(pyarrow.compute.equal(table["split"], split))


def _make_dataset(metadata: Metadata, table: "pa.Table") -> Dataset:
    arrays = {column.name: _make_array(column, table[column.name].combine_chunks()) for column in COLUMNS}
    return Dataset(metadata, arrays)


def _make_array(column: Column, values: Any) -> Array:  # noqa: ANN401 (an array of pyarrow, which has no types)
    import pyarrow.compute

    if column.type == "stones":
        sets = np.frombuffer(b"".join(values.to_pylist()), np.uint8).reshape(-1, SET_BYTES)
        return np.unpackbits(sets, axis=1, bitorder="little").reshape(-1, SIZE, SIZE)
    if column.type == "string":
        return np.array(values.to_pylist(), dtype=object)
    if column.per_column:
        # A null list has no values in the child array; filling it keeps twelve values for each row.
        if values.null_count:
            values = pyarrow.compute.fill_null(values, pyarrow.scalar([None] * SIZE, values.type))
        return _make_numbers(column, values.flatten()).reshape(-1, SIZE)
    return _make_numbers(column, values)


def _make_numbers(column: Column, values: Any) -> Array:  # noqa: ANN401
    if not column.is_nullable:
        return np.array(values.to_numpy(zero_copy_only=False))
    wide = column.type in ("int32", "int64")
    target = "float64" if wide else "float32"
    return np.array(values.cast(target, safe=False).to_numpy(zero_copy_only=False))
