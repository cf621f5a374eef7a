"""Owns games as JSON Lines: one record a line, written whole or not at all, read strictly."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from fourfall.arena.record import GameRecord, RecordError


def write_games(path: Path, records: Iterable[GameRecord]) -> int:
    """Write records to a file, which appears only when it is complete; how many there were."""
    target = path.resolve()
    # A device or a pipe is written as it is; a file is replaced as a whole.
    half = target.with_name(f".{target.name}.{os.getpid()}") if target.is_file() or not target.exists() else target
    count = 0
    try:
        with half.open("w", encoding="utf-8") as file:
            for record in records:
                file.write(record.to_json() + "\n")
                count += 1
        if half != target:
            half.replace(target)
    except BaseException as error:
        if half != target:
            half.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise
    return count


def read_games(path: Path) -> Iterator[GameRecord]:
    """Read the records of a file; RecordError names the file and the line."""
    seen: dict[int, int] = {}
    try:
        with path.open(encoding="utf-8") as file:
            for at, line in enumerate(file, 1):
                if not line.strip():
                    continue
                try:
                    record = GameRecord.from_json(line)
                except RecordError as error:
                    raise RecordError(f"{path}:{at}: {error}") from None
                if record.number in seen:
                    raise RecordError(
                        f"{path}:{at}: game {record.number} is there already, on line {seen[record.number]}"
                    )
                seen[record.number] = at
                yield record
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise RecordError(f"{path}: not a text file") from None


def read_game(path: Path, line: int) -> GameRecord:
    """Read the record on one line of a file, counted from 1."""
    try:
        with path.open(encoding="utf-8") as file:
            for at, text in enumerate(file, 1):
                if at == line:
                    return GameRecord.from_json(text)
    except RecordError as error:
        raise RecordError(f"{path}:{line}: {error}") from None
    except OSError as error:
        raise RecordError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise RecordError(f"{path}: not a text file") from None
    raise RecordError(f"{path}:{line}: the file has no such line")
