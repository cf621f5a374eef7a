"""Tests of the arrays that `read` returns, and of the schema that the documentation lists."""

import re
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from fourfall import Board, BoardBatch
from fourfall.datasets import COLUMNS, DatasetError, Settings, make_dataset, read, read_batches
from fourfall.datasets.schema import make_schema

DOCS = Path(__file__).parents[2] / "docs" / "datasets.md"


def test_planes_are_those_of_a_batch(exact_file: Path, tmp_path: Path) -> None:
    """`make_planes` computes from the columns what BoardBatch computes from the boards, also on mixed sizes."""
    data = read(exact_file)
    assert np.array_equal(data.make_planes(), BoardBatch.from_boards(data.boards, dtype="uint8").planes)
    make_dataset(tmp_path / "official.parquet", Settings(official=True, count=60, labels=(), immediate_wins=True))
    data = read(tmp_path / "official.parquet")
    assert np.array_equal(data.make_planes(), BoardBatch.from_boards(data.boards, dtype="uint8").planes)
    with pytest.raises(ValueError, match="do not fit into 6x7 planes"):
        data.make_planes(6, 7)


def test_arrays_have_the_labels(exact_file: Path) -> None:
    """Numbers of the columns are NaN exactly where a column is full or absent; the best column has the score."""
    data = read(exact_file)
    assert data["legal"].shape == data["column_lower"].shape == (40, 12)
    for name in ("column_lower", "column_upper", "column_outcome"):
        assert np.array_equal(np.isnan(data[name]), ~data["legal"])
    assert data["exact"].all()
    assert np.array_equal(np.nanmax(data["column_lower"], axis=1), data["lower"])
    assert np.array_equal(np.sign(data["lower"]), data["outcome"])
    decided = data["outcome"] != 0
    assert np.array_equal(1000 - np.abs(data["lower"][decided]), data["distance"][decided])
    assert np.isnan(data["distance"][~decided]).all()
    assert np.isnan(data["policy"]).all()
    assert np.isnan(data["game_wins"]).all()
    for board, rows, player, stones in zip(data.boards, data["rows"], data["player"], data["stones"], strict=True):
        assert (board.rows, board.turn, board.ply) == (rows, player, stones)
    with pytest.raises(KeyError, match="there is no column 'colour'"):
        data["colour"]


def test_batches_and_splits(exact_file: Path) -> None:
    """Batches together have all rows; a split has its rows only."""
    data = read(exact_file)
    batches = list(read_batches(exact_file, rows=16))
    assert [len(batch) for batch in batches] == [16, 16, 8]
    assert np.concatenate([batch["hash"] for batch in batches]).tolist() == data["hash"].tolist()
    parts = [read(exact_file, split) for split in ("train", "validation", "test")]
    assert [set(part["split"]) <= {name} for part, name in zip(parts, ("train", "validation", "test"), strict=True)]
    assert sum(map(len, parts)) == 40
    assert sum(map(len, read_batches(exact_file, "train", rows=7))) == len(parts[0])
    with pytest.raises(DatasetError, match="there is no split 'dev'"):
        read(exact_file, "dev")


def test_metadata(exact_file: Path) -> None:
    """The metadata have the command, the seed and the version, and no time or folder."""
    metadata = read(exact_file).metadata
    assert metadata.command == (
        "fourfall dataset make OUT.parquet --board 4x5 --board 5x4@2,1 --count 40 --seed 3 --label solver "
        "--positions 1000000"
    )
    assert (metadata.rows, metadata.instruction_sets, metadata.evaluator) == (40, (), None)


def test_other_files_are_refused(tmp_path: Path, exact_file: Path) -> None:
    """A missing file, text, a damaged data set and another Parquet file give an error that names the file."""
    other = tmp_path / "other.parquet"
    with pytest.raises(DatasetError, match=r"other\.parquet: No such file"):
        read(other)
    other.write_text("text")
    with pytest.raises(DatasetError, match="not a Parquet file"):
        read(other)
    other.write_bytes(exact_file.read_bytes()[:-100])
    with pytest.raises(DatasetError, match="not a Parquet file, or damaged"):
        read(other)
    pq.write_table(pa.table({"a": [1]}), other)
    with pytest.raises(DatasetError, match="not a data set of fourfall"):
        read(other)


def test_documentation_lists_the_schema() -> None:
    """The table of docs/datasets.md has every column with its type and meaning."""
    types = {field.name: str(field.type) for field in make_schema()}
    lines = DOCS.read_text(encoding="utf-8").splitlines()
    for column in COLUMNS:
        kind = re.sub(r"fixed_size_list<(?:item|element): (\w+)>\[12\]", r"\1[12]", types[column.name])
        kind = kind.replace("fixed_size_binary[18]", "binary[18]").replace("float", "float32")
        assert f"| `{column.name}` | {kind} | {column.meaning} |" in lines


def test_stored_position_is_the_board(exact_file: Path) -> None:
    """The bit sets can be read without the package: bit 12 * row + col, the lowest bits first."""
    for row in pq.read_table(exact_file).to_pylist()[:10]:
        board = Board.parse(row["position"])
        own = int.from_bytes(row["own_stones"], "little")
        stones = {(bit // 12, bit % 12) for bit in range(144) if own >> bit & 1}
        cells = [(r, c) for r in range(board.rows) for c in range(board.cols)]
        assert stones == {cell for cell in cells if board.stone_at(*cell) == board.turn}
