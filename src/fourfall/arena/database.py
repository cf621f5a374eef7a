"""Opens the arena's SQLite database, creates its schema and translates SQLite errors.

The journal is a write-ahead log with `synchronous = FULL`. NORMAL would be enough to lose nothing when the process is
killed, because the operating system keeps what was written to the log. FULL also syncs the log before a commit
returns, so a stored game survives a power cut. The cost is one sync per game: a few milliseconds, much less than a
game takes.
"""

import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fourfall.agents.private_files import APPLICATION_ID
from fourfall.system.users import is_writable

VERSION = 1
_LOCK_TIMEOUT_S = 10.0
_LOG_INDEX_BYTES = 64 << 10

_SCHEMA = """
CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    spec TEXT,                       -- JSON: the spec, or the settings of a ladder; null for imported games
    planned INTEGER,                 -- number of games; null for a ladder and for imported games
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
    record TEXT NOT NULL,            -- the whole game as JSON; the other columns are for queries
    UNIQUE (event, number)
);
CREATE INDEX games_first ON games (first);
CREATE INDEX games_second ON games (second);
CREATE INDEX games_started ON games (started);
"""

# These tables are created together with the event of a ladder, so a database without a ladder does not have them. The
# tables above are unchanged, and therefore also the version of the schema.
LADDER_SCHEMA = """
CREATE TABLE IF NOT EXISTS ladder_agents (
    event INTEGER NOT NULL REFERENCES events (id),
    name TEXT NOT NULL,
    address TEXT NOT NULL,
    move_time_s REAL NOT NULL,
    startup_time_s REAL NOT NULL,
    memory_mb INTEGER NOT NULL,
    state TEXT NOT NULL,             -- active, removed or suspended
    added TEXT NOT NULL,
    active_after INTEGER NOT NULL,   -- id of a game; failures before it do not count for a suspension
    failed INTEGER,                  -- of a suspended agent: failures in its last games,
    played INTEGER,                  -- the number of these games,
    failed_game INTEGER,             -- and the id of the last game that it lost by a failure
    PRIMARY KEY (event, name)
);
CREATE TABLE IF NOT EXISTS ladder_history (
    event INTEGER NOT NULL REFERENCES events (id),
    pairs INTEGER NOT NULL,          -- number of complete pairs of games of the ladder
    time TEXT NOT NULL,
    ratings TEXT NOT NULL,           -- JSON: rating in Elo by agent
    PRIMARY KEY (event, pairs)
) WITHOUT ROWID;
"""


class StoreError(ValueError):
    """An invalid database, or a request for an event or game that does not exist; the message names the file."""


class StoreFailure(RuntimeError):  # noqa: N818 (the failure of a valid request)
    """A failure of the system: a full disk, a folder without write permission, another process that runs the event."""


@contextmanager
def translate_errors(path: Path) -> Iterator[None]:
    """Translate errors of SQLite into StoreError and StoreFailure with one line that names the file."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the primary code, without the extended part
        match code:
            case sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_CORRUPT:
                raise StoreError(f"{path}: not a database, or damaged") from None
            case sqlite3.SQLITE_IOERR if _is_full(path):  # no space for the index of the log
                raise StoreFailure(f"{path}: the disk is full; nothing was written") from None
            case sqlite3.SQLITE_FULL:
                raise StoreFailure(f"{path}: the disk is full; nothing was written") from None
            case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
                raise StoreFailure(f"{path}: the database is locked by another program") from None
            case sqlite3.SQLITE_READONLY:
                raise StoreFailure(f"{path}: cannot be written") from None
            case sqlite3.SQLITE_CANTOPEN:
                raise StoreFailure(f"{path}: cannot be opened or created") from None
            case _:
                raise StoreFailure(f"{path}: {error}") from None


def _is_full(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.absolute().parent).free < _LOG_INDEX_BYTES
    except OSError:
        return False


def connect(path: Path, *, create: bool, read_only: bool) -> sqlite3.Connection:
    """Open the arena's database; files of other kinds and newer versions are refused before anything is written."""
    if path.exists():
        if not path.is_file():
            raise StoreError(f"{path}: not a file")
    elif not create:
        raise StoreError(f"{path}: the database does not exist")
    elif not path.absolute().parent.is_dir():
        raise StoreFailure(f"{path}: the folder {path.parent} does not exist")
    # A reader with write permission opens the file for writing, so that SQLite removes the log files on closing.
    writable = all(is_writable(place) for place in (path, path.absolute().parent))
    mode = "rwc" if create else "rw" if writable or not read_only else "ro"
    address = f"{path.absolute().as_uri()}?mode={mode}"
    with translate_errors(path):
        try:
            return _open(path, address, read_only)
        except sqlite3.OperationalError:
            # SQLite cannot read a log in a folder without write permission; without a log the file is complete.
            if not read_only or Path(f"{path}-wal").exists():
                raise
            return _open(path, f"{address}&immutable=1", read_only)


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Run a transaction; the commit is on disk when the context exits."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # SQLite has rolled back already if the disk is full
            connection.execute("ROLLBACK")
        raise


def _open(path: Path, address: str, read_only: bool) -> sqlite3.Connection:
    connection = sqlite3.connect(address, uri=True, timeout=_LOCK_TIMEOUT_S, isolation_level=None)
    connection.text_factory = _decode_text
    try:
        _prepare(connection, path, read_only)
    except BaseException:
        connection.close()
        raise
    return connection


def _decode_text(data: bytes) -> str:
    """Decode text of the database; invalid bytes in one row must not make a whole query fail."""
    return data.decode(errors="replace")


def _prepare(connection: sqlite3.Connection, path: Path, read_only: bool) -> None:
    version = _read_version(connection, path)
    if read_only:
        if version == 0:
            raise StoreError(f"{path}: not an arena database")
        connection.execute("PRAGMA query_only = ON")
        return
    _enable_log(connection)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    if version == 0:
        with transaction(connection):
            if _read_version(connection, path) == 0:  # no other process has created the tables meanwhile
                for statement in _SCHEMA.split(";\n")[:-1]:
                    connection.execute(statement)
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {VERSION}")


def _enable_log(connection: sqlite3.Connection) -> None:
    """Switch to the write-ahead log; SQLite does not retry by itself while another program does the same."""
    deadline = time.monotonic() + _LOCK_TIMEOUT_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def _read_version(connection: sqlite3.Connection, path: Path) -> int:
    """Return the version of the schema; 0 for an empty file."""
    needs_transaction = not connection.in_transaction
    if needs_transaction:
        connection.execute("BEGIN")  # the three values must be consistent
    [tables] = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    [version] = connection.execute("PRAGMA user_version").fetchone()
    [application] = connection.execute("PRAGMA application_id").fetchone()
    if needs_transaction:
        connection.execute("COMMIT")
    if application == 0 and version == 0 and tables == 0:
        return 0
    if application != APPLICATION_ID:
        raise StoreError(f"{path}: not an arena database")
    if version > VERSION:
        raise StoreError(
            f"{path}: written by a newer version of fourfall (schema {version}; this version reads {VERSION})"
        )
    return int(version)
