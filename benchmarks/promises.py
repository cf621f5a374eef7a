"""Measures whether engines keep their time on a loaded machine: many moves at 50 ms beside four busy processes.

python benchmarks/promises.py [--moves 1000] [--presets seed-002 seed-004-v17]
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
    """Print, per preset, how late its moves came."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--moves", type=int, default=1000)
    parser.add_argument("--busy", type=int, default=4, help="busy processes beside the engine")
    parser.add_argument("--presets", nargs="*", default=["seed-000", "seed-002", "seed-004-v12", "seed-004-v17"])
    arguments = parser.parse_args()
    print(f"{arguments.moves} moves at {LIMIT_MS} ms beside {arguments.busy} busy processes; lateness in ms\n")
    print("| preset | median | 99 % | worst | within +10 ms | beyond +60 ms | thinking time used |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    with load(arguments.busy):
        for name in arguments.presets:
            late, used = lateness_ms(name, arguments.moves)
            late.sort()
            within = sum(ms <= 10 for ms in late) / len(late)
            print(
                f"| {name} | {late[len(late) // 2]:.1f} | {late[int(0.99 * len(late))]:.1f} | {late[-1]:.1f} |"
                f" {100 * within:.1f} % | {sum(ms > 60 for ms in late)} | {100 * used:.0f} % |"
            )


def lateness_ms(name: str, moves: int) -> tuple[list[float], float]:
    """Play games of an engine against itself; how late each searched move was, and the share of the limit used."""
    late: list[float] = []
    used = 0.0
    for seed in count():
        board, engine = Board.random(seed), Engine(name, seed=seed)
        while not board.is_over:
            if len(late) == moves:
                return late, used / moves
            begin = time.perf_counter()
            analysis = engine.analyse(board, Limit(time=LIMIT_MS / 1000))
            took_ms = 1000 * (time.perf_counter() - begin)
            board.push(analysis.move)
            if analysis.stopped_by == "time":
                late.append(took_ms - LIMIT_MS)
                used += took_ms / LIMIT_MS
    raise AssertionError("games never run out")


@contextmanager
def load(processes: int) -> Iterator[None]:
    """Keep processors busy for as long as the block runs."""
    busy = [multiprocessing.Process(target=_spin, daemon=True) for _ in range(processes)]
    for process in busy:
        process.start()
    try:
        yield
    finally:
        for process in busy:
            process.terminate()


def _spin() -> None:
    for _ in count():
        pass


if __name__ == "__main__":
    main()
