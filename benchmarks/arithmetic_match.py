"""Plays two instruction sets of the network against each other: pairs of games on the same random official boards.

At equal simulations the match measures what the arithmetic costs in strength, at equal time what it gains. The
instruction sets of this processor are those of `Network.instruction_sets()`; "float32" is single precision. Both
engines are the preset `fourfall` with one thread.

    python benchmarks/arithmetic_match.py avx512-vnni avx512 --simulations 300 --pairs 200
    python benchmarks/arithmetic_match.py avx-vnni avx2 --time 0.2 --pairs 100 --jobs 2
"""

import argparse
import math
import multiprocessing
import statistics
import sys
from functools import partial

from fourfall import Board, Limit, Network, presets, weights
from fourfall._core import Engine, GraphConfig
from fourfall.arena.openings import play_random_opening

_MEMORY_BYTES = 256 << 20


def main() -> None:
    """Play the match; print the score after every pair, and the Elo difference at the end."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    names = [*Network.instruction_sets(), "float32"]
    parser.add_argument("a", choices=names, help="instruction set of the first engine")
    parser.add_argument("b", choices=names, help="instruction set of the second engine")
    limits = parser.add_mutually_exclusive_group()
    limits.add_argument("--simulations", type=int, default=300, help="simulations per move (default: 300)")
    limits.add_argument("--time", type=float, help="seconds per move instead of simulations")
    parser.add_argument("--pairs", type=int, default=100, help="pairs of games (default: 100)")
    parser.add_argument("--opening", type=int, default=3, help="random moves before the engines begin (default: 3)")
    parser.add_argument(
        "--seed", type=int, default=0, help="seed of the first board; the next boards have the next ones"
    )
    parser.add_argument("--jobs", type=int, default=1, help="pairs at the same time (default: 1)")
    arguments = parser.parse_args()
    limit = Limit(time=arguments.time) if arguments.time else Limit(simulations=arguments.simulations)
    play = partial(play_pair, (arguments.a, arguments.b), limit, arguments.opening)
    scores: list[float] = []
    with multiprocessing.Pool(arguments.jobs) as pool:
        for score in pool.imap_unordered(play, range(arguments.seed, arguments.seed + arguments.pairs)):
            scores.append(score)
            print(f"\r{format_result(scores)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print(f"{arguments.a} against {arguments.b}, {limit}: {format_result(scores)}")


def format_result(scores: list[float]) -> str:
    """Format the score and the Elo difference with their 95 % intervals; the pairs are the independent samples.

    >>> format_result([1.0, 0.5, 0.5, 0.5])
    '4 pairs, score 0.625 ± 0.245, Elo +89 (-91 to +328)'
    """
    mean = statistics.mean(scores)
    error = 1.96 * statistics.stdev(scores) / math.sqrt(len(scores)) if len(scores) > 1 else 0.5
    low, middle, high = (to_elo(score) for score in (mean - error, mean, mean + error))
    return f"{len(scores)} pairs, score {mean:.3f} ± {error:.3f}, Elo {middle:+.0f} ({low:+.0f} to {high:+.0f})"


def to_elo(score: float) -> float:
    """Convert an expected score into an Elo difference; scores beyond 0.001 and 0.999 count as these."""
    score = min(max(score, 0.001), 0.999)
    return 400 * math.log10(score / (1 - score))


def play_pair(names: tuple[str, str], limit: Limit, opening: int, seed: int) -> float:
    """Play both sides of one board; return the score of the first engine, 0 to 1."""
    board = play_random_opening(Board.random(seed), opening, seed)
    first = play_game(board, names, limit, seed)
    second = play_game(board, names[::-1], limit, seed)
    return (first + 1 - second) / 2


def play_game(board: Board, names: tuple[str, str], limit: Limit, seed: int) -> float:
    """Play one game; return the score of the side that begins on an empty board."""
    board = board.copy()
    engines = [make_engine(name, seed) for name in names]
    while not board.is_over:
        board.push(engines[board.turn].play(board, limit))
    outcome = board.outcome()
    assert outcome is not None
    return 0.5 if outcome.winner is None else float(outcome.winner == 0)


def make_engine(instruction_set: str, seed: int) -> Engine:
    """Make an engine of the preset `fourfall` whose network uses an instruction set."""
    config = presets.load("fourfall").config
    assert isinstance(config, GraphConfig)
    config = GraphConfig(config)
    config.network = weights.load(config.weights, instruction_set)
    return Engine(config, seed, _MEMORY_BYTES)


if __name__ == "__main__":
    main()
