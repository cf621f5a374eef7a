"""Owns the worker processes of a tournament: hands out games, collects records, replaces workers that die."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from pathlib import Path

from fourfall.arena.game import ScheduledGame
from fourfall.arena.record import GameRecord

_POLL_S = 0.1  # how soon a wish to stop is noticed
_TRIES = 2  # a game that takes two workers down with it is not tried again


class WorkerError(RuntimeError):
    """A worker that died in a game again and again: a defect of ours or of the machine, not of an agent."""


class Executor:
    """A worker on each of the given cores (None: wherever the system likes), for one event of a database.

    Leaving the context ends the workers at once, with everything that they run.
    """

    def __init__(self, cores: Sequence[int | None], database: Path, event: int) -> None:
        self.stopping = False  # set it to hand out no more games
        self._database = database
        self._event = event
        self._workers = [_Worker(core, database, event) for core in cores]

    def __enter__(self) -> "Executor":
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.close()

    def play(self, games: Iterable[ScheduledGame]) -> Iterator[GameRecord]:
        """Play the games, as many at once as there are workers, and yield each record as soon as it is there."""
        queue = iter(games)
        while True:
            for worker in self._workers:
                if worker.game is None and not self.stopping and (game := next(queue, None)) is not None:
                    worker.begin(game)
            busy = {worker.connection: worker for worker in self._workers if worker.game is not None}
            if not busy:
                return
            for connection in wait(list(busy), timeout=_POLL_S):
                record = self._collect(busy[connection])  # type: ignore[index]
                if record is not None:
                    yield record

    def _collect(self, worker: "_Worker") -> GameRecord | None:
        """Return the record of a worker that has something to say; None where it died and its game begins anew."""
        try:
            return worker.end()
        except (EOFError, OSError):
            game, tries = worker.game, worker.tries
            assert game is not None  # noqa: S101 (only busy workers are waited for)
        how = worker.close()
        if tries >= _TRIES:
            raise WorkerError(f"game {game.number} ({game.board}) took {tries} workers down; the last one {how}")
        self._workers[self._workers.index(worker)] = fresh = _Worker(worker.core, self._database, self._event)
        fresh.begin(game, tries + 1)
        return None


class _Worker:
    """Our end of a worker process."""

    def __init__(self, core: int | None, database: Path, event: int) -> None:
        self.core = core
        self.game: ScheduledGame | None = None
        self.tries = 0
        self.connection: Connection[ScheduledGame, GameRecord]
        self.connection, theirs = Pipe()
        their_life, self._life = os.pipe()
        words = [theirs.fileno(), their_life, -1 if core is None else core, database, event]
        self._process = subprocess.Popen(  # noqa: S603 (our own module)
            [sys.executable, "-m", "fourfall.arena.worker", *map(str, words)],
            stdin=subprocess.DEVNULL,
            pass_fds=(theirs.fileno(), their_life),
            start_new_session=True,  # an interrupt from the keyboard is for us alone
        )
        theirs.close()
        os.close(their_life)

    def begin(self, game: ScheduledGame, tries: int = 1) -> None:
        self.game, self.tries = game, tries
        # A worker that is gone is noticed when its record is waited for.
        with contextlib.suppress(BrokenPipeError):
            self.connection.send(game)

    def end(self) -> GameRecord:
        record = self.connection.recv()
        self.game = None
        return record

    def close(self) -> str:
        """End the process; how it ended."""
        with contextlib.suppress(OSError):
            self.connection.close()
        if self._life >= 0:
            os.close(self._life)
            self._life = -1
        try:
            code = self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            code = self._process.wait()
        return f"was killed by {signal.Signals(-code).name}" if code < 0 else f"left with code {code}"
