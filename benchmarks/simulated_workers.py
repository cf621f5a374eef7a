"""Hosts many Dask workers in one process whose games return a prepared record after a delay.

The scheduler and the driver see ordinary workers: each has its own connections, heartbeats, thread and state. Only the
game is replaced: a thread sleeps for about the time per move of the game, then returns a generated record.

python -m benchmarks.simulated_workers tcp://127.0.0.1:8786 --count 250
"""

import argparse
import asyncio
import random
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import dask
from distributed import Worker

from benchmarks.generated_games import play_random_game
from fourfall.arena import cluster_game
from fourfall.arena.game import ScheduledGame
from fourfall.arena.record import GameRecord
from fourfall.cluster.calibration import Speed
from fourfall.cluster.worker_report import examine_worker

_POOL = 50
_STARTED_AT_ONCE = 20

# What a worker does for its own statistics would take the processor from scheduler and driver.
QUIET = {
    "distributed.admin.system-monitor.interval": "1h",
    "distributed.admin.tick.interval": "1h",
    "distributed.worker.profile.enabled": False,
    "distributed.worker.memory.spill": False,
}


def make_player(seed: int) -> Callable[..., GameRecord]:
    """Return a function that stands for playing a game; its records are those of random games on official boards."""
    source = random.Random(seed)  # noqa: S311 (a benchmark must be repeatable)
    pool = [play_random_game(source) for _ in range(_POOL)]

    def play(game: ScheduledGame, **_: object) -> GameRecord:
        first, second = game.seats
        time.sleep(first.conditions.move_time_s * source.uniform(0.5, 1.5))
        return replace(
            source.choice(pool),
            number=game.number,
            pair=game.pair,
            group=game.group,
            names=(first.name, second.name),
            addresses=(first.address, second.address),
            started=datetime.now(UTC).isoformat(timespec="milliseconds"),
        )

    return play


async def host_workers(scheduler: str, count: int, name: str) -> None:
    """Run the workers until the scheduler ends."""
    workers = []
    for start in range(0, count, _STARTED_AT_ONCE):
        batch = [
            Worker(scheduler, nthreads=1, name=f"{name}-{at}", memory_limit=0, dashboard=False)
            for at in range(start, min(count, start + _STARTED_AT_ONCE))
        ]
        workers += await asyncio.gather(*batch)
    await asyncio.gather(*(worker.finished() for worker in workers))


def main() -> None:
    """Host the workers."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("scheduler", help="address of the scheduler")
    parser.add_argument("--count", type=int, default=100, help="number of workers")
    parser.add_argument("--name", default="0", help="prefix of the workers' names, a number")
    arguments = parser.parse_args()
    report = replace(examine_worker(), load=0.0)
    # Hundreds of workers on one core cannot be calibrated.
    vars(cluster_game).update(
        play_scheduled_game=make_player(int(arguments.name)),
        examine_worker=lambda: report,
        measure_speed=lambda: Speed(10_000.0, 0.0),
        find_missing_protections=lambda: (),
    )
    with dask.config.set(QUIET):
        asyncio.run(host_workers(arguments.scheduler, arguments.count, arguments.name))


if __name__ == "__main__":
    main()
