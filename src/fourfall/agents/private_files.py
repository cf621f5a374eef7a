"""Finds databases in folders that third-party code may read, so that they stay hidden."""

import contextlib
import os
from pathlib import Path

APPLICATION_ID = 0x46344152  # "F4AR"
"""The application id in the header of Fourfall's databases."""

_HEADER = b"SQLite format 3\0"
_APPLICATION_ID_OFFSET = 68
_PAGE_UNIT = 512  # the size of a SQLite database is a multiple of it
_SUFFIXES = (".db", ".sqlite", ".sqlite3")
_JOURNAL_SUFFIXES = ("", "-wal", "-shm", "-journal")


def is_database(path: Path) -> bool:
    """Whether a file is a SQLite database, judged by its first bytes; False if it cannot be read."""
    return _read_header(path).startswith(_HEADER)


def is_own_database(path: Path) -> bool:
    """Whether a file is a database of Fourfall, or a journal of one."""
    names = [path.name] + [path.name.removesuffix(suffix) for suffix in _JOURNAL_SUFFIXES if path.name.endswith(suffix)]
    application_id = APPLICATION_ID.to_bytes(4, "big")
    for name in names:
        header = _read_header(path.with_name(name))
        if header.startswith(_HEADER) and header[_APPLICATION_ID_OFFSET:][:4] == application_id:
            return True
    return False


def find_databases(folder: Path) -> set[Path]:
    """Return the SQLite databases below a folder with their journals, which exist or may be created later.

    Links are not followed. A file is opened only if its size or its name can be that of a database.
    """
    found: set[Path] = set()
    for parent, _, names in os.walk(folder):
        for name in names:
            path = Path(parent, name)
            with contextlib.suppress(OSError):
                size = path.lstat().st_size
                if (size % _PAGE_UNIT == 0 or name.endswith(_SUFFIXES)) and size and is_database(path):
                    found.update(path.with_name(name + suffix) for suffix in _JOURNAL_SUFFIXES)
    return found


def _read_header(path: Path) -> bytes:
    if path.is_file():  # never a pipe, which would block
        with contextlib.suppress(OSError), path.open("rb") as file:
            return file.read(_APPLICATION_ID_OFFSET + 4)
    return b""
