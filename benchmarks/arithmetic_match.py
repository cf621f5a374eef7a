"""Plays two instruction sets of the network against each other: pairs of games on the same random official boards.

At equal simulations the match measures what the arithmetic costs in strength, at equal time what the speed gains. The
instruction sets of this processor are those of `Network.instruction_sets()`; "float32" is single precision. Both
engines are the preset `fourfall` with one thread. `NAME@FOLDER` uses the package of another version, which is installed
in a folder (`pip install --target FOLDER`).

    python benchmarks/arithmetic_match.py avx512-vnni float32 --simulations 200 --pairs 200
    python benchmarks/arithmetic_match.py avx2 avx2@old --time 0.2 --pairs 100
"""

import argparse
import math
import os
import statistics
import subprocess
import sys

from fourfall import Board, Limit, presets, weights
from fourfall._core import Engine, GraphConfig

_MEMORY_BYTES = 256 << 20


def main() -> None:
    """Play the match; print the score after every pair, and the result at the end."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("a", metavar="NAME[@FOLDER]", help="instruction set of the first engine")
    parser.add_argument("b", metavar="NAME[@FOLDER]", help="instruction set of the second engine")
    limits = parser.add_mutually_exclusive_group()
    limits.add_argument("--simulations", type=int, default=200, help="simulations per move (default: 200)")
    limits.add_argument("--time", type=float, help="seconds per move instead of simulations")
    parser.add_argument("--pairs", type=int, default=100, help="pairs of games (default: 100)")
    parser.add_argument("--opening", type=int, default=3, help="random moves before the engines begin (default: 3)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first board; the others follow")
    arguments = parser.parse_args()
    from fourfall.arena.openings import play_random_opening

    limit = f"time={arguments.time}" if arguments.time else f"simulations={arguments.simulations}"
    players = Player(arguments.a, limit), Player(arguments.b, limit)
    scores: list[float] = []
    for seed in range(arguments.seed, arguments.seed + arguments.pairs):
        board = play_random_opening(Board.random(seed), arguments.opening, seed)
        first, second = play_game(board, players, seed), play_game(board, players[::-1], seed)
        scores.append((first + 1 - second) / 2)
        print(f"\r{format_result(scores)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print(f"{arguments.a} against {arguments.b}, {limit}: {format_result(scores)}")


class Player:
    """An engine in a process of its own, so that the two sides can be different versions."""

    def __init__(self, name: str, limit: str) -> None:
        instruction_set, _, folder = name.partition("@")
        environment = dict(os.environ) | ({"PYTHONPATH": folder} if folder else {})
        command = [sys.executable, __file__, "--serve", instruction_set, limit]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment)

    def ask(self, line: str) -> str:
        """Send a line and return the answer; exit with 1 if the process has ended, which has printed the reason."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(f"{line}\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            sys.exit(1)
        return self._process.stdout.readline() or sys.exit(1)


def serve(instruction_set: str, limit: str) -> None:
    """Answer lines of `Player`: "new SEED" makes an engine, "play POSITION" returns its column."""
    name, _, value = limit.partition("=")
    parsed = Limit(time=float(value)) if name == "time" else Limit(simulations=int(value))
    try:
        engine = make_engine(instruction_set, 0)
    except ValueError as error:
        sys.exit(str(error))
    for line in sys.stdin:
        command, argument = line.split()
        if command == "new":
            engine = make_engine(instruction_set, int(argument))
            print(instruction_set, flush=True)
        else:
            print(engine.play(Board.parse(argument), parsed), flush=True)


def make_engine(instruction_set: str, seed: int) -> Engine:
    """Make an engine of the preset `fourfall` whose network uses an instruction set."""
    config = presets.load("fourfall").config
    assert isinstance(config, GraphConfig)
    config = GraphConfig(config)
    config.network = weights.load(config.weights, instruction_set)
    return Engine(config, seed, _MEMORY_BYTES)


def play_game(start: Board, players: tuple[Player, ...], seed: int) -> float:
    """Play one game; return the score of the side that moves first on an empty board."""
    board = start.copy()
    for player in players:
        player.ask(f"new {seed}")
    while not board.is_over:
        board.push(int(players[board.turn].ask(f"play {board.notation}")))
    outcome = board.outcome()
    assert outcome is not None
    return 0.5 if outcome.winner is None else float(outcome.winner == 0)


def format_result(scores: list[float]) -> str:
    """Format the score and the Elo difference with their 95 % intervals; the pairs are the independent samples.

    >>> format_result([1.0, 0.5, 0.5, 0.5])
    '4 pairs, score 0.625 ± 0.245, Elo +89 (-85 to +330)'
    """
    mean = statistics.mean(scores)
    error = 1.96 * statistics.stdev(scores) / math.sqrt(len(scores)) if len(scores) > 1 else 0.5
    low, middle, high = (to_elo(score) for score in (mean - error, mean, mean + error))
    return f"{len(scores)} pairs, score {mean:.3f} ± {error:.3f}, Elo {middle:+.0f} ({low:+.0f} to {high:+.0f})"


def to_elo(score: float) -> float:
    """Convert an expected score into an Elo difference; scores beyond 0.001 and 0.999 count as these."""
    score = min(max(score, 0.001), 0.999)
    return 400 * math.log10(score / (1 - score))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        serve(*sys.argv[2:])
    else:
        main()
