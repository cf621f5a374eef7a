"""Measures the solver with several threads: wall-clock time, processor time and positions of one board.

python benchmarks/solver_threads.py [--board 6x7] [--threads 1 2] [--rounds 1] [--memory-mb 64]

The numbers of threads take turns; of each, the round with the shortest wall-clock time counts. The speed-up is the
ratio of wall-clock times and says something only if as many cores are idle as there are threads.
"""

import argparse
import time
from dataclasses import dataclass

from fourfall import Board, Solution, solve


@dataclass(frozen=True)
class Run:
    """One solution of the board."""

    wall_s: float
    processor_s: float
    solution: Solution


def main() -> None:
    """Solve the board with each number of threads and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--board", default="6x7", help="board or position, as for fourfall solve")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2], help="numbers of threads")
    parser.add_argument("--rounds", type=int, default=1, help="solutions with each number of threads")
    parser.add_argument("--memory-mb", type=int, default=64, help="memory of the table in megabytes")
    arguments = parser.parse_args()
    board = Board.parse(arguments.board)
    runs: dict[int, list[Run]] = {threads: [] for threads in arguments.threads}
    for _ in range(arguments.rounds):
        for threads, done in runs.items():
            done.append(solve_once(board, threads, arguments.memory_mb))
    print_table(runs)


def solve_once(board: Board, threads: int, memory_mb: int) -> Run:
    """Solve the board with an empty table."""
    wall, processor = time.perf_counter(), time.process_time()
    solution = solve(board, threads=threads, memory_mb=memory_mb)
    return Run(time.perf_counter() - wall, time.process_time() - processor, solution)


def print_table(runs: dict[int, list[Run]]) -> None:
    """Print the fastest run of each number of threads; the speed-up is relative to the first number."""
    print("| threads | score | million positions | wall-clock seconds | processor seconds | speed-up |")
    print("|---:|---|---:|---:|---:|---:|")
    fastest = {threads: min(done, key=lambda run: run.wall_s) for threads, done in runs.items()}
    first = next(iter(fastest.values()))
    for threads, run in fastest.items():
        print(
            f"| {threads} | {run.solution.score} | {run.solution.positions / 1e6:.1f} | {run.wall_s:.2f} "
            f"| {run.processor_s:.2f} | {first.wall_s / run.wall_s:.2f} |"
        )


if __name__ == "__main__":
    main()
