"""Measures the network: evaluations per second with each instruction set of this processor on boards of three sizes.

python benchmarks/network.py WEIGHTS.f4w ... [--seconds 0.5]
"""

import argparse
import json
import random
import statistics
from pathlib import Path

from fourfall import Board, Network

SIZES = ((9, 9), (10, 11), (12, 12))
ROUNDS = 5


def main() -> None:
    """Print a table for each weights file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weights", nargs="+", type=Path, help="weights files (.f4w)")
    parser.add_argument("--seconds", type=float, default=0.5, help="processor time per figure in seconds")
    arguments = parser.parse_args()
    for file in arguments.weights:
        measure(file, arguments.seconds)


def measure(file: Path, seconds: float) -> None:
    """Print evaluations per second of processor time, median of five rounds; the instruction sets alternate."""
    networks = [Network.load(file, name) for name in Network.instruction_sets()]
    header = json.loads(networks[0].header)
    print(f"\n{header['channels']} channels, {header['blocks']} blocks: evaluations per second of processor time\n")
    print("| instruction set | " + " | ".join(f"{rows}x{cols}" for rows, cols in SIZES) + " |")
    print("|---|" + "---:|" * len(SIZES))
    boards = [make_middle_game_board(rows, cols) for rows, cols in SIZES]
    rounds = [
        [[network.speed(board, seconds / ROUNDS) for board in boards] for network in networks] for _ in range(ROUNDS)
    ]
    for network, *each in zip(networks, *rounds, strict=True):
        medians = [statistics.median(column) for column in zip(*each, strict=True)]
        print(f"| {network.instruction_set} | " + " | ".join(f"{median:,.0f}" for median in medians) + " |")


def make_middle_game_board(rows: int, cols: int) -> Board:
    """Return a board that is filled to a third with random moves, without a win."""
    rng = random.Random(1)  # noqa: S311
    board = Board(rows, cols, hole=(rows // 3, cols // 2))
    while board.ply < rows * cols // 3:
        board.push(rng.choice([col for col in board.legal_moves if col not in board.winning_moves]))
    return board


if __name__ == "__main__":
    main()
