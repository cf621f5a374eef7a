"""Measures whether engines keep the time limit on a loaded machine: 50 ms per move next to four busy processes.

python benchmarks/time_limits.py [--moves 1000] [--busy 4] [--one-engine] [--presets seed-002 seed-004-v17]
"""

import argparse
import multiprocessing
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

from fourfall import Board, Engine, Limit

LIMIT_MS = 50


def main() -> None:
    """Print the lateness of the moves of each preset."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--moves", type=int, default=1000, help="searched moves per preset")
    parser.add_argument("--busy", type=int, default=4, help="busy processes that run at the same time")
    parser.add_argument("--one-engine", action="store_true", help="one engine for all games, on boards of all sizes")
    parser.add_argument(
        "--presets",
        nargs="*",
        default=["seed-000", "seed-002", "seed-004-v12", "seed-004-v17"],
        help="presets to measure",
    )
    arguments = parser.parse_args()
    print(f"{arguments.moves} moves at {LIMIT_MS} ms next to {arguments.busy} busy processes; lateness in ms\n")
    print("| preset | median | 99 % | worst | within +10 ms | beyond +60 ms | search time used |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    with run_busy_processes(arguments.busy):
        for name in arguments.presets:
            late, used = measure_lateness_ms(name, arguments.moves, one_engine=arguments.one_engine)
            late.sort()
            within = sum(ms <= 10 for ms in late) / len(late)
            print(
                f"| {name} | {late[len(late) // 2]:.1f} | {late[int(0.99 * len(late))]:.1f} | {late[-1]:.1f} |"
                f" {100 * within:.1f} % | {sum(ms > 60 for ms in late)} | {100 * used:.0f} % |"
            )


def measure_lateness_ms(name: str, moves: int, *, one_engine: bool) -> tuple[list[float], float]:
    """Play an engine against itself; return the lateness of each searched move and the share of the limit used."""
    late: list[float] = []
    used = 0.0
    engine = Engine(name)
    for seed in count():
        board = Board.random(seed)
        if not one_engine:
            engine = Engine(name, seed=seed)
        while not board.is_over:
            if len(late) == moves:
                return late, used / moves
            start = time.perf_counter()
            analysis = engine.search(board, Limit(time=LIMIT_MS / 1000))
            took_ms = 1000 * (time.perf_counter() - start)
            board.push(analysis.move)
            if analysis.stopped_by == "time":
                late.append(took_ms - LIMIT_MS)
                used += took_ms / LIMIT_MS
    raise AssertionError("unreachable: the loop has no end")


@contextmanager
def run_busy_processes(number: int) -> Iterator[None]:
    """Run processes that use all the processor time they get, until the block ends."""
    processes = [multiprocessing.Process(target=_spin, daemon=True) for _ in range(number)]
    for process in processes:
        process.start()
    try:
        yield
    finally:
        for process in processes:
            process.terminate()


def _spin() -> None:
    for _ in count():
        pass


if __name__ == "__main__":
    main()
