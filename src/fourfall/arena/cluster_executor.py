"""Distributes games to the workers of a Dask cluster; needs the package distributed.

The workers run the same function as the worker processes of one machine, and return the same records. Only the calling
process writes the database. A game whose worker dies is played again by another one.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from functools import cache

from distributed import Client, Future, KilledWorker, wait

from fourfall._core import version
from fourfall.agents.registry import AddressError, check_address, is_third_party
from fourfall.agents.sandbox import find_missing_protections
from fourfall.arena.executor import WorkerError
from fourfall.arena.game import ScheduledGame
from fourfall.arena.record import GameRecord
from fourfall.arena.worker import play_scheduled_game

_POLL_S = 0.2  # delay until `stopping`, `is_cancelled` and new workers take effect


class ClusterExecutor:
    """The workers of a Dask cluster, one game per worker at a time.

    Workers may join and leave while games are played. Every worker needs one thread, this version of Fourfall, and the
    files of third-party agents under the same paths. Leaving the context cancels the games that no worker has started;
    the results of the others are dropped.
    """

    def __init__(self, client: Client, addresses: Sequence[str], *, sandbox: bool = True) -> None:
        """Check all workers; WorkerError names a worker that cannot play these agents.

        Args:
            client: connection to the scheduler.
            addresses: addresses of all agents of the event.
            sandbox: whether third-party agents run in the sandbox; then each worker must be able to set it up.
        """
        self.stopping = False
        self.is_cancelled: Callable[[], bool] = lambda: False
        self._client = client
        self._requirements = (version, tuple(addresses), sandbox)
        self._games: dict[Future, ScheduledGame] = {}
        threads = client.nthreads()
        if not threads:
            raise WorkerError("the cluster has no workers; start some with: dask worker SCHEDULER --nthreads 1")
        for worker, count in threads.items():
            if count != 1:
                raise WorkerError(
                    f"worker {worker} has {count} threads, so that games would share its processor time; start it with "
                    "--nthreads 1, several times on a machine with several cores"
                )
        try:
            problems = client.run(find_problem, *self._requirements)
        except ImportError as error:
            raise WorkerError(f"a worker cannot import Fourfall ({error}); install it on every machine") from None
        for worker, problem in problems.items():
            if problem is not None:
                raise WorkerError(f"worker {worker}: {problem}")

    def __enter__(self) -> "ClusterExecutor":
        return self

    def __exit__(self, *_: object) -> None:
        self._client.cancel(list(self._games))
        self._games.clear()

    def play(self, games: Iterable[ScheduledGame]) -> Iterator[GameRecord]:
        """Play the games, one per worker at a time, and yield each record as soon as it arrives."""
        queue = iter(games)
        while not self.is_cancelled():
            room = max(1, len(self._client.nthreads())) - len(self._games)
            while room > 0 and not self.stopping and (game := next(queue, None)) is not None:
                self._games[self._start_game(game)] = game
                room -= 1
            if not self._games:
                return
            try:
                finished = wait(list(self._games), timeout=_POLL_S, return_when="FIRST_COMPLETED").done
            except TimeoutError:
                continue
            for future in finished:
                record = _collect(future, self._games[future])
                del self._games[future]
                yield record

    def _start_game(self, game: ScheduledGame) -> Future:
        return self._client.submit(_play_on_worker, game, self._requirements, pure=False)


def _collect(future: Future, game: ScheduledGame) -> GameRecord:
    try:
        record = future.result()
    except KilledWorker as error:
        raise WorkerError(
            f"several workers died in game {game.number} ({game.board}), the last one at {error.last_worker.address}; "
            "the finished games are stored, and the event can be continued"
        ) from None
    except CancelledError:
        raise WorkerError("the connection to the scheduler was lost; the event can be continued") from None
    assert isinstance(record, GameRecord)  # noqa: S101 (the type that the task returns)
    return record


def _play_on_worker(game: ScheduledGame, requirements: tuple[str, tuple[str, ...], bool]) -> GameRecord:
    problem = find_problem(*requirements)  # a worker may have joined after the check of all workers
    if problem is not None:
        raise WorkerError(f"a worker that joined the cluster cannot play: {problem}")
    return play_scheduled_game(game)


@cache
def find_problem(driver_version: str, addresses: tuple[str, ...], sandbox: bool) -> str | None:
    """Return why this machine cannot play games of these agents, or None.

    >>> find_problem(version, ("level-2",), True) is None
    True
    >>> find_problem("0.0", ("level-2",), True).startswith("has fourfall")
    True
    """
    if driver_version != version:
        return f"has fourfall {version}, but the event is run by {driver_version}; install the same version"
    for address in addresses:
        try:
            check_address(address)
        except (AddressError, ValueError) as error:
            return str(error)
    if sandbox and any(map(is_third_party, addresses)) and (missing := find_missing_protections()):
        names = ", ".join(protection.name for protection in missing)
        return f"third-party code cannot be sandboxed there: the machine lacks protections ({names})"
    return None
