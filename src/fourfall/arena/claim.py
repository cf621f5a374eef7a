"""Owns the claim on an event: one process at a time runs it, and a claim dies with its process.

A claim is a lock on one byte, the event's own, of a file beside the database. Such locks belong to a process: forked
workers do not inherit them, and the system drops them however the process ends. They are also dropped when the process
closes any descriptor of the file, so it is opened once and stays open.
"""

import fcntl
import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fourfall.arena.database import StoreFailure

_FLOCK = "hhqqi4x"  # type, whence, start, length, pid: struct flock of 64-bit Linux

_files: dict[Path, int] = {}
_ours: set[tuple[Path, int]] = set()


@contextmanager
def claimed(database: Path, event: int) -> Iterator[None]:
    """Claim an event of a database; StoreFailure says which process has it."""
    path = _side_file(database)
    runner = holder(database, event)
    file = _open(path, create=True)
    try:
        if runner is None:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, event)
    except BlockingIOError:  # somebody was quicker
        runner = holder(database, event) or 0
    if runner is not None:
        raise StoreFailure(f"{database}: event {event} is being run by process {runner}")
    _ours.add((path, event))
    try:
        yield
    finally:
        _ours.discard((path, event))
        fcntl.lockf(file, fcntl.LOCK_UN, 1, event)


def holder(database: Path, event: int) -> int | None:
    """Return the process that runs an event, or None."""
    path = _side_file(database)
    if (path, event) in _ours:
        return os.getpid()
    if path not in _files and not path.exists():
        return None
    question = struct.pack(_FLOCK, fcntl.F_WRLCK, os.SEEK_SET, event, 1, 0)
    kind, _, _, _, pid = struct.unpack(_FLOCK, fcntl.fcntl(_open(path, create=False), fcntl.F_GETLK, question))
    return None if kind == fcntl.F_UNLCK else int(pid)


def _side_file(database: Path) -> Path:
    return Path(f"{database.resolve()}-claims")


def _open(path: Path, *, create: bool) -> int:
    if path not in _files:
        mode = os.O_RDWR | os.O_CREAT if create else os.O_RDWR if os.access(path, os.W_OK) else os.O_RDONLY
        try:
            _files[path] = os.open(path, mode | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise StoreFailure(f"{path}: {error.strerror}") from None
    return _files[path]
