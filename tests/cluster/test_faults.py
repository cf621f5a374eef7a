"""Tests faults while games are played: killed, silent and slow workers, a scheduler restart, a killed driver."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from fourfall.arena.cluster_executor import ClusterExecutor
from fourfall.arena.event_runner import run_event
from fourfall.arena.schedule import schedule_games
from fourfall.arena.spec import Spec
from fourfall.arena.store import Store
from fourfall.cluster.calibration import TimingPolicy
from fourfall.cluster.connection import connect
from fourfall.cluster.status import WorkerState
from tests.cluster.dask_processes import DaskProcesses, start_dask
from tests.processes import wait_until

FIXED = ("seed-002?simulations=300", "seed-000?simulations=300")
TIMED = ("seed-002?time=0.02", "seed-000?time=0.02")


def make_spec(agents: tuple[str, str], pairs: int) -> Spec:
    """Return a match on a small board."""
    return Spec.match(*agents, pairs=pairs, boards=["5x6"])


@contextmanager
def open_executor(
    dask: DaskProcesses, *, patience_s: float = 60, silence_s: float = 30, policy: TimingPolicy | None = None
) -> Iterator[ClusterExecutor]:
    """Connect to a scheduler and make an executor."""
    with connect(dask.address) as connection:
        yield ClusterExecutor(connection, patience_s=patience_s, silence_s=silence_s, policy=policy)


def test_workers_are_killed_and_added(tmp_path: Path) -> None:
    """Every game is stored once, although the first workers die in a game."""
    spec = make_spec(FIXED, 10)
    with (
        start_dask(tmp_path) as dask,
        Store(tmp_path / "arena.db") as store,
        open_executor(dask) as executor,
    ):
        worker = dask.start_worker("first")
        event = store.create_event(spec)
        with closing(run_event(store, event, (), executor=executor)) as records:
            for count, _ in enumerate(records, 1):
                if count in (4, 12):
                    worker.kill()
                    worker = dask.start_worker(f"after-{count}")
        numbers = Counter(record.number for record in store.find_records(event))
        states = [worker.state for worker in executor.status.workers]
    assert numbers == Counter(range(20))
    assert states.count(WorkerState.LOST) == 2


def test_scheduler_restart(tmp_path: Path) -> None:
    """The driver connects to the new scheduler and continues with the workers that connect to it; no game twice."""
    spec = make_spec(FIXED, 10)
    with start_dask(tmp_path) as dask, Store(tmp_path / "arena.db") as store:
        scheduler = dask.processes[0]
        dask.start_worker("before")
        event = store.create_event(spec)
        with open_executor(dask) as executor, closing(run_event(store, event, (), executor=executor)) as records:
            for count, _ in enumerate(records, 1):
                if count == 4:
                    scheduler.kill()
                    dask.start_scheduler()
                    dask.start_worker("after")
        numbers = Counter(record.number for record in store.find_records(event))
        workers = {record.worker for record in store.find_records(event)}
    assert numbers == Counter(range(20))
    assert workers == {"before", "after"}


def test_silent_worker(dask: DaskProcesses) -> None:
    """A worker that stands still loses its game to another one; its late result is dropped."""
    games = list(schedule_games(make_spec(FIXED, 15)))
    numbers: Counter[int] = Counter()
    with open_executor(dask, silence_s=2) as executor:
        stopped = dask.processes[2]
        try:
            for record in executor.play(games):
                numbers[record.number] += 1
                running = {worker.name: worker.running for worker in executor.status.workers}
                if len(numbers) == 5 and running.get("worker-1"):
                    stopped.send_signal(signal.SIGSTOP)
                elif any(worker.state is WorkerState.LOST for worker in executor.status.workers):
                    stopped.send_signal(signal.SIGCONT)
        finally:
            stopped.send_signal(signal.SIGCONT)
    assert numbers == Counter(range(30))


def test_slow_worker(dask: DaskProcesses) -> None:
    """A worker that gets a fifth of its core is named; its timed games are marked or played again by the other one."""
    is_over = threading.Event()
    slow = dask.processes[2]

    def limit_processor_time() -> None:
        while not is_over.is_set():
            slow.send_signal(signal.SIGSTOP)
            is_over.wait(0.04)
            slow.send_signal(signal.SIGCONT)
            time.sleep(0.01)

    def find_state() -> WorkerState:
        states = {worker.name: worker.state for worker in executor.status.workers}
        return states.get("worker-1", WorkerState.STARTING)

    limiter = threading.Thread(target=limit_processor_time)
    with open_executor(dask, policy=TimingPolicy(max_repeats=1, recheck_s=600)) as executor:
        while find_state() is WorkerState.STARTING:
            list(executor.play(schedule_games(make_spec(FIXED, 1))))
        limiter.start()
        try:
            records = list(executor.play(schedule_games(make_spec(TIMED, 2))))
        finally:
            is_over.set()
            limiter.join()
    assert find_state() in (WorkerState.SLOW, WorkerState.OVERLOADED)
    assert all(record.timing for record in records if record.worker == "worker-1")


def test_driver_is_killed(tmp_path: Path, dask: DaskProcesses) -> None:
    """The store of a killed driver is sound; the missing games are played by the next run, and no game twice."""
    database = tmp_path / "arena.db"
    spec = make_spec(FIXED, 10)
    with Store(database) as store:
        event = store.create_event(spec)
    program = (
        "import sys\nfrom pathlib import Path\n"
        "from fourfall.arena.cluster_executor import ClusterExecutor\n"
        "from fourfall.arena.event_runner import run_event\nfrom fourfall.arena.store import Store\n"
        "from fourfall.cluster.connection import connect\n"
        "with Store(Path(sys.argv[2])) as store, connect(sys.argv[1]) as connection:\n"
        "    for record in run_event(store, 1, (), executor=ClusterExecutor(connection)):\n"
        "        print(record.number, flush=True)\n"
    )
    driver = subprocess.Popen(
        [sys.executable, "-c", program, dask.address, str(database)], stdout=subprocess.PIPE, env=os.environ
    )
    assert driver.stdout is not None
    for _ in range(3):
        driver.stdout.readline()
    driver.kill()
    driver.communicate()
    with Store(database) as store, open_executor(dask) as executor:
        before = store.get_played_numbers(event)
        assert 3 <= len(before) < 20
        again = {record.number for record in run_event(store, event, (), executor=executor)}
        assert again.isdisjoint(before)
        assert Counter(record.number for record in store.find_records(event)) == Counter(range(20))


def test_stopping_leaves_games_out(dask: DaskProcesses) -> None:
    """After `stopping` is set, the running games are finished and no other one is started."""
    count = 0
    with open_executor(dask) as executor:
        for _ in executor.play(schedule_games(make_spec(FIXED, 50))):
            executor.stopping = True
            count += 1
    assert 1 <= count <= 3


def test_games_of_a_closed_executor_are_abandoned(dask: DaskProcesses) -> None:
    """A worker ends a long game after its next move when nobody waits for it, so that it is free again."""
    long_game = Spec.match("seed-002?time=0.3", "seed-000?time=0.3", pairs=1, boards=["12x12"])
    with open_executor(dask) as executor, closing(executor.play(schedule_games(long_game))) as records:
        started = threading.Thread(target=lambda: next(records, None), daemon=True)
        started.start()
        assert wait_until(lambda: any(worker.running for worker in executor.status.workers))
        time.sleep(1)
        executor.is_cancelled = lambda: True
        started.join()
    begin = time.monotonic()
    with open_executor(dask) as executor:
        assert len(list(executor.play(list(schedule_games(make_spec(FIXED, 1)))))) == 2
    assert time.monotonic() - begin < 30  # the long game takes at least 40 s
