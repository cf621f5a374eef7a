"""Measures how many positions of a data set one core labels per second of processor time, by board and label.

Processor time does not depend on what else the machine does. Run it with:

    python benchmarks/datasets.py
    python benchmarks/datasets.py --count 200
"""

import argparse
import time
from dataclasses import replace

from fourfall.datasets import Settings, StoneRange
from fourfall.datasets.labels import label_positions, make_task
from fourfall.datasets.random_positions import RandomPositions
from fourfall.datasets.schema import describe_label

SOLVER_CASES = (
    ("5x6", 1, 30),
    ("6x7", 8, 16),
    ("6x7", 17, 24),
    ("6x7", 25, 32),
    ("8x8", 8, 24),
    ("9x10@4,7", 8, 24),
    ("9x10@4,7", 25, 40),
    ("official", 8, 24),
    ("official", 25, 40),
)
ENGINE_CASES = (("6x7", 100), ("6x7", 800), ("official", 100), ("official", 800))


def draw_positions(settings: Settings, count: int) -> list[str]:
    """Return random openings, as a data set with these settings has them."""
    positions: list[str] = []
    openings = RandomPositions(settings)
    for board in openings:
        openings.accept_last()
        positions.append(board.notation)
        if len(positions) == count:
            break
    return positions


def measure(settings: Settings, count: int) -> str:
    """Return positions per second of processor time, and the shares with an exact score and with a proven result."""
    positions = draw_positions(settings, count)
    label_positions(make_task(settings, positions[:1]))  # loads the network
    start = time.process_time()
    labels = label_positions(make_task(settings, positions))
    seconds = time.process_time() - start
    rows = [describe_label(label) for label in labels]
    exact = sum(bool(row["exact"]) for row in rows) / len(rows)
    proven = sum(row["outcome"] is not None for row in rows) / len(rows)
    return f"{len(rows) / seconds:>11.1f} {exact:>7.0%} {proven:>7.0%}"


def make_settings(board: str, stones: StoneRange | None) -> Settings:
    """Return the settings of random openings on a board, or on official boards."""
    return Settings(
        boards=() if board == "official" else (board,), official=board == "official", count=1, stones=stones
    )


def main() -> None:
    """Print one line for each board and label."""
    parser = argparse.ArgumentParser(description="Measure the speed of the labels of data sets.")
    parser.add_argument("--count", type=int, default=60, help="positions of each line")
    count = parser.parse_args().count
    print(f"{'board':<10} {'free cells':>10}  {'label':<24} {'positions/s':>11} {'exact':>7} {'proven':>7}")
    for board, least, most in SOLVER_CASES:
        result = measure(make_settings(board, StoneRange(least, most, is_free=True)), count)
        print(f"{board:<10} {f'{least}-{most}':>10}  {'solver':<24} {result}", flush=True)
    for board, simulations in ENGINE_CASES:
        settings = replace(make_settings(board, StoneRange(0, 40)), labels=("engine",), simulations=simulations)
        result = measure(settings, count)
        label = f"engine, {simulations} simulations"
        print(f"{board:<10} {'':>10}  {label:<24} {result}", flush=True)


if __name__ == "__main__":
    main()
