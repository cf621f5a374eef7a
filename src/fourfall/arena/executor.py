"""Distributes games to worker processes, collects the records and replaces workers that die."""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from multiprocessing.connection import wait
from pathlib import Path
from typing import Protocol

from fourfall.arena.game import ScheduledGame
from fourfall.arena.record import GameRecord
from fourfall.cluster.errors import WorkerError
from fourfall.cluster.worker_process import WorkerProcess
from fourfall.cluster.worker_report import WorkerReport

__all__ = ["Cores", "Executor", "GameExecutor", "OnWorker", "WorkerError"]

Cores = int | tuple[int, int] | None
"""The cores of one worker: one for the whole game, one for each player, or None for no pinning."""

_POLL_S = 0.1  # delay until `stopping` and `is_cancelled` take effect
_MAX_TRIES = 2  # if two workers die in one game, the event fails


OnWorker = Callable[[str, WorkerReport], None]
"""Gets the name and the report of a worker."""


class GameExecutor(Protocol):
    """What plays the games of an event; leaving its context ends the games in progress."""

    stopping: bool
    """If set, no further games are started."""

    is_cancelled: Callable[[], bool]
    """If it returns true, the running games are abandoned."""

    on_worker: OnWorker | None
    """Called with each worker of a cluster before its first game; not for worker processes of this machine."""

    def __enter__(self) -> "GameExecutor": ...

    def __exit__(self, *_: object) -> None: ...

    def play(self, games: Iterable[ScheduledGame]) -> Iterator[GameRecord]:
        """Play the games and yield each record as soon as it arrives; each game is taken when it can start."""
        ...

    def play_batches(self, games: Iterable[ScheduledGame]) -> Iterator[list[GameRecord]]:
        """Play the games and yield the records that have arrived since the last batch, at least one."""
        ...


class Executor:
    """Worker processes for one event of a database, one per entry of `cores`.

    Leaving the context ends the workers and their agents at once.
    """

    def __init__(self, cores: Sequence[Cores], database: Path, event: int) -> None:
        self.stopping = False  # if set, no further games are started
        self.is_cancelled: Callable[[], bool] = lambda: False  # if it returns true, the running games are abandoned
        self.on_worker: OnWorker | None = None
        self._database = database
        self._event = event
        self._workers = [_Worker(own, database, event) for own in cores]

    def __enter__(self) -> "Executor":
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.close()

    def play(self, games: Iterable[ScheduledGame]) -> Iterator[GameRecord]:
        """Play the games, one per worker at a time, and yield each record as soon as it arrives."""
        for records in self.play_batches(games):
            yield from records

    def play_batches(self, games: Iterable[ScheduledGame]) -> Iterator[list[GameRecord]]:
        """Play the games, one per worker at a time, and yield the records that have arrived since the last batch."""
        queue = iter(games)
        while not self.is_cancelled():
            for worker in self._workers:
                if worker.game is None and not self.stopping and (game := next(queue, None)) is not None:
                    worker.start_game(game)
            busy = {worker.connection: worker for worker in self._workers if worker.game is not None}
            if not busy:
                return
            arrived, failure = [], None
            for connection in wait(list(busy), timeout=_POLL_S):
                try:
                    record = self._collect(busy[connection])  # type: ignore[index]
                except WorkerError as error:
                    failure = error
                    continue
                if record is not None:
                    arrived.append(record)
            if arrived:
                yield arrived
            if failure is not None:
                raise failure

    def _collect(self, worker: "_Worker") -> GameRecord | None:
        """Receive a worker's record; None if the worker died and its game was started again."""
        try:
            return worker.receive_record()
        except (EOFError, OSError):
            game, tries = worker.game, worker.tries
            assert game is not None  # noqa: S101 (only busy workers are waited for)
        how = worker.close()
        if tries >= _MAX_TRIES:
            raise WorkerError(
                f"{tries} worker processes died in game {game.number} ({game.board}); the last one {how}; "
                "the finished games are stored, and the event can be continued"
            )
        self._workers[self._workers.index(worker)] = replacement = _Worker(worker.cores, self._database, self._event)
        replacement.start_game(game, tries + 1)
        return None


class _Worker(WorkerProcess[ScheduledGame, GameRecord]):
    """A worker process, and the game that it plays."""

    def __init__(self, cores: Cores, database: Path, event: int) -> None:
        numbers = () if cores is None else (cores,) if isinstance(cores, int) else cores
        super().__init__("fourfall.arena.worker", ",".join(map(str, numbers)), str(database), str(event))
        self.cores = cores
        self.game: ScheduledGame | None = None
        self.tries = 0

    def start_game(self, game: ScheduledGame, tries: int = 1) -> None:
        self.game, self.tries = game, tries
        # A dead worker is detected when its record is received.
        with contextlib.suppress(BrokenPipeError):
            self.connection.send(game)

    def receive_record(self) -> GameRecord:
        record = self.connection.recv()
        self.game = None
        return record
