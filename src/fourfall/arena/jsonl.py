"""Reads and writes game records as JSON Lines, one record per line."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from fourfall.arena.record import GameRecord, RecordError


def write_games(path: Path, records: Iterable[GameRecord]) -> int:
    """Write records to a file, which appears or is replaced only when complete; return their number."""
    target = path.resolve()
    # A device or a pipe cannot be replaced by renaming; it is written directly.
    partial = target.with_name(f".{target.name}.{os.getpid()}") if target.is_file() or not target.exists() else target
    count = 0
    try:
        with partial.open("w", encoding="utf-8") as file:
            for record in records:
                file.write(record.to_json() + "\n")
                count += 1
        if partial != target:
            partial.replace(target)
    except BaseException as error:
        if partial != target:
            partial.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise
    return count


def read_games(path: Path) -> Iterator[GameRecord]:
    """Yield the records of a file; RecordError names the file and the line."""
    lines: dict[int, int] = {}
    try:
        with path.open(encoding="utf-8") as file:
            for line, text in enumerate(file, 1):
                if not text.strip():
                    continue
                try:
                    record = GameRecord.from_json(text)
                except RecordError as error:
                    raise RecordError(f"{path}:{line}: {error}") from None
                if record.number in lines:
                    first = lines[record.number]
                    raise RecordError(f"{path}:{line}: game {record.number} is already on line {first}")
                lines[record.number] = line
                yield record
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise RecordError(f"{path}: not a text file") from None


def read_game(path: Path, line: int) -> GameRecord:
    """Read the record on one line of a file; lines are counted from 1."""
    try:
        with path.open(encoding="utf-8") as file:
            for number, text in enumerate(file, 1):
                if number == line:
                    return GameRecord.from_json(text)
    except RecordError as error:
        raise RecordError(f"{path}:{line}: {error}") from None
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise RecordError(f"{path}: not a text file") from None
    raise RecordError(f"{path}:{line}: the file has fewer lines")
