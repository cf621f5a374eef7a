"""Lets only one process at a time run an event.

A claim is a lock on one byte, numbered as the event, of a file beside the database (`system.file_lock`). The system may
release the locks of a process when it closes any descriptor of the file, so the file is opened once and stays open.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fourfall.arena.database import StoreFailure
from fourfall.system.file_lock import UNKNOWN_PROCESS, find_lock_holder, lock_byte, unlock_byte

_descriptors: dict[Path, int] = {}
_own_claims: set[tuple[Path, int]] = set()


@contextmanager
def claim_event(database: Path, event: int) -> Iterator[None]:
    """Claim an event of a database; StoreFailure names the process that has claimed it already."""
    path = _get_claims_path(database)
    holder = find_claim_holder(database, event)
    file = _open(path, create=True)
    if holder is None and not lock_byte(file, event):  # another process claimed it in between
        holder = find_claim_holder(database, event) or UNKNOWN_PROCESS
    if holder is not None:
        process = "another process" if holder == UNKNOWN_PROCESS else f"process {holder}"
        raise StoreFailure(f"{database}: event {event} is being run by {process}")
    _own_claims.add((path, event))
    try:
        yield
    finally:
        _own_claims.discard((path, event))
        unlock_byte(file, event)


def find_claim_holder(database: Path, event: int) -> int | None:
    """Return the id of the process that runs an event, UNKNOWN_PROCESS if the system does not name it, or None."""
    path = _get_claims_path(database)
    if (path, event) in _own_claims:
        return os.getpid()
    if path not in _descriptors and not path.exists():
        return None
    return find_lock_holder(_open(path, create=False), event)


def _get_claims_path(database: Path) -> Path:
    return Path(f"{database.resolve()}-claims")


def _open(path: Path, *, create: bool) -> int:
    if path not in _descriptors:
        mode = os.O_RDWR | os.O_CREAT if create else os.O_RDWR if os.access(path, os.W_OK) else os.O_RDONLY
        try:
            _descriptors[path] = os.open(path, mode, 0o644)
        except OSError as error:
            raise StoreFailure(f"{path}: {error.strerror}") from None
    return _descriptors[path]
