"""Reads and writes the records of an experiment as compressed JSON Lines (``.jsonl.xz``).

A committed record keeps what the result depends on: agents, board, moves, seeds, ending. Times and scores are left out,
because they take most of the space and differ between machines.
"""

import lzma
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from fourfall.arena.jsonl import format_line
from fourfall.arena.output_file import write_bytes
from fourfall.arena.record import GameRecord, RecordError
from fourfall.experiments.experiment import ExperimentError


def write_records(path: Path, records: Iterable[GameRecord]) -> int:
    """Write records without times and scores, ordered by number; return how many."""
    lines = [format_line(_strip_times(record)) for record in sorted(records, key=lambda record: record.number)]
    write_bytes(path, lzma.compress("".join(f"{line}\n" for line in lines).encode(), preset=9))
    return len(lines)


def read_records(path: Path) -> list[GameRecord]:
    """Read the records of a compressed file; ExperimentError names the file and the line of a mistake."""
    try:
        lines = lzma.decompress(path.read_bytes()).decode().splitlines()
    except OSError as error:
        raise ExperimentError(f"{path}: {error.strerror}") from None
    except (lzma.LZMAError, UnicodeDecodeError):
        raise ExperimentError(f"{path}: not a text file compressed by xz") from None
    records = []
    for number, line in enumerate(lines, 1):
        try:
            records.append(GameRecord.from_json(line))
        except RecordError as error:
            raise ExperimentError(f"{path}, line {number}: {error}") from None
    return records


def _strip_times(record: GameRecord) -> GameRecord:
    moves = len(record.times_ms)
    return replace(
        record.without_times(),
        times_ms=(0.0,) * moves,
        scores=(None,) * len(record.scores),
        started=f"{record.started[:10]}T00:00:00+00:00",
    )
