"""Measures the limits of a cluster's driver: games into SQLite, and the scheduler and driver with 1,000 workers.

python -m benchmarks.cluster store [--games 3000]
python -m benchmarks.cluster driver [--workers 1000] [--seconds 20]
"""

import argparse
import contextlib
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from distributed import Client

from benchmarks.generated_games import play_random_game
from fourfall.arena.cluster_executor import ClusterExecutor
from fourfall.arena.event_runner import run_event
from fourfall.arena.record import GameRecord
from fourfall.arena.spec import Spec
from fourfall.arena.store import Store
from fourfall.cluster.connection import Connection, connect
from fourfall.cluster.status import WorkerState

_AGENTS = ("level-20", "level-50")
_START_S = 600.0
_HEADER = (
    "offered",
    "stored",
    "games per transaction",
    "driver",
    "of it store",
    "scheduler",
    "simulated workers",
    "bytes per game",
)


def main() -> None:
    """Run the selected measurement."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    store = commands.add_parser("store", help="games per second into SQLite, bytes per game")
    store.add_argument("--games", type=int, default=3000, help="number of games per measurement")
    driver = commands.add_parser("driver", help="scheduler and driver with simulated workers")
    driver.add_argument("--workers", type=int, default=1000, help="number of simulated workers")
    driver.add_argument("--hosts", type=int, default=4, help="processes that host them")
    driver.add_argument("--rates", type=float, nargs="+", default=[50, 100, 200, 400], help="games per second offered")
    driver.add_argument("--seconds", type=float, default=20, help="duration of each measurement")
    driver.add_argument("--single", action="store_true", help="store each game in a transaction of its own")
    for command in (store, driver):
        command.add_argument("--folder", type=Path, help="folder of the database (default: a temporary one)")
    arguments = parser.parse_args()
    with contextlib.ExitStack() as stack:
        folder = arguments.folder or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        if arguments.command == "store":
            measure_store(folder, arguments.games)
        else:
            measure_driver(
                folder,
                arguments.workers,
                arguments.hosts,
                arguments.rates,
                arguments.seconds,
                is_single=arguments.single,
            )


def make_records(count: int) -> list[GameRecord]:
    """Return records of random games on official boards with consecutive numbers."""
    source = random.Random(0)  # noqa: S311 (a benchmark must be repeatable)
    pool = [play_random_game(source) for _ in range(200)]
    return [replace(pool[at % 200], number=at, pair=at // 2, names=_AGENTS, addresses=_AGENTS) for at in range(count)]


def measure_store(folder: Path, games: int) -> None:
    """Print the speed of the store with one game and with several games per transaction."""
    records = make_records(games)
    print("| games per transaction | games/s | processor time per game | bytes per game |")
    print("|---|---|---|---|")
    for size in (1, 4, 16, 64):
        path = folder / f"store-{size}.db"
        with Store(path) as store:
            event = store.create_event(Spec.match(*_AGENTS, pairs=games // 2))
            wall, processor = time.perf_counter(), time.process_time()
            for start in range(0, games, size):
                store.add_games(event, records[start : start + size])
            wall, processor = time.perf_counter() - wall, time.process_time() - processor
        rate, each = games / wall, 1000 * processor / games
        print(f"| {size} | {rate:.0f} | {each:.2f} ms | {path.stat().st_size / games:.0f} |", flush=True)


@dataclass(frozen=True)
class Cluster:
    """Processes of a simulated cluster."""

    address: str
    scheduler: int
    hosts: list[int]


@contextlib.contextmanager
def start_cluster(workers: int, hosts: int) -> Iterator[Cluster]:
    """Start a scheduler process and processes with simulated workers; end them afterwards."""
    with contextlib.ExitStack() as stack, tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scheduler.json"
        arguments = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
        scheduler = stack.enter_context(start_process("-m", "dask", "scheduler", *arguments))
        with Client(scheduler_file=str(file), timeout=30) as client:
            address = client.scheduler.address
            shares = [workers // hosts + (at < workers % hosts) for at in range(hosts)]
            processes = [
                stack.enter_context(
                    start_process(
                        "-m", "benchmarks.simulated_workers", address, "--count", f"{share}", "--name", f"{at}"
                    )
                )
                for at, share in enumerate(shares)
            ]
            start = time.monotonic()
            client.wait_for_workers(workers, timeout=_START_S)
            print(f"{workers} workers in {hosts} processes joined within {time.monotonic() - start:.0f} s", flush=True)
        yield Cluster(address, scheduler, processes)


@contextlib.contextmanager
def start_process(*arguments: str) -> Iterator[int]:
    """Run Python with arguments until the context exits."""
    process = subprocess.Popen([sys.executable, *arguments], stderr=subprocess.DEVNULL)
    try:
        yield process.pid
    finally:
        process.kill()
        process.wait()


@dataclass(frozen=True)
class Sample:
    """Counters at one moment: games, processor times and waiting times in seconds."""

    time_s: float
    games: int
    transactions: int
    driver_s: float
    store_s: float
    scheduler_s: float
    hosts_s: float


def measure_driver(
    folder: Path, workers: int, hosts: int, rates: list[float], seconds: float, *, is_single: bool
) -> None:
    """Print what scheduler and driver spend per game while the workers return games at several rates."""
    with start_cluster(workers, hosts) as cluster, connect(cluster.address) as connection:
        print(format_row(_HEADER))
        print(format_row(["---"] * len(_HEADER)))
        for rate in rates:
            with contextlib.closing(TimedStore(folder / f"{rate:g}.db")) as store:
                store.is_single = is_single
                print(format_row(measure_rate(store, connection, cluster, workers, rate, seconds)), flush=True)


def format_row(cells: Iterable[str]) -> str:
    """Return a row of a Markdown table."""
    return f"| {' | '.join(cells)} |"


def measure_rate(
    store: "TimedStore", connection: Connection, cluster: Cluster, workers: int, rate: float, seconds: float
) -> list[str]:
    """Return one row of the table: all workers together finish `rate` games per second if nothing holds them up."""
    game_s = workers / rate
    event = store.create_event(Spec.match(*_AGENTS, pairs=500_000, move_time_s=game_s))
    executor = ClusterExecutor(connection, _AGENTS)
    first: Sample | None = None
    usable_at: float | None = None
    games = 0
    with contextlib.closing(run_event(store, event, (), executor=executor)) as records:
        for _ in records:
            games += 1
            now = time.perf_counter()
            if usable_at is None:
                is_usable = games % 50 == 0 and executor.status.count(WorkerState.OK) == workers
                usable_at = now if is_usable else None
            elif first is None:
                first = take_sample(store, games, cluster) if now > usable_at + 1.5 * game_s else None
            elif now > first.time_s + seconds:
                break
    assert first is not None
    last = take_sample(store, games, cluster)
    count = last.games - first.games
    times = [
        1000 * (getattr(last, name) - getattr(first, name)) / count
        for name in ("driver_s", "store_s", "scheduler_s", "hosts_s")
    ]
    return [
        f"{rate:g}/s",
        f"{count / (last.time_s - first.time_s):.0f}/s",
        f"{count / (last.transactions - first.transactions):.1f}",
        *(f"{value:.2f} ms" for value in times),
        f"{store.path.stat().st_size / games:.0f}",
    ]


def take_sample(store: "TimedStore", games: int, cluster: Cluster) -> Sample:
    """Return the counters now."""
    return Sample(
        time.perf_counter(),
        games,
        store.transactions,
        time.process_time(),
        store.processor_s,
        get_processor_time(cluster.scheduler),
        sum(map(get_processor_time, cluster.hosts)),
    )


def get_processor_time(process: int) -> float:
    """Return the processor time of a process and its threads in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class TimedStore(Store):
    """A store that measures the processor time of adding games; `is_single` gives each game its own transaction."""

    is_single = False
    transactions = 0
    processor_s = 0.0

    def add_games(self, event: int, records: Iterable[GameRecord]) -> list[int]:
        """Add games in one transaction, or in one transaction each."""
        start = time.thread_time()
        batches = [[record] for record in records] if self.is_single else [list(records)]
        numbers = [number for batch in batches for number in Store.add_games(self, event, batch)]
        self.processor_s += time.thread_time() - start
        self.transactions += len(batches)
        return numbers


if __name__ == "__main__":
    main()
