"""Measures the steps of BoardBatch, compared with pgx if that is installed, and the functions of many boards.

Both sides do the same work at every step: 1024 games of connect four (6x7) with random legal columns, observations,
legal columns, rewards, and a new game where one has ended. pgx is compiled with jit and vmap and runs in its two ways:
one call from Python per step, as BoardBatch does, and 100 steps in one compiled loop (`lax.scan`). Both sides alternate
within every round on one core, and each figure is the median of the rounds, in steps per second of processor time. The
rows with one and two threads have all cores and are measured in wall-clock time.

    pip install pgx==2.6.0
    python benchmarks/batches.py
"""

import argparse
import importlib
import importlib.metadata
import os
import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import numpy as np

import fourfall
from fourfall import Board, BoardBatch, Engine, solve_many

BOARDS = 1024
SCANNED_STEPS = 100
REQUIRED_RATIO = 5

Workload = Callable[[], int]
"""Runs once and returns the number of steps (or positions) of all boards together."""


@dataclass
class Row:
    """One row of a table: a workload and its rates so far."""

    name: str
    run: Workload
    clock: Callable[[], float] = time.process_time
    rates: list[float] = field(default_factory=list)

    def measure(self, seconds: float) -> None:
        """Run repeatedly for some seconds and add the rate."""
        units, start = 0, self.clock()
        while (passed := self.clock() - start) < seconds:
            units += self.run()
        self.rates.append(units / passed)

    @property
    def rate(self) -> float:
        """Median of the rates."""
        return median(self.rates)


def step_at_random(batch: BoardBatch) -> Workload:
    """Play random legal columns."""

    def run() -> int:
        for _ in range(20):
            batch.step(batch.random_actions())
        return 20 * len(batch)

    return run


def make_pgx_rows() -> list[Row]:
    """Return the workloads of pgx; none if it is not installed."""
    try:
        jax = importlib.import_module("jax")
        pgx = importlib.import_module("pgx")
        wrappers = importlib.import_module("pgx.experimental.wrappers")
    except ImportError:
        return []
    numpy, env = jax.numpy, pgx.make("connect_four")
    step_boards = jax.vmap(wrappers.auto_reset(env.step, env.init))

    def step(carry: Any, _: None = None) -> tuple[Any, None]:  # noqa: ANN401
        """Draw one number per board, choose the legal column with that rank, and step."""
        state, key = carry
        key, own, each = jax.random.split(key, 3)
        mask = state.legal_action_mask
        rank = numpy.int32(jax.random.uniform(own, (BOARDS,)) * mask.sum(axis=1))
        actions = numpy.argmax(numpy.cumsum(mask, axis=1) > rank[:, None], axis=1)
        return (step_boards(state, actions, jax.random.split(each, BOARDS)), key), None

    def prepare(scanned: bool) -> Workload:
        """Compile a step, or a loop of steps, and return the workload."""
        if scanned:
            advance = jax.jit(lambda carry: jax.lax.scan(step, carry, None, length=SCANNED_STEPS)[0])
        else:
            advance = jax.jit(lambda carry: step(carry)[0])
        carry = (jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), BOARDS)), jax.random.PRNGKey(1))
        carry = jax.block_until_ready(advance(carry))

        def run() -> int:
            nonlocal carry
            carry = jax.block_until_ready(advance(carry))
            return BOARDS * (SCANNED_STEPS if scanned else 1)

        return run

    return [
        Row("pgx, one call per step", prepare(scanned=False)),
        Row("pgx, compiled loop", prepare(scanned=True)),
    ]


def make_own_rows() -> list[Row]:
    """Return the workloads of fourfall on one core."""
    return [
        Row("fourfall, float32", step_at_random(BoardBatch(BOARDS, 6, 7))),
        Row("fourfall, uint8", step_at_random(BoardBatch(BOARDS, 6, 7, dtype="uint8"))),
        Row("fourfall, official boards, float32", step_at_random(BoardBatch.random(BOARDS))),
        Row("fourfall, official boards, uint8", step_at_random(BoardBatch.random(BOARDS, dtype="uint8"))),
    ]


def make_thread_rows() -> list[Row]:
    """Return the workloads with one and two threads: steps, evaluations and solutions."""
    engine, positions = Engine("fourfall", memory_mb=16), sample_positions(64, 20)
    late = [board for board in sample_positions(2000, 60) if board.geometry.cells - board.ply <= 60][:400]

    def evaluate(threads: int) -> Workload:
        return lambda: len(engine.evaluate(positions, threads=threads)[0])

    def solve(threads: int) -> Workload:
        return lambda: len(solve_many(late, threads=threads, positions=20_000))

    rows = []
    for threads in (1, 2):
        text = f"{threads} thread{'s' * (threads > 1)}"
        for boards in (1024, 16384):
            batch = BoardBatch(boards, 6, 7, threads=threads)
            rows.append(Row(f"steps, {boards} boards 6x7, {text}", step_at_random(batch), time.perf_counter))
        batch = BoardBatch.random(16384, threads=threads)
        rows.append(Row(f"steps, 16384 official boards, {text}", step_at_random(batch), time.perf_counter))
        if engine.evaluator == "network":
            rows.append(Row(f"Engine.evaluate, official boards, {text}", evaluate(threads), time.perf_counter))
        rows.append(Row(f"solve_many, at most 20,000 positions each, {text}", solve(threads), time.perf_counter))
    return rows


def sample_positions(count: int, steps: int) -> list[Board]:
    """Return positions of random games on official boards after some moves."""
    batch = BoardBatch.random(count, seed=1)
    for _ in range(steps):
        batch.step(batch.random_actions())
    return batch.boards


def measure_in_turn(rows: Sequence[Row], rounds: int, seconds: float) -> None:
    """Measure all rows in every round."""
    for _ in range(rounds):
        for row in rows:
            row.measure(seconds)


def print_table(title: str, rows: Sequence[Row]) -> None:
    """Print names and medians."""
    print(f"\n| {title} | per second |\n|---|--:|")
    for row in rows:
        print(f"| {row.name} | {row.rate:,.0f} |")


def print_ratios(rows: dict[str, float]) -> None:
    """Print how many times faster BoardBatch is than each way of pgx."""
    print("\n| fourfall compared with | float32 | uint8 | required |\n|---|--:|--:|--:|")
    for name, rate in rows.items():
        if name.startswith("pgx"):
            ratios = [rows[f"fourfall, {dtype}"] / rate for dtype in ("float32", "uint8")]
            verdict = "met" if min(ratios) >= REQUIRED_RATIO else "NOT MET"
            print(f"| {name} | {ratios[0]:.1f} | {ratios[1]:.1f} | {REQUIRED_RATIO}: {verdict} |")


def main() -> None:
    """Measure all workloads and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9, help="number of rounds")
    parser.add_argument("--seconds", type=float, default=0.3, help="time of one measurement in seconds")
    arguments = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, cores[:1])  # before JAX starts its threads
    rows = make_pgx_rows() + make_own_rows()
    measure_in_turn(rows, arguments.rounds, arguments.seconds)
    os.sched_setaffinity(0, cores)
    thread_rows = make_thread_rows()
    measure_in_turn(thread_rows, arguments.rounds, arguments.seconds)

    versions = [f"Python {platform.python_version()}", f"fourfall {fourfall.__version__}", f"NumPy {np.__version__}"]
    has_pgx = rows[0].name.startswith("pgx")
    if has_pgx:
        versions += [f"{name} {importlib.metadata.version(name)}" for name in ("pgx", "jax")]
    print(f"Versions: {', '.join(versions)}")
    print(f"Command: python benchmarks/batches.py --rounds {arguments.rounds} --seconds {arguments.seconds:g}")
    print_table(f"steps of {BOARDS} boards, one core, processor time", rows)
    if has_pgx:
        print_ratios({row.name: row.rate for row in rows})
    else:
        print("\npgx is not installed; to compare with it: pip install pgx==2.6.0")
    print_table(f"threads, {len(cores)} cores, wall-clock time", thread_rows)


if __name__ == "__main__":
    main()
