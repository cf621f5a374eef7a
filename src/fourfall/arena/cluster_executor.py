"""Distributes games to the workers of a Dask cluster.

The workers run the same function as the worker processes of one machine, and return the same records. Only the calling
process writes the database. A game whose worker dies is played again by another one.
"""

from collections.abc import Iterable, Iterator, Sequence

from fourfall.arena.game import ScheduledGame
from fourfall.arena.record import GameRecord
from fourfall.arena.worker import play_scheduled_game
from fourfall.cluster.connection import Connection
from fourfall.cluster.dispatcher import Dispatcher


class ClusterExecutor(Dispatcher[ScheduledGame, GameRecord]):
    """The workers of a Dask cluster, one game per worker at a time."""

    def __init__(self, connection: Connection, addresses: Sequence[str] = (), *, sandbox: bool = True) -> None:
        super().__init__(connection, _play_on_worker)

    def __enter__(self) -> "ClusterExecutor":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def play(self, games: Iterable[ScheduledGame]) -> Iterator[GameRecord]:
        """Play the games and yield each record as soon as it arrives."""
        return (record for _, record in self.run(games))

    def play_batches(self, games: Iterable[ScheduledGame]) -> Iterator[list[GameRecord]]:
        """Play the games and yield the records that have arrived since the last batch."""
        for results in self.run_batches(games):
            yield [record for _, record in results]


def _play_on_worker(game: ScheduledGame) -> GameRecord:
    return play_scheduled_game(game)
