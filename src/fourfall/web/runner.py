"""Owns playing a match for the page: a process with its workers, nicer than the server, that ends with it.

Run as ``python -m fourfall.web.runner DATABASE EVENT WORKERS``. When standard input ends, so does the process.
"""

import os
import sys
import threading
from pathlib import Path

from fourfall.arena.store import Store
from fourfall.arena.tournament import run_event

_NICENESS = 8


def main(arguments: list[str]) -> None:
    """Play what is left of an event."""
    database, event, workers = Path(arguments[0]), int(arguments[1]), int(arguments[2])
    os.nice(_NICENESS)
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    with Store(database, create=False) as store:
        for _ in run_event(store, event, [None] * workers):
            pass


def _leave_with_parent() -> None:
    os.read(sys.stdin.fileno(), 1)
    os._exit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
