"""Lets only one process at a time run an event.

A claim is a lock on one byte, numbered as the event, of a file beside the database. Such locks belong to a process:
forked workers do not inherit them, and the system releases them however the process ends. The system also releases
them when the process closes any descriptor of the file, so the file is opened once and stays open.
"""

import fcntl
import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fourfall.arena.database import StoreFailure

_FLOCK = "hhqqi4x"  # type, whence, start, length, pid: struct flock of 64-bit Linux

_descriptors: dict[Path, int] = {}
_own_claims: set[tuple[Path, int]] = set()


@contextmanager
def claim_event(database: Path, event: int) -> Iterator[None]:
    """Claim an event of a database; StoreFailure names the process that has claimed it already."""
    path = _get_claims_path(database)
    holder = find_claim_holder(database, event)
    file = _open(path, create=True)
    try:
        if holder is None:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, event)
    except BlockingIOError:  # another process claimed it in between
        holder = find_claim_holder(database, event) or 0
    if holder is not None:
        raise StoreFailure(f"{database}: event {event} is being run by process {holder}")
    _own_claims.add((path, event))
    try:
        yield
    finally:
        _own_claims.discard((path, event))
        fcntl.lockf(file, fcntl.LOCK_UN, 1, event)


def find_claim_holder(database: Path, event: int) -> int | None:
    """Return the id of the process that runs an event, or None."""
    path = _get_claims_path(database)
    if (path, event) in _own_claims:
        return os.getpid()
    if path not in _descriptors and not path.exists():
        return None
    query = struct.pack(_FLOCK, fcntl.F_WRLCK, os.SEEK_SET, event, 1, 0)
    kind, _, _, _, pid = struct.unpack(_FLOCK, fcntl.fcntl(_open(path, create=False), fcntl.F_GETLK, query))
    return None if kind == fcntl.F_UNLCK else int(pid)


def _get_claims_path(database: Path) -> Path:
    return Path(f"{database.resolve()}-claims")


def _open(path: Path, *, create: bool) -> int:
    if path not in _descriptors:
        mode = os.O_RDWR | os.O_CREAT if create else os.O_RDWR if os.access(path, os.W_OK) else os.O_RDONLY
        try:
            _descriptors[path] = os.open(path, mode | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise StoreFailure(f"{path}: {error.strerror}") from None
    return _descriptors[path]
