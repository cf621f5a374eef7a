"""Owns a worker: a process that is pinned to a core and plays one game after another, as it is told.

Run as ``python -m fourfall.arena.worker CONNECTION LIFE CORE DATABASE EVENT``: two inherited descriptors, the core or
-1, and where watchers look for the game in progress. Games come in and records go out through the connection. The other
descriptor ends when the process that began the worker does; then the worker leaves at once, and its agents with it.
"""

import os
import sys
import threading
from multiprocessing.connection import Connection
from pathlib import Path

from fourfall.agents.registry import open_agent
from fourfall.arena.game import ScheduledGame, play_game
from fourfall.arena.live import forget, watcher


def main(arguments: list[str]) -> None:
    """Play until there is nobody to play for."""
    connection, life, core, event = (int(arguments[at]) for at in (0, 1, 2, 4))
    database = Path(arguments[3])
    if core >= 0:
        os.sched_setaffinity(0, {core})
    threading.Thread(target=_leave_with, args=(life,), daemon=True).start()
    _work(Connection(connection), database, event)


def _leave_with(life: int) -> None:
    os.read(life, 1)
    os._exit(1)


def _work(connection: "Connection[object, object]", database: Path, event: int) -> None:
    while True:
        try:
            game = connection.recv()
        except EOFError:
            return
        assert isinstance(game, ScheduledGame)  # noqa: S101 (what the executor sends)
        record = play_game(game, open_agent, watcher(database, event, game))
        forget(database, event, game.number)
        connection.send(record)


if __name__ == "__main__":
    main(sys.argv[1:])
