"""Worker process of the executor: plays the games that it receives, pinned to one core.

Run with the arguments ``CONNECTION PARENT CORE DATABASE EVENT``. CONNECTION and PARENT are inherited
descriptors; CORE is -1 for no pinning; DATABASE and EVENT say where to write the positions of live games. Games
arrive and records leave through CONNECTION. PARENT reaches its end when the parent process exits; the worker then
exits at once, and its agents with it.
"""

import os
import sys
import threading
from multiprocessing.connection import Connection
from pathlib import Path

from fourfall.agents.registry import open_agent
from fourfall.arena.game import ScheduledGame, play_game
from fourfall.arena.live_games import make_live_game_writer, remove_live_games


def main(arguments: list[str]) -> None:
    """Play games until the connection is closed."""
    connection, parent, core, event = (int(arguments[at]) for at in (0, 1, 2, 4))
    database = Path(arguments[3])
    if core >= 0:
        os.sched_setaffinity(0, {core})
    exit_with_parent(parent)
    _play_games(Connection(connection), database, event)


def exit_with_parent(descriptor: int) -> None:
    """Start a thread that ends this process when the other end of a pipe is closed."""

    def wait() -> None:
        os.read(descriptor, 1)
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def _play_games(connection: "Connection[object, object]", database: Path, event: int) -> None:
    while True:
        try:
            game = connection.recv()
        except EOFError:
            return
        assert isinstance(game, ScheduledGame)  # noqa: S101 (the executor sends nothing else)
        record = play_game(game, open_agent, make_live_game_writer(database, event, game))
        remove_live_games(database, event, game.number)
        connection.send(record)


if __name__ == "__main__":
    main(sys.argv[1:])
