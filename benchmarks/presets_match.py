"""Measures the strength of presets: each plays one opponent at equal time, both sides of the same random boards.

python benchmarks/presets_match.py [--opponent seed-002] [--pairs 30] [--time 0.03] [--seed 0] [--presets ...]
"""

import argparse
import math
import multiprocessing
import statistics
import sys
from functools import partial

from fourfall import Board, Engine, Limit, presets


def main() -> None:
    """Print a table with one row for every preset."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--opponent", default="seed-002", help="preset that all others play against")
    parser.add_argument("--pairs", type=int, default=30, help="pairs of games per preset")
    parser.add_argument("--time", type=float, default=0.03, help="time per move in seconds")
    parser.add_argument(
        "--seed", type=int, default=0, help="seed of the first board; the next boards have the next ones"
    )
    parser.add_argument(
        "--presets", nargs="*", default=list(presets.list_names()), help="presets to measure (default: all)"
    )
    arguments = parser.parse_args()
    print(
        f"{arguments.pairs} pairs of games against {arguments.opponent}, {arguments.time} s per move, random boards\n"
    )
    print("| preset | first | second | score | 95 % |")
    print("|---|---:|---:|---:|---:|")
    with multiprocessing.Pool() as pool:
        for name in arguments.presets:
            if name == arguments.opponent:
                continue
            play = partial(play_pair, name, arguments.opponent, arguments.time)
            pairs = []
            for pair in pool.imap_unordered(play, range(arguments.seed, arguments.seed + arguments.pairs)):
                pairs.append(pair)
                print(f"\r{len(pairs)} pairs: {format_row(name, pairs)}", end="", file=sys.stderr, flush=True)
            print("\r", end="", file=sys.stderr, flush=True)
            print(format_row(name, pairs), flush=True)


def format_row(name: str, pairs: list[tuple[float, float]]) -> str:
    """Format the scores of a preset, with the half width of the 95 % interval."""
    first, second = (statistics.mean(side) for side in zip(*pairs, strict=True))
    # Both games of a pair have the same board, so pairs and not games are independent samples.
    deviation = statistics.stdev(sum(pair) / 2 for pair in pairs) if len(pairs) > 1 else 1
    error = 1.96 * deviation / math.sqrt(len(pairs))
    return f"| {name} | {first:.3f} | {second:.3f} | {(first + second) / 2:.3f} | ±{error:.3f} |"


def play_pair(name: str, opponent: str, move_time_s: float, seed: int) -> tuple[float, float]:
    """Play both sides of one board; return the preset's score as first and as second player."""
    first = play_game((name, opponent), move_time_s, seed)
    second = play_game((opponent, name), move_time_s, seed)
    return first, 1 - second


def play_game(names: tuple[str, str], move_time_s: float, seed: int) -> float:
    """Play one game; return the first player's score."""
    board = Board.random(seed)
    engines = [Engine(name, seed=seed) for name in names]
    while not board.is_over:
        board.push(engines[board.turn].play(board, Limit(time=move_time_s)))
    outcome = board.outcome()
    assert outcome is not None
    return 0.5 if outcome.winner is None else float(outcome.winner == 0)


if __name__ == "__main__":
    main()
