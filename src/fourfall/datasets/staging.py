"""The staging file: a SQLite database beside the output with the positions and the labels found so far.

The positions are written in one transaction, then the labels batch by batch. An interrupted run loses at most the
batches in progress. One process at a time can open the file.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from fourfall.arena.database import transaction, translate_errors
from fourfall.datasets.errors import DatasetError
from fourfall.datasets.labels import Label
from fourfall.datasets.settings import Settings

# The rows of the data set are ordered by `rank`.
_SCHEMA = """
CREATE TABLE settings (text TEXT NOT NULL);
CREATE TABLE positions (
    rank INTEGER PRIMARY KEY,
    hash INTEGER NOT NULL UNIQUE,
    position TEXT NOT NULL,
    source INTEGER NOT NULL,
    wins INTEGER,
    draws INTEGER,
    losses INTEGER,
    label TEXT
);
CREATE TABLE state (is_complete INTEGER NOT NULL);
"""
_INSERT = "INSERT INTO positions (rank, hash, position, source, wins, draws, losses) VALUES (?, ?, ?, ?, ?, ?, ?)"
_READ_ROWS = 1000


@dataclass(frozen=True)
class StagedPosition:
    """A position of the data set without its label.

    Attributes:
        rank: key by which the rows are ordered.
        hash: hash of the position, which its mirror image shares.
        position: the position in text.
        source: number of the game, or number of the attempt of a random opening.
        results: games with this position that the side to move won, drew and lost; None for random openings.
    """

    rank: int
    hash: int
    position: str
    source: int
    results: tuple[int, int, int] | None = None


class StagingFile:
    """The staging file of one output file; a context manager that closes it."""

    def __init__(self, output: Path, settings: Settings, *, resume: bool) -> None:
        self.path = get_staging_path(output)
        existed = self.path.exists()
        with translate_errors(self.path):
            self._connection = sqlite3.connect(self.path, timeout=0, isolation_level=None, check_same_thread=False)
        try:
            with translate_errors(self.path):
                self._connection.execute("PRAGMA locking_mode = EXCLUSIVE")
                self._connection.execute("PRAGMA journal_mode = WAL")
                self._connection.execute("PRAGMA synchronous = NORMAL")
                self._open(settings, resume=resume and existed)
        except BaseException:
            self.close()
            raise

    def _open(self, settings: Settings, *, resume: bool) -> None:
        with transaction(self._connection):
            if resume:
                self._compare(settings)
                return
            for (name,) in self._connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                self._connection.execute(f'DROP TABLE "{name}"')
            for statement in _SCHEMA.split(";\n")[:-1]:
                self._connection.execute(statement)
            self._connection.execute("INSERT INTO settings VALUES (?)", [settings.to_json()])

    def _compare(self, settings: Settings) -> None:
        try:
            [text] = self._connection.execute("SELECT text FROM settings").fetchone()
        except (sqlite3.OperationalError, TypeError):
            raise DatasetError(f"{self.path}: not the staging file of a data set; remove it") from None
        stored, wanted = json.loads(text), json.loads(settings.to_json())
        for key, value in wanted.items():
            if stored.get(key) != value:
                raise DatasetError(
                    f"{self.path} was made with another {key} ({stored.get(key)}, now {value}); "
                    "repeat the first command, or begin again with --force"
                )

    def __enter__(self) -> "StagingFile":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; finished labels stay in it."""
        self._connection.close()

    def remove(self) -> None:
        """Close and delete the file."""
        self.close()
        for suffix in ("", "-wal", "-shm"):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)

    @property
    def is_collected(self) -> bool:
        """Whether the positions are complete."""
        with translate_errors(self.path):
            return self._connection.execute("SELECT 1 FROM state").fetchone() is not None

    @contextmanager
    def collect(self) -> Iterator[None]:
        """Add all positions in this context: they are stored at its end, or none of them."""
        with translate_errors(self.path), transaction(self._connection):
            yield
            self._connection.execute("INSERT INTO state VALUES (1)")

    def add_new(self, position: StagedPosition) -> bool:
        """Add a position unless it or its mirror image is there; return whether it was added."""
        query = _INSERT.replace("INSERT", "INSERT OR IGNORE", 1)
        return self._connection.execute(query, _make_row(position)).rowcount == 1

    def add_or_count(self, positions: Iterable[StagedPosition]) -> None:
        """Add positions; of one that is there already, add the results."""
        update = "wins = wins + excluded.wins, draws = draws + excluded.draws, losses = losses + excluded.losses"
        query = f"{_INSERT} ON CONFLICT DO UPDATE SET {update}"
        self._connection.executemany(query, map(_make_row, positions))

    def keep_first(self, count: int) -> int | None:
        """Delete all but the first `count` positions; return the last rank, or None if there are not more."""
        row = self._connection.execute("SELECT rank FROM positions ORDER BY rank LIMIT 1 OFFSET ?", [count - 1])
        found = row.fetchone()
        if found is None:
            return None
        self._connection.execute("DELETE FROM positions WHERE rank > ?", found)
        return int(found[0])

    def count(self) -> tuple[int, int]:
        """Return the number of positions and the number of those with a label."""
        with translate_errors(self.path):
            total, labelled = self._connection.execute("SELECT count(*), count(label) FROM positions").fetchone()
        return int(total), int(labelled)

    def list_unlabelled(self, size: int) -> Iterator[tuple[StagedPosition, ...]]:
        """Yield the positions without a label in batches; labels may be added meanwhile."""
        rank = -(2**63) - 1
        while batch := self._read("AND label IS NULL", rank, size):
            yield tuple(position for position, _ in batch)
            rank = batch[-1][0].rank

    def add_labels(self, ranks: Sequence[int], labels: Sequence[Label]) -> None:
        """Store the labels of a batch in one transaction."""
        rows = [(label.to_json(), rank) for rank, label in zip(ranks, labels, strict=True)]
        with translate_errors(self.path), transaction(self._connection):
            self._connection.executemany("UPDATE positions SET label = ? WHERE rank = ?", rows)

    def list_rows(self) -> Iterator[tuple[StagedPosition, Label | None]]:
        """Yield all positions with their labels, in order."""
        rank = -(2**63) - 1
        while batch := self._read("", rank, _READ_ROWS):
            yield from ((position, None if text is None else Label.from_json(text)) for position, text in batch)
            rank = batch[-1][0].rank

    def _read(self, condition: str, rank: int, limit: int) -> list[tuple[StagedPosition, str | None]]:
        start = "" if rank < -(2**63) else f"AND rank > {rank}"
        query = f"SELECT * FROM positions WHERE 1 {start} {condition} ORDER BY rank LIMIT {limit}"  # noqa: S608 (numbers)
        with translate_errors(self.path):
            return [
                (StagedPosition(rank, number, text, source, None if wins is None else (wins, draws, losses)), label)
                for rank, number, text, source, wins, draws, losses, label in self._connection.execute(query)
            ]


def get_staging_path(output: Path) -> Path:
    """Return the path of the staging file of an output file.

    >>> get_staging_path(Path("data/positions.parquet")).name
    'positions.parquet.partial'
    """
    return output.with_name(f"{output.name}.partial")


def _make_row(position: StagedPosition) -> tuple[object, ...]:
    results = position.results or (None, None, None)
    return (position.rank, position.hash, position.position, position.source, *results)
