"""Campaign of faults: an event on a cluster whose workers are killed, stopped and added and whose scheduler restarts.

Every game must be stored once, with the moves that it has on one machine, and the games must last until all faults were
made. Run it with:

    python -m tests.cluster.campaign --games 1000 --faults 60 --seed 1
"""

import argparse
import random
import signal
import tempfile
import threading
from collections import Counter
from pathlib import Path

from fourfall.arena.cluster_executor import ClusterExecutor
from fourfall.arena.event_runner import run_event
from fourfall.arena.schedule import schedule_games
from fourfall.arena.spec import Spec
from fourfall.arena.store import Store
from fourfall.arena.worker import play_scheduled_game
from fourfall.cluster.connection import connect
from tests.cluster.dask_processes import DaskProcess, DaskProcesses, start_dask

_AGENTS = ("seed-002?simulations=10000", "seed-000?simulations=10000")
_FAULTS = {"kill": 8, "stop": 3, "restart": 1}
"""Faults and how often they occur, relative to each other: a worker is killed or stopped, the scheduler restarts."""
_WORKERS = 3
_COMPARED = 50
_SILENCE_S = 5.0


class FaultMaker:
    """Makes faults at random until a number of them was made; afterwards the cluster is complete."""

    def __init__(self, dask: DaskProcesses, faults: int, seed: int) -> None:
        self.counts: Counter[str] = Counter()
        self._dask = dask
        self._faults = faults
        self._random = random.Random(seed)  # noqa: S311 (a test must be repeatable)
        self._scheduler = dask.processes[0]
        self._workers: list[DaskProcess] = []
        self._started = 0
        for _ in range(_WORKERS):
            self._start_worker()
        self.is_over = threading.Event()

    def run(self) -> None:
        """Make faults, about one a second."""
        for _ in range(self._faults):
            if self.is_over.wait(self._random.uniform(0.2, 2.0)):
                return
            fault = self._random.choices(list(_FAULTS), list(_FAULTS.values()))[0]
            self.counts[fault] += 1
            if fault == "kill":
                self._workers.pop(self._random.randrange(_WORKERS)).kill()
                self._start_worker()
            elif fault == "stop":
                worker = self._random.choice(self._workers)
                worker.send_signal(signal.SIGSTOP)
                self.is_over.wait(self._random.choice([0.5, 2 * _SILENCE_S]))
                worker.send_signal(signal.SIGCONT)
            else:
                self._restart_scheduler()

    def _start_worker(self) -> None:
        self._started += 1
        self._workers.append(self._dask.start_worker(f"worker-{self._started}"))

    def _restart_scheduler(self) -> None:
        """Kill the scheduler; its workers end, and new ones are started, as a service manager does."""
        self._scheduler.kill()
        self._scheduler = self._dask.start_scheduler()
        for worker in self._workers:
            worker.kill()
        self._workers.clear()
        for _ in range(_WORKERS):
            self._start_worker()


def main() -> None:
    """Run the campaign; the exit code is 1 if a fault was not made, or a game is missing, doubled or different."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=1000, help="number of games (even)")
    parser.add_argument("--faults", type=int, default=60, help="number of faults")
    parser.add_argument("--seed", type=int, default=1, help="random seed of the faults")
    arguments = parser.parse_args()
    spec = Spec.match(*_AGENTS, pairs=arguments.games // 2, boards=["5x6"])
    with tempfile.TemporaryDirectory() as name, start_dask(Path(name)) as dask, Store(Path(name, "arena.db")) as store:
        faults = FaultMaker(dask, arguments.faults, arguments.seed)
        thread = threading.Thread(target=faults.run)
        event = store.create_event(spec)
        thread.start()
        try:
            with connect(dask.address) as connection:
                executor = ClusterExecutor(connection, silence_s=_SILENCE_S)
                for count, _ in enumerate(run_event(store, event, (), executor=executor), 1):
                    if count % 100 == 0:
                        print(f"{count} games, faults so far: {dict(faults.counts)}", flush=True)
        finally:
            faults.is_over.set()
            thread.join()
        records = list(store.find_records(event))
    if faults.counts.total() < arguments.faults or len(faults.counts) < len(_FAULTS):
        raise SystemExit(f"the games ended after the faults {dict(faults.counts)}; give more --games")
    numbers = [record.number for record in records]
    if numbers != list(range(arguments.games)):
        raise SystemExit(f"{len(set(range(arguments.games)) - set(numbers))} games are missing")
    games = list(schedule_games(spec))
    for game in random.Random(arguments.seed).sample(games, min(_COMPARED, len(games))):  # noqa: S311
        if play_scheduled_game(game).without_times() != records[game.number].without_times():
            raise SystemExit(f"game {game.number} differs from the same game on one machine")
    print(f"{len(records)} games, each once; faults: {dict(faults.counts)}")


if __name__ == "__main__":
    main()
