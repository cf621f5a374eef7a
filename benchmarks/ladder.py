"""Measures the presets' strength: each plays one opponent at equal time, both sides of the same random boards.

python benchmarks/ladder.py [--opponent seed-002] [--pairs 30] [--time 0.03] [--seed 0] [--presets ...]
"""

import argparse
import math
import multiprocessing
import statistics
import sys
from functools import partial

from fourfall import Board, Engine, Limit, presets


def main() -> None:
    """Print a row for every preset."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--opponent", default="seed-002")
    parser.add_argument("--pairs", type=int, default=30, help="pairs of games per preset")
    parser.add_argument("--time", type=float, default=0.03, help="seconds a move")
    parser.add_argument("--seed", type=int, default=0, help="of the first board")
    parser.add_argument("--presets", nargs="*", default=list(presets.names()))
    arguments = parser.parse_args()
    print(f"{arguments.pairs} pairs of games against {arguments.opponent}, {arguments.time} s a move, random boards\n")
    print("| preset | first | second | score | 95 % |")
    print("|---|---:|---:|---:|---:|")
    with multiprocessing.Pool() as pool:
        for name in arguments.presets:
            if name == arguments.opponent:
                continue
            one = partial(play_pair, name, arguments.opponent, arguments.time)
            pairs = []
            for pair in pool.imap_unordered(one, range(arguments.seed, arguments.seed + arguments.pairs)):
                pairs.append(pair)
                print(f"\r{len(pairs)} pairs: {row(name, pairs)}", end="", file=sys.stderr, flush=True)
            print("\r", end="", file=sys.stderr, flush=True)
            print(row(name, pairs), flush=True)


def row(name: str, pairs: list[tuple[float, float]]) -> str:
    """Write what a preset has scored, with the half width of the 95 % interval."""
    first, second = (statistics.mean(side) for side in zip(*pairs, strict=True))
    # Both games of a pair share a board: the pair, not the game, is the independent draw.
    spread = statistics.stdev(sum(pair) / 2 for pair in pairs) if len(pairs) > 1 else 1
    error = 1.96 * spread / math.sqrt(len(pairs))
    return f"| {name} | {first:.3f} | {second:.3f} | {(first + second) / 2:.3f} | ±{error:.3f} |"


def play_pair(name: str, opponent: str, seconds: float, seed: int) -> tuple[float, float]:
    """Play both sides of one board; the preset's score as first and as second player."""
    first = play((name, opponent), seconds, seed)
    second = play((opponent, name), seconds, seed)
    return first, 1 - second


def play(names: tuple[str, str], seconds: float, seed: int) -> float:
    """Play one game; the first player's score."""
    board = Board.random(seed)
    engines = [Engine(name, seed=seed) for name in names]
    while not board.is_over:
        board.push(engines[board.turn].play(board, Limit(time=seconds)))
    outcome = board.outcome()
    assert outcome is not None
    return 0.5 if outcome.winner is None else float(outcome.winner == 0)


if __name__ == "__main__":
    main()
