"""Worker process of the executor: plays the games that it receives, pinned to one core or one core per player.

Run with the arguments ``CONNECTION PARENT CORES DATABASE EVENT``. CONNECTION and PARENT are the numbers of inherited
pipes (`system.inheritance`); CORES is one core for the whole game, two cores such as ``2,3`` for the two players, or
empty for no pinning; DATABASE and EVENT say where to write the positions of live games. Games arrive and records leave
through CONNECTION. PARENT reaches its end when the parent process exits; the worker then exits at once, and its agents
with it.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from fourfall._core import Board
from fourfall.agents.base import Agent, AgentError, Conditions, Fault
from fourfall.agents.registry import AddressError, open_agent
from fourfall.arena.game import OpenAgent, ScheduledGame, play_game
from fourfall.arena.live_games import make_live_game_writer, remove_live_games
from fourfall.arena.record import GameRecord
from fourfall.cluster.worker_process import exit_with_parent
from fourfall.system.cores import pin_to_cores
from fourfall.system.inheritance import Connection, open_connection, open_pipe


def main(arguments: list[str]) -> None:
    """Play games until the connection is closed."""
    connection, parent, event = (int(arguments[at]) for at in (0, 1, 4))
    cores = [int(core) for core in arguments[2].split(",") if core]
    database = Path(arguments[3])
    if cores:
        pin_to_cores(cores)
    exit_with_parent(open_pipe(parent))
    _play_games(open_connection(connection), database, event, cores)


def play_scheduled_game(
    game: ScheduledGame,
    cores: Sequence[int] = (),
    on_move: Callable[[Board], None] | None = None,
    open_agent: OpenAgent = open_agent,
) -> GameRecord:
    """Play a game in this process; if there are two cores, each player gets one. `on_move` is that of `play_game`.

    An address that `open_agent` cannot open any more, such as a deleted file, is a failure of the agent.
    """

    def open_or_fail(address: str, conditions: Conditions) -> Agent:
        try:
            return open_agent(address, conditions)
        except AddressError as error:
            raise AgentError(Fault.CANNOT_LOAD, str(error)) from None

    return play_game(_assign_cores(game, cores), open_or_fail, on_move)


def _assign_cores(game: ScheduledGame, cores: Sequence[int]) -> ScheduledGame:
    """Give each player its own core if there are two."""
    if len(cores) < 2:
        return game
    first, second = (
        replace(seat, conditions=replace(seat.conditions, core=core))
        for seat, core in zip(game.seats, cores, strict=True)
    )
    return replace(game, seats=(first, second))


def _play_games(connection: "Connection[object, object]", database: Path, event: int, cores: list[int]) -> None:
    while True:
        try:
            game = connection.recv()
        except EOFError:
            return
        assert isinstance(game, ScheduledGame)  # noqa: S101 (the executor sends nothing else)
        record = play_scheduled_game(game, cores, make_live_game_writer(database, event, game))
        remove_live_games(database, event, game.number)
        connection.send(record)


if __name__ == "__main__":
    main(sys.argv[1:])
