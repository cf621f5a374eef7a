"""Process that plays a match for the server, with its worker processes and a lower priority.

Run with the arguments ``DATABASE EVENT WORKERS``. The process ends when its standard input
is closed, that is, when the server ends in any way.
"""

import sys
from pathlib import Path

from fourfall.arena.event_runner import run_event
from fourfall.arena.store import Store
from fourfall.cluster.worker_process import exit_with_parent
from fourfall.system.priority import lower_process_priority

_NICENESS = 8


def main(arguments: list[str]) -> None:
    """Play the games of an event that are missing in the database."""
    database, event, workers = Path(arguments[0]), int(arguments[1]), int(arguments[2])
    lower_process_priority(_NICENESS)
    exit_with_parent(sys.stdin.fileno())
    with Store(database, create=False) as store:
        for _ in run_event(store, event, [None] * workers):
            pass


if __name__ == "__main__":
    main(sys.argv[1:])
