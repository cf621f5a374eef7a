"""Owns the database file of the arena: its schema, how it is opened, and what its errors mean to people.

The journal is a write-ahead log with `synchronous = FULL`. A killed process would lose nothing with NORMAL either, for
what was written to the log is the system's; FULL also syncs the log before a commit returns, so a game that was counted
survives a power cut too. It costs one sync per game, which takes a few milliseconds while a game takes far longer.
"""

import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

VERSION = 1
APPLICATION = 0x46344152  # "F4AR", so that another program's database is recognised
_WAIT_S = 10.0
_INDEX_BYTES = 64 << 10

_SCHEMA = """
CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    spec TEXT,                       -- JSON; null for games that were imported
    planned INTEGER,                 -- how many games it is to have; null for games that were imported
    created TEXT NOT NULL
);
CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    event INTEGER NOT NULL REFERENCES events (id),
    number INTEGER NOT NULL,
    pair INTEGER NOT NULL,
    "group" TEXT NOT NULL,
    first TEXT NOT NULL,
    second TEXT NOT NULL,
    ending TEXT NOT NULL,
    winner INTEGER,
    culprit INTEGER,
    moves INTEGER NOT NULL,
    started TEXT NOT NULL,
    record TEXT NOT NULL,            -- the whole game as JSON; the other columns are there to be searched
    UNIQUE (event, number)
);
CREATE INDEX games_first ON games (first);
CREATE INDEX games_second ON games (second);
CREATE INDEX games_started ON games (started);
"""


class StoreError(ValueError):
    """A database or a game that is not what it should be; the message names the file."""


class StoreFailure(RuntimeError):  # noqa: N818 (not every trouble is an error of somebody)
    """Something that the system refused: a full disk, a folder that cannot be written, another run in the way."""


@contextmanager
def plain_errors(path: Path) -> Iterator[None]:
    """Turn what SQLite complains of into one plain line."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # without the extended part
        match code:
            case sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_CORRUPT:
                raise StoreError(f"{path}: not a database, or a damaged one") from None
            case sqlite3.SQLITE_IOERR if _is_full(path):  # no room for the index of the log
                raise StoreFailure(f"{path}: the disk is full; nothing was written") from None
            case sqlite3.SQLITE_FULL:
                raise StoreFailure(f"{path}: the disk is full; nothing was written") from None
            case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
                raise StoreFailure(f"{path}: another program keeps the database locked") from None
            case sqlite3.SQLITE_READONLY:
                raise StoreFailure(f"{path}: cannot be written") from None
            case sqlite3.SQLITE_CANTOPEN:
                raise StoreFailure(f"{path}: cannot be opened or created") from None
            case _:
                raise StoreFailure(f"{path}: {error}") from None


def _is_full(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.absolute().parent).free < _INDEX_BYTES
    except OSError:
        return False


def connect(path: Path, *, create: bool, read_only: bool) -> sqlite3.Connection:
    """Open the arena's database; a file of another kind or of a newer version is refused before anything is written."""
    if path.exists():
        if not path.is_file():
            raise StoreError(f"{path}: not a file")
    elif not create:
        raise StoreError(f"{path}: there is no such database")
    elif not path.absolute().parent.is_dir():
        raise StoreFailure(f"{path}: there is no folder {path.parent}")
    # A reader that may write removes the log's side files when it leaves, as a writer does.
    writable = all(os.access(place, os.W_OK, effective_ids=True) for place in (path, path.absolute().parent))
    mode = "rwc" if create else "rw" if writable or not read_only else "ro"
    address = f"file:{quote(str(path.absolute()))}?mode={mode}"
    with plain_errors(path):
        try:
            return _opened(path, address, read_only)
        except sqlite3.OperationalError:
            # A log needs a writable folder even to be read; without a log the file alone is everything.
            if not read_only or Path(f"{path}-wal").exists():
                raise
            return _opened(path, f"{address}&immutable=1", read_only)


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Write all or nothing; the commit is on disk when this returns."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # a full disk rolls back by itself
            connection.execute("ROLLBACK")
        raise


def _opened(path: Path, address: str, read_only: bool) -> sqlite3.Connection:
    connection = sqlite3.connect(address, uri=True, timeout=_WAIT_S, isolation_level=None)
    try:
        _prepare(connection, path, read_only)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection, path: Path, read_only: bool) -> None:
    version = _version(connection, path)
    if read_only:
        if version == 0:
            raise StoreError(f"{path}: not a database of the arena")
        connection.execute("PRAGMA query_only = ON")
        return
    _use_log(connection)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    if version == 0:
        with transaction(connection):
            if _version(connection, path) == 0:  # nobody else was quicker
                for statement in _SCHEMA.split(";\n")[:-1]:
                    connection.execute(statement)
                connection.execute(f"PRAGMA application_id = {APPLICATION}")
                connection.execute(f"PRAGMA user_version = {VERSION}")


def _use_log(connection: sqlite3.Connection) -> None:
    """Switch to the write-ahead log; SQLite does not wait by itself while another program does the same."""
    deadline = time.monotonic() + _WAIT_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def _version(connection: sqlite3.Connection, path: Path) -> int:
    """Return the version of the schema; 0 for a file that is still empty."""
    alone = not connection.in_transaction
    if alone:
        connection.execute("BEGIN")  # so that all three are of one moment
    [tables] = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    [version] = connection.execute("PRAGMA user_version").fetchone()
    [application] = connection.execute("PRAGMA application_id").fetchone()
    if alone:
        connection.execute("COMMIT")
    if application == 0 and version == 0 and tables == 0:
        return 0
    if application != APPLICATION:
        raise StoreError(f"{path}: not a database of the arena")
    if version > VERSION:
        raise StoreError(f"{path}: written by a newer fourfall (schema {version}; this one knows {VERSION})")
    return int(version)
