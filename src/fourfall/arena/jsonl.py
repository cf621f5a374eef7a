"""Reads and writes game records as JSON Lines, one record per line."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from fourfall.arena.output_file import open_output
from fourfall.arena.record import GameRecord, RecordError
from fourfall.arena.record_check import check_record

MAX_LINE_LENGTH = 1_000_000


def format_line(record: GameRecord) -> str:
    """Write a record as one line of JSON; characters that are not printable, such as terminal codes, are escaped."""
    text = record.to_json()
    return text if text.isprintable() else "".join(map(_escape, text))


def _escape(letter: str) -> str:
    # JSON writes a character above U+FFFF as two escapes, which json.dumps knows.
    return letter if letter.isprintable() else json.dumps(letter)[1:-1]


def write_games(path: Path, records: Iterable[GameRecord]) -> int:
    """Write records to a file, which appears or is replaced only when complete; return their number."""
    count = 0
    with open_output(path) as file:
        for record in records:
            file.write(format_line(record) + "\n")
            count += 1
    return count


def read_games(path: Path) -> Iterator[GameRecord]:
    """Yield the records of a file, checked against the rules; RecordError names the file, the line and the key."""
    lines: dict[int, int] = {}
    try:
        with path.open(encoding="utf-8") as file:
            for line, text in enumerate(iter(lambda: file.readline(MAX_LINE_LENGTH + 1), ""), 1):
                if len(text) > MAX_LINE_LENGTH:
                    raise RecordError(f"{path}:{line}: the line has more than {MAX_LINE_LENGTH} characters")
                if not text.strip():
                    continue
                try:
                    record = GameRecord.from_json(text)
                    check_record(record)
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
