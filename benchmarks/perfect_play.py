"""Measures an engine as first player on the empty 6x7 board, a proven win, against a perfect defender.

python benchmarks/perfect_play.py [--engine fourfall] [--time 1] [--games 100] [--jobs 2]

The defender asks the solver: it plays a move that does not lose, if there is one, else the move with the longest loss,
at random among equal ones. The engine's seed changes with every game. If the engine loses the win, the number of the
stone is printed.
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


class MeasuredGame(NamedTuple):
    """A finished game: its moves, its winner, and the first move after which the win was lost."""

    seed: int
    moves: str
    winner: int | None
    mistake: str | None


def main() -> int:
    """Play the games; print the mistakes and the numbers of wins, draws and losses."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default="fourfall", help="preset to measure")
    parser.add_argument("--time", type=float, default=1.0, help="time per move in seconds")
    parser.add_argument("--games", type=int, default=100, help="number of games")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first game; the next games have the next ones")
    parser.add_argument("--jobs", type=int, default=2, help="games in parallel")
    arguments = parser.parse_args()
    results: Counter[str] = Counter()
    different = set()
    play = partial(play_game, arguments.engine, arguments.time)
    with multiprocessing.Pool(arguments.jobs) as pool:
        seeds = range(arguments.seed, arguments.seed + arguments.games)
        for game in pool.imap_unordered(play, seeds):
            results[{0: "won", 1: "lost", None: "drawn"}[game.winner]] += 1
            different.add(game.moves)
            if game.mistake:
                print(f"seed {game.seed}: {START}:{game.moves}, {game.mistake}", flush=True)
            print(f"\r{results.total()} games: {dict(results)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print(
        f"{arguments.engine} at {arguments.time:g} s per move as first player of {START} against perfect defence: "
        f"{results['won']} won, {results['drawn']} drawn, {results['lost']} lost; {len(different)} different games"
    )
    return 0


def play_game(name: str, move_time_s: float, seed: int) -> MeasuredGame:
    """Play one game between the engine and the perfect defender."""
    engine, rng, board = Engine(name, seed=seed), random.Random(seed), Board.parse(START)  # noqa: S311
    mistake = None
    while not board.is_over:
        if board.turn == 0:
            column = engine.play(board, Limit(time=move_time_s))
        else:
            scores = solve_columns(board.notation)
            if mistake is None and not all(score.is_loss for score in scores.values()):
                mistake = f"stone {board.ply} lost the win"
            best = max(rank(score) for score in scores.values())
            column = rng.choice([column for column, score in scores.items() if rank(score) == best])
        board.push(column)
    outcome = board.outcome()
    assert outcome is not None
    return MeasuredGame(seed, board.notation.partition(":")[2], outcome.winner, mistake)


@cache
def solve_columns(position: str) -> dict[int, Score]:
    """Return the exact score of every legal column; cached because many games reach the same positions."""
    solution = get_shared_solver().solve(Board.parse(position), columns=True)
    return {column.column: column.score for column in solution.columns if column.score is not None}


@cache
def get_shared_solver() -> Solver:
    """Return the solver of this process, whose table is used for all games."""
    return Solver(memory_mb=512)


def rank(score: Score) -> tuple[int, int]:
    """Return a sort key: short wins before long wins, then draws, then long losses before short losses."""
    if score.is_win:
        return 1, -(score.distance or 0)
    return (-1, score.distance or 0) if score.is_loss else (0, 0)


if __name__ == "__main__":
    sys.exit(main())
