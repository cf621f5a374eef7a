"""Measures an engine on the standard board: as first player, which is won, against a solver that defends perfectly.

python benchmarks/perfect.py [--engine fourfall] [--time 1] [--games 100] [--jobs 2]

The defender plays the move that loses last, or one that no longer loses, and draws lots among equals. The engine's seed
changes with every game. Where it gives the win away, the stone is named.
"""

import argparse
import multiprocessing
import random
import sys
from collections import Counter
from functools import cache, partial
from typing import NamedTuple

from fourfall import Board, Engine, Limit, Score, Solver

START = "6x7"


class Game(NamedTuple):
    """A finished game: its moves, its winner, and the first move that no longer won."""

    seed: int
    moves: str
    winner: int | None
    mistake: str | None


def main() -> int:
    """Play the games, print the mistakes and how many were won."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default="fourfall")
    parser.add_argument("--time", type=float, default=1.0, help="seconds a move")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0, help="of the first game")
    parser.add_argument("--jobs", type=int, default=2, help="games at once")
    arguments = parser.parse_args()
    results: Counter[str] = Counter()
    different = set()
    one = partial(play, arguments.engine, arguments.time)
    with multiprocessing.Pool(arguments.jobs) as pool:
        seeds = range(arguments.seed, arguments.seed + arguments.games)
        for game in pool.imap_unordered(one, seeds):
            results[{0: "won", 1: "lost", None: "drawn"}[game.winner]] += 1
            different.add(game.moves)
            if game.mistake:
                print(f"seed {game.seed}: {START}:{game.moves}, {game.mistake}", flush=True)
            print(f"\r{results.total()} games: {dict(results)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print(
        f"{arguments.engine} at {arguments.time:g} s as first player of {START} against perfect defence: "
        f"{results['won']} won, {results['drawn']} drawn, {results['lost']} lost; {len(different)} different games"
    )
    return 0


def play(name: str, seconds: float, seed: int) -> Game:
    """Play one game."""
    engine, lots, board = Engine(name, seed=seed), random.Random(seed), Board.parse(START)  # noqa: S311 (no secret)
    mistake = None
    while not board.is_over:
        if board.turn == 0:
            column = engine.play(board, Limit(time=seconds))
        else:
            worth = defences(board.notation)
            if mistake is None and not all(score.is_loss for score in worth.values()):
                mistake = f"where stone {board.ply} let the win go"
            best = max(rank(score) for score in worth.values())
            column = lots.choice([column for column, score in worth.items() if rank(score) == best])
        board.push(column)
    outcome = board.outcome()
    assert outcome is not None
    return Game(seed, board.notation.partition(":")[2], outcome.winner, mistake)


@cache
def defences(position: str) -> dict[int, Score]:
    """Return what every column is worth; many games meet the same positions."""
    solution = solver().solve(Board.parse(position), columns=True)
    return {column.column: column.score for column in solution.columns if column.score is not None}


@cache
def solver() -> Solver:
    """Make the process's own solver, which remembers across games."""
    return Solver(memory_mb=512)


def rank(score: Score) -> tuple[int, int]:
    """Order scores: quick wins, draws, slow losses."""
    if score.is_win:
        return 1, -(score.distance or 0)
    return (-1, score.distance or 0) if score.is_loss else (0, 0)


if __name__ == "__main__":
    sys.exit(main())
