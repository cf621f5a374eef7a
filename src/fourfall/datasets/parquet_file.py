"""Writes the rows of a staging file as Parquet, and opens data sets."""

import itertools
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fourfall.arena.output_file import stage_output
from fourfall.datasets.errors import DatasetError, DatasetFailure
from fourfall.datasets.labels import Label
from fourfall.datasets.schema import FORMAT, METADATA_KEY, import_pyarrow, make_schema, make_table
from fourfall.datasets.settings import Settings
from fourfall.datasets.staging import StagedPosition, StagingFile
from fourfall.engine import Engine

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

ROW_GROUP = 65_536
"""Rows of a row group, which readers load as a whole."""
_CHUNK = 4096


@dataclass(frozen=True)
class Metadata:
    """What the metadata of a file say.

    Attributes:
        settings: everything that the rows depend on.
        command: the command that makes the same rows.
        rows: number of rows.
        evaluator: "network" or "rollouts", how the engine evaluates; None without engine labels.
        instruction_sets: instruction sets of the network on the machines that made the labels.
        weights: SHA-256 checksum of the network's weights; None without a network.
    """

    settings: Settings
    command: str
    rows: int
    evaluator: str | None
    instruction_sets: tuple[str, ...]
    weights: str | None


def write_parquet(
    path: Path, settings: Settings, staging: StagingFile, report: Callable[[int], None] = lambda rows: None
) -> int:
    """Write the data set, which appears or replaces another file only when complete; return the number of rows."""
    rows, _ = staging.count()
    instruction_sets = {label.instruction_set for _, label in staging.list_rows() if label is not None}
    metadata = _make_metadata(settings, rows, sorted(name for name in instruction_sets if name is not None))
    schema = make_schema().with_metadata({METADATA_KEY: json.dumps(metadata, sort_keys=True).encode()})
    try:
        with stage_output(path) as partial, partial.open("wb") as file:
            _write_rows(file, schema, staging, report)
    except OSError as error:
        raise DatasetFailure(
            f"{path}: {os.strerror(error.errno) if error.errno else error}; "
            f"the labels are kept in {staging.path}: add --resume to write them"
        ) from None
    return rows


def _write_rows(file: Any, schema: "pa.Schema", staging: StagingFile, report: Callable[[int], None]) -> None:  # noqa: ANN401
    pa = import_pyarrow()
    rows: Iterator[tuple[StagedPosition, Label | None]] = staging.list_rows()
    written = 0
    with pa.parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        while group := _read_group(rows, schema):
            table = pa.concat_tables(group)
            writer.write_table(table, row_group_size=ROW_GROUP)
            written += len(table)
            report(written)


def _read_group(rows: Iterator[tuple[StagedPosition, Label | None]], schema: "pa.Schema") -> list["pa.Table"]:
    """Return the tables of the next row group; rows are made in chunks, because Python objects need more memory."""
    chunks = (list(itertools.islice(rows, _CHUNK)) for _ in range(ROW_GROUP // _CHUNK))
    return [make_table(chunk, schema) for chunk in chunks if chunk]


def _make_metadata(settings: Settings, rows: int, instruction_sets: list[str]) -> dict[str, object]:
    engine = Engine(settings.engine) if "engine" in settings.labels else None
    network = None if engine is None else engine.network
    return {
        "format": FORMAT,
        "command": settings.command,
        "settings": json.loads(settings.to_json()),
        "rows": rows,
        "evaluator": None if engine is None else engine.evaluator,
        "instruction_sets": instruction_sets,
        "weights": None if network is None else network.digest,
    }


def open_parquet(path: Path) -> tuple["pq.ParquetFile", Metadata]:
    """Open a data set and read its metadata; DatasetError if the file is something else."""
    pa = import_pyarrow()
    try:
        file = pa.parquet.ParquetFile(path)
    except OSError as error:
        raise DatasetError(f"{path}: {os.strerror(error.errno) if error.errno else error}") from None
    except pa.ArrowInvalid:
        raise DatasetError(f"{path}: not a Parquet file, or damaged") from None
    text = (file.schema_arrow.metadata or {}).get(METADATA_KEY)
    if text is None:
        raise DatasetError(f"{path}: a Parquet file, but not a data set of fourfall")
    values = json.loads(text)
    if values["format"] > FORMAT:
        raise DatasetError(f"{path}: written by a newer version of fourfall (format {values['format']})")
    return file, Metadata(
        Settings.from_dict(values["settings"]),
        values["command"],
        values["rows"],
        values["evaluator"],
        tuple(values["instruction_sets"]),
        values["weights"],
    )
