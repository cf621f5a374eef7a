"""Measures what an opening table could gain at most: one side searches the first plies of the game far more deeply.

A table of the first moves would hold the moves of long searches. Here one engine makes these searches during the game,
then continues with an empty search graph, as after a table. Pairs of games on the same random official boards, from the
empty board, at equal simulations after the opening.

    python -m benchmarks.opening_match --simulations 500 --factor 40 --plies 6 --pairs 100
"""

import argparse
import multiprocessing
import sys
from functools import partial
from typing import NamedTuple

from benchmarks.arithmetic_match import format_result
from fourfall import Board, Engine, Limit


class Opening(NamedTuple):
    """Simulations per move, and how many times as many the deep side has in the first plies."""

    simulations: int
    factor: int
    plies: int


def main() -> None:
    """Play the match; print the score after every pair, and the result at the end."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default="fourfall", help="preset of both sides (default: fourfall)")
    parser.add_argument("--simulations", type=int, default=500, help="simulations per move (default: 500)")
    parser.add_argument("--factor", type=int, default=40, help="factor on the simulations in the opening (default: 40)")
    parser.add_argument("--plies", type=int, default=6, help="length of the opening in plies (default: 6)")
    parser.add_argument("--pairs", type=int, default=100, help="pairs of games (default: 100)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first board; the others follow")
    arguments = parser.parse_args()
    opening = Opening(arguments.simulations, arguments.factor, arguments.plies)
    play = partial(play_pair, arguments.engine, opening)
    scores: list[float] = []
    with multiprocessing.Pool() as pool:
        for score in pool.imap_unordered(play, range(arguments.seed, arguments.seed + arguments.pairs)):
            scores.append(score)
            print(f"\r{format_result(scores)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print(
        f"{opening.factor} times {opening.simulations} simulations in the first {opening.plies} plies: "
        f"{format_result(scores)}"
    )


def play_pair(name: str, opening: Opening, seed: int) -> float:
    """Play both sides of one board; return the mean score of the deep side."""
    return (play_game(name, opening, seed, 0) + 1 - play_game(name, opening, seed, 1)) / 2


def play_game(name: str, opening: Opening, seed: int, deep_side: int) -> float:
    """Play one game; return the score of the first player."""
    board = Board.random(seed)
    engines = [Engine(name, seed=seed) for _ in range(2)]
    while not board.is_over:
        is_deep = board.turn == deep_side and board.ply < opening.plies
        simulations = opening.simulations * (opening.factor if is_deep else 1)
        board.push(engines[board.turn].play(board, Limit(simulations=simulations)))
        if is_deep:
            engines[deep_side] = Engine(name, seed=seed)
    outcome = board.outcome()
    assert outcome is not None
    return 0.5 if outcome.winner is None else float(outcome.winner == 0)


if __name__ == "__main__":
    main()
