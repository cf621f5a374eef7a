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
from fourfall.cluster.connection import connect

_AGENTS = ("level-20", "level-50")
_START_S = 120.0


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
    for command in (store, driver):
        command.add_argument("--folder", type=Path, help="folder of the database (default: a temporary one)")
    arguments = parser.parse_args()
    with contextlib.ExitStack() as stack:
        folder = arguments.folder or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        if arguments.command == "store":
            measure_store(folder, arguments.games)
        else:
            measure_driver(folder, arguments.workers, arguments.hosts, arguments.rates, arguments.seconds)


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
                add_games(store, event, records[start : start + size])
            wall, processor = time.perf_counter() - wall, time.process_time() - processor
        rate, each = games / wall, 1000 * processor / games
        print(f"| {size} | {rate:.0f} | {each:.2f} ms | {path.stat().st_size / games:.0f} |", flush=True)


def add_games(store: Store, event: int, records: list[GameRecord]) -> None:
    """Add games in one transaction."""
    with store.transact():
        for record in records:
            store._insert_game(event, record)


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
    """Counters at one moment."""

    time: float
    games: int
    driver: float
    store: float
    scheduler: float
    hosts: float
    network: int


def measure_driver(folder: Path, workers: int, hosts: int, rates: list[float], seconds: float) -> None:
    """Print what scheduler and driver spend per game while the workers return games at several rates."""
    with start_cluster(workers, hosts) as cluster, connect(cluster.address) as client:
        print("| offered | stored | driver | of it store | scheduler | simulated workers | bytes per game |")
        print("|---|---|---|---|---|---|---|")
        for rate in rates:
            measure_rate(folder / f"{rate:g}.db", client, cluster, workers / rate, seconds)


def measure_rate(path: Path, client: Client, cluster: Cluster, game_s: float, seconds: float) -> None:
    """Print one line of the table: games of `game_s` seconds on all workers for some seconds after the start."""
    timer = StoreTimer(path)
    with timer as store:
        event = store.create_event(Spec.match(*_AGENTS, pairs=500_000, move_time_s=game_s))
        start = time.perf_counter()
        executor = ClusterExecutor(client, _AGENTS)
        checked = time.perf_counter() - start
        with contextlib.closing(run_event(store, event, (), executor=executor)) as records:
            first, last, count = None, None, 0
            begin = time.perf_counter() + checked
            for _ in records:
                count += 1
                now = time.perf_counter()
                if first is None and now - begin > 1.5 * game_s:  # each worker has returned a game
                    first = take_sample(count, timer.processor_s, cluster)
                elif first is not None and now - first.time > seconds:
                    last = take_sample(count, timer.processor_s, cluster)
                    break
    assert first is not None
    assert last is not None
    games = last.games - first.games
    size = path.stat().st_size / count
    per_game = [
        1000 * (getattr(last, name) - getattr(first, name)) / games
        for name in ("driver", "store", "scheduler", "hosts")
    ]
    cells = [f"{len(client.list_workers()) / game_s:.0f}/s", f"{games / (last.time - first.time):.0f}/s"]
    cells += [f"{value:.2f} ms" for value in per_game]
    print("| " + " | ".join([*cells, f"{size:.0f}"]) + f" | checked in {checked:.1f} s", flush=True)


def take_sample(games: int, store_s: float, cluster: Cluster) -> Sample:
    """Return the counters now."""
    return Sample(
        time.perf_counter(),
        games,
        time.process_time(),
        store_s,
        get_processor_time(cluster.scheduler),
        sum(map(get_processor_time, cluster.hosts)),
        0,
    )


def get_processor_time(process: int) -> float:
    """Return the processor time of a process and its threads in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class StoreTimer(Store):
    """A store that measures the processor time and the time of adding games."""

    is_single = False
    processor_s = 0.0
    wall_s = 0.0

    def add_games(self, event: int, records: Iterable[GameRecord]) -> list[int]:
        """Add games, in one transaction or in one for each game."""
        wall, processor = time.perf_counter(), time.thread_time()
        batches = [[record] for record in records] if self.is_single else [list(records)]
        numbers = [number for batch in batches for number in super().add_games(event, batch)]
        self.wall_s += time.perf_counter() - wall
        self.processor_s += time.thread_time() - processor
        return numbers


if __name__ == "__main__":
    main()
