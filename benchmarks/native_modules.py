"""Compares builds of the native module `_core`, for example with and without the stable ABI of Python.

Each argument is `NAME=FILE`: a name for the table and the file of a module. Each module is loaded in a process of its
own. The processes take turns, so that other load on the machine affects all builds; each figure is the median of the
rounds.

    python -m benchmarks.native_modules normal=A/_core.cpython-311-x86_64-linux-gnu.so stable=B/_core.abi3.so
"""

import argparse
import importlib.util
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

ROUNDS = 15
ROUND_S = 0.1

Workload = Callable[[], int]
"""Runs once and returns the number of units processed."""


def load_module(path: Path) -> None:
    """Load the native module from `path` as the one that the package uses."""
    spec = importlib.util.spec_from_file_location("fourfall._core", path)
    if spec is None or spec.loader is None:
        sys.exit(f"{path} is not a native module; name a file that ends with .so")
    module = importlib.util.module_from_spec(spec)
    sys.modules["fourfall._core"] = module
    spec.loader.exec_module(module)


def make_short_calls() -> dict[str, Workload]:
    """Return workloads by name that do little work in each call, so that the cost of a call counts."""
    from fourfall import Board, BoardBatch, Engine, Limit

    board = Board.parse("9x10@4,4")
    position = Board.parse("9x10@4,4:5566")
    columns = board.legal_moves * 100
    batch = BoardBatch(64, 9, 10, seed=1)
    engine = Engine("fourfall-classic", seed=1)

    def push_and_pop() -> int:
        for column in columns:
            board.push(column)
            board.pop()
        return len(columns)

    def list_moves() -> int:
        for _ in range(1000):
            _ = board.legal_moves
        return 1000

    def step() -> int:
        for _ in range(20):
            batch.step(batch.random_actions())
        return 20

    def play() -> int:
        for _ in range(20):
            engine.play(position, Limit(simulations=10))
        return 20

    return {
        "push and pop, pairs/s": push_and_pop,
        "legal_moves, calls/s": list_moves,
        "BoardBatch.step of 64 boards, calls/s": step,
        "Engine.play with 10 simulations, calls/s": play,
    }


def make_long_calls() -> dict[str, Workload]:
    """Return workloads by name that work long in each call; they show differences of the compilers."""
    from fourfall import Board, Engine, Limit, rollouts

    board = Board.parse("9x10@4,4")
    position = Board.parse("9x10@4,4:665")
    network = Engine("fourfall", seed=1)

    def play_random_games() -> int:
        counts = rollouts(board, 20_000, seed=1)
        return counts.first + counts.draws + counts.second

    def search() -> int:
        return Engine("fourfall-classic", seed=1, memory_mb=16).search(position, Limit(simulations=2000)).simulations

    def evaluate() -> int:
        return len(network.evaluate([position] * 50, threads=1)[0])

    return {
        "random games, games/s": play_random_games,
        "search of fourfall-classic, simulations/s": search,
        "evaluations of the network, positions/s": evaluate,
    }


def serve(path: Path) -> None:
    """Measure the workload that each line of standard input names, for one round; print its rate."""
    load_module(path)
    workloads = make_short_calls() | make_long_calls()
    print(*workloads, sep="|", flush=True)
    for line in sys.stdin:
        run = workloads[line.rstrip("\n")]
        units, start = 0, time.process_time()
        while (seconds := time.process_time() - start) < ROUND_S:
            units += run()
        print(units / seconds, flush=True)


class Build:
    """A process with one build of the native module."""

    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        self.process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.native_modules", "--serve", str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.workloads = self._read().split("|")
        self.rates: dict[str, list[float]] = {workload: [] for workload in self.workloads}

    def _read(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"the process with the build {self.name} ended; its error is above")
        return line.rstrip("\n")

    def measure(self, workload: str) -> None:
        """Run one round of a workload."""
        assert self.process.stdin is not None
        print(workload, file=self.process.stdin, flush=True)
        self.rates[workload].append(float(self._read()))


def main() -> None:
    """Measure all builds in turn and print a table; ratios are relative to the first build."""
    parser = argparse.ArgumentParser(description="Compare builds of the native module.")
    parser.add_argument("builds", nargs="+", metavar="NAME=FILE", help="Name for the table and file of a module")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        serve(Path(arguments.builds[0]))
        return
    builds = []
    for argument in arguments.builds:
        name, _, path = argument.partition("=")
        if not Path(path).is_file():
            parser.error(f"{argument}: no such file; write NAME=FILE")
        builds.append(Build(name, Path(path).resolve()))
    for _ in range(ROUNDS):
        for workload in builds[0].workloads:
            for build in builds:
                build.measure(workload)
    print("| workload | " + " | ".join(build.name for build in builds) + " |")
    print("|---|" + "--:|" * len(builds))
    for workload in builds[0].workloads:
        rates = [median(build.rates[workload]) for build in builds]
        cells = [f"{rates[0]:,.0f}", *(f"{rate:,.0f} ({rate / rates[0]:.2f})" for rate in rates[1:])]
        print(f"| {workload} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
