"""Measures every preset: simulations per second on every official size, memory, threads, reuse, claims of the seeds.

python benchmarks/engines.py [--seconds 0.2] [--presets seed-002 seed-003]
"""

import argparse
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fourfall import Board, Engine, Limit, presets

SIZES = [(rows, cols) for rows in range(9, 13) for cols in range(9, 13)]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=0.2, help="time per search in seconds")
    parser.add_argument(
        "--presets", nargs="*", default=list(presets.list_names()), help="presets to measure (default: all)"
    )
    arguments = parser.parse_args()
    measure_speeds(arguments.presets, arguments.seconds)
    measure_threads(arguments.seconds)
    measure_rollouts(arguments.seconds)
    measure_reuse(arguments.presets, arguments.seconds)
    check_claims(arguments.seconds)


def make_empty_board(rows: int, cols: int) -> Board:
    """Return an empty board whose hole is in the middle column, a third of the way down."""
    return Board(rows, cols, hole=(rows // 3, cols // 2))


def measure_speeds(names: list[str], seconds: float) -> None:
    """Print simulations per second from the empty board of every size; memory and profile are those of 12x12."""
    print(
        f"\nThousand simulations per second, empty board, {seconds} s per search; the last columns are those of 12x12\n"
    )
    heads = [f"{rows}x{cols}" for rows, cols in SIZES]
    print(
        "| preset | "
        + " | ".join(heads)
        + " | bytes/simulation | selection | expansion | evaluation | solver | backup |"
    )
    print("|---|" + "---:|" * (len(heads) + 6))
    for name in names:
        cells = []
        for rows, cols in SIZES:
            analysis = Engine(name, seed=1).search(make_empty_board(rows, cols), Limit(time=seconds))
            cells.append(f"{analysis.simulations_per_second / 1e3:.0f}")
        shares = " | ".join(f"{100 * share:.0f} %" for share in analysis.profile.values())
        print(f"| {name} | {' | '.join(cells)} | {analysis.memory_bytes / analysis.simulations:.0f} | {shares} |")


def measure_threads(seconds: float) -> None:
    """Print evaluations per second of the default preset with one thread and with two."""
    print(
        f"\nThousand evaluated positions per second of {presets.DEFAULT}, one and two threads, median of five rounds\n"
    )
    print("| board | one thread | two threads | ratio |")
    print("|---|---:|---:|---:|")
    for size in ((9, 9), (10, 11), (12, 12)):
        engines = [Engine(presets.DEFAULT, seed=1, threads=threads) for threads in (1, 2)]
        rounds = []
        for _ in range(5):
            for engine in engines:
                engine.clear()
            analyses = [engine.search(make_empty_board(*size), Limit(time=seconds)) for engine in engines]
            rounds.append([analysis.evaluations / analysis.seconds / 1e3 for analysis in analyses])
        one, two = (statistics.median(column) for column in zip(*rounds, strict=True))
        ratio = statistics.median(two / one for one, two in rounds)
        print(f"| {size[0]}x{size[1]} | {one:.0f} | {two:.0f} | {ratio:.2f} |")


def measure_rollouts(seconds: float) -> None:
    """Print the speed of seed 002 with its two rollout policies, and three times the speed in its report."""
    print("\nSeed 002 with its two rollout policies; its report has 160-200 k/s uniform and 32-48 k/s informed\n")
    print("| rollout | slowest size | k/s | three times the best of the report |")
    print("|---|---|---:|---:|")
    for policy, reported in (("uniform", 200), ("win-block", 48)):
        with write_temporary_preset(f'base = "seed-002"\n[rollout]\npolicy = "{policy}"\n') as preset:
            speed = {
                size: Engine(preset, seed=1).search(make_empty_board(*size), Limit(time=seconds)).simulations_per_second
                for size in SIZES
            }
        slowest = min(speed, key=lambda size: speed[size])
        print(f"| {policy} | {slowest[0]}x{slowest[1]} | {speed[slowest] / 1e3:.0f} | {3 * reported} |")


def measure_reuse(names: list[str], seconds: float) -> None:
    """Print the share of its simulations that each engine reuses at its next move."""
    print("\nVisits of the root reused at the next move, as a share of the simulations of a search, 10x11, ten moves\n")
    print("| preset | reused |")
    print("|---|---:|")
    for name in names:
        engine, replies = Engine(name, seed=1), Engine("seed-002", seed=2)
        board = make_empty_board(10, 11)
        shares = []
        while board.ply < 20 and not board.is_over:
            analysis = engine.search(board, Limit(time=seconds / 4))
            if board.ply and analysis.simulations:
                shares.append(analysis.reused_visits / analysis.simulations)
            board.push(analysis.move)
            if not board.is_over:
                board.push(replies.play(board, Limit(simulations=2000)))
        print(f"| {name} | {100 * statistics.median(shares):.1f} % |")


def check_claims(seconds: float) -> None:
    """Print the gain of a pool over the heap (002 claims 1.5x) and of bitboards over an array (003 claims 2x)."""
    print("\nRatios of simulations per second, both sides alternating, median of five rounds\n")
    print("| change | preset | 9x9 | 10x11 | 12x12 |")
    print("|---|---|---:|---:|---:|")
    pairs = [
        ("heap to pool", "seed-002", '[memory]\nstorage = "heap"', '[memory]\nstorage = "pool"'),
        ("array to bits", "seed-003", '[rollout]\nrepresentation = "array"', '[rollout]\nrepresentation = "fitted"'),
        ("array to bits", "seed-002", '[rollout]\nrepresentation = "array"', '[rollout]\nrepresentation = "fitted"'),
        ("wide to fitted", "seed-004-v9", '[rollout]\nrepresentation = "wide"', '[rollout]\nrepresentation = "fitted"'),
    ]
    for change, base, before, after in pairs:
        with (
            write_temporary_preset(f'base = "{base}"\n{before}\n') as slow,
            write_temporary_preset(f'base = "{base}"\n{after}\n') as fast,
        ):
            ratios = [
                f"{measure_ratio(slow, fast, make_empty_board(*size), seconds):.2f}"
                for size in ((9, 9), (10, 11), (12, 12))
            ]
        print(f"| {change} | {base} | {' | '.join(ratios)} |")


def measure_ratio(slow: Path, fast: Path, board: Board, seconds: float) -> float:
    """Return the median ratio of two presets' speeds, without the first round, which touches new memory."""
    rounds = []
    engines = [Engine(preset, seed=1) for preset in (slow, fast)]
    for _ in range(6):
        first, second = (engine.search(board, Limit(time=seconds)) for engine in engines)
        rounds.append(second.simulations_per_second / first.simulations_per_second)
    return statistics.median(rounds[1:])


@contextmanager
def write_temporary_preset(text: str) -> Iterator[Path]:
    """Write a preset to a file that is deleted when the block ends."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "variant.toml"
        path.write_text(text)
        yield path


if __name__ == "__main__":
    main()
