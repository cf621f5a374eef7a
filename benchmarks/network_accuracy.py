"""Measures how well networks predict the results of games, by the number of free cells.

The games are played without the solver by the preset `fourfall` with the packaged network, few simulations per move, on
random official boards after up to six random moves. In every position that the search would evaluate, the value of each
network is compared with the result. All networks see the same positions, so small differences count.

    python -m benchmarks.network_accuracy OLD.f4w NEW.f4w --games 500
"""

import argparse
import math
import multiprocessing
import random
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from fourfall import Board, Limit, Network, WeightsError, presets, weights
from fourfall._core import Engine, GraphConfig
from fourfall.arena.openings import play_random_opening

_RANGE = 16
"""Free cells in one row of the table."""
_MAX_OPENING = 6
_MIN_CHANCE = 1e-4


class Prediction(NamedTuple):
    """A position: its free cells, the result for the side to move (1, 0.5 or 0), and each network's chance to win."""

    free_cells: int
    result: float
    chances: list[float]

    def compute_loss(self, network: int) -> float:
        """Return the log loss of one network in nats.

        >>> round(Prediction(20, 1.0, [0.5]).compute_loss(0), 3)
        0.693
        """
        chance = min(max(self.chances[network], _MIN_CHANCE), 1 - _MIN_CHANCE)
        return -self.result * math.log(chance) - (1 - self.result) * math.log(1 - chance)


def main() -> None:
    """Play the games and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weights", nargs="+", type=Path, help="weights files (.f4w)")
    parser.add_argument("--games", type=int, default=500, help="number of games (default: 500)")
    parser.add_argument("--simulations", type=int, default=64, help="simulations per move (default: 64)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first board; the others follow")
    arguments = parser.parse_args()
    require_weights(parser, arguments.weights)
    play = partial(play_game, arguments.weights, arguments.simulations)
    with multiprocessing.Pool() as pool:
        games = pool.map(play, range(arguments.seed, arguments.seed + arguments.games), chunksize=4)
    print_table(arguments.weights, games)


def require_weights(parser: argparse.ArgumentParser, files: Sequence[Path]) -> None:
    """End the program with a usage error if a weights file cannot be read."""
    try:
        for file in files:
            Network.load(file)
    except WeightsError as error:
        parser.error(str(error))


def can_be_evaluated(board: Board) -> bool:
    """Return whether the search asks the network about this position.

    >>> can_be_evaluated(Board(9, 9)), can_be_evaluated(Board.parse("6x7:112233"))
    (True, False)
    """
    return not board.is_over and not board.winning_moves and len(board.safe_moves) > 1


def play_game(files: Sequence[Path], simulations: int, seed: int) -> list[Prediction]:
    """Play one game and return its positions."""
    networks = [Network.load(file) for file in files]
    config = presets.load("fourfall").config
    assert isinstance(config, GraphConfig)
    config = GraphConfig(config)
    config.solver = False
    config.network = weights.load(config.weights)
    engine = Engine(config, seed, 64 << 20)
    moves = random.Random(seed).randint(0, _MAX_OPENING)  # noqa: S311 (reproducible games)
    board = play_random_opening(Board.random(seed), moves, seed)
    cells = board.rows * board.cols - (board.hole is not None)
    found: list[tuple[int, int, list[float]]] = []
    while not board.is_over:
        if can_be_evaluated(board):
            chances = [(1 + network.evaluate(board)[0]) / 2 for network in networks]
            found.append((cells - board.ply, board.turn, chances))
        board.push(engine.play(board, Limit(simulations=simulations)))
    outcome = board.outcome()
    assert outcome is not None
    winner = outcome.winner
    return [
        Prediction(free_cells, 0.5 if winner is None else float(winner == turn), chances)
        for free_cells, turn, chances in found
    ]


def print_table(files: Sequence[Path], games: Sequence[Sequence[Prediction]]) -> None:
    """Print the log loss and the share of wrong signs by free cells, and the differences from the first network."""
    positions = [position for game in games for position in game]
    print(f"{len(games)} games, {len(positions)} positions; log loss, share of wrong signs\n")
    print("| free cells | positions | " + " | ".join(file.stem for file in files) + " |")
    print("|---|---:|" + "---:|" * len(files))
    for first in range(0, max(position.free_cells for position in positions) + 1, _RANGE):
        chosen = [position for position in positions if first <= position.free_cells < first + _RANGE]
        if chosen:
            print(f"| {first} to {first + _RANGE - 1} | {format_row(chosen, len(files))} |")
    print(f"| all | {format_row(positions, len(files))} |")
    for network in range(1, len(files)):
        difference, error = compare_losses(games, network)
        print(f"\n{files[network].stem} - {files[0].stem}: log loss {difference:+.4f} ± {error:.4f} (95 %, by games)")


def format_row(positions: Sequence[Prediction], networks: int) -> str:
    """Format the number of positions and the figures of each network."""
    figures = []
    for network in range(networks):
        loss = sum(position.compute_loss(network) for position in positions) / len(positions)
        wrong = sum((position.chances[network] > 0.5) != (position.result > 0.5) for position in positions)
        figures.append(f"{loss:.4f}, {100 * wrong / len(positions):.1f} %")
    return f"{len(positions)} | " + " | ".join(figures)


def compare_losses(games: Sequence[Sequence[Prediction]], network: int) -> tuple[float, float]:
    """Return the mean difference of the loss from that of the first network, and its 95 % error; games are samples.

    >>> compare_losses([[Prediction(9, 1.0, [0.5, 0.5])], [Prediction(9, 0.0, [0.5, 0.5])]], 1)
    (0.0, 0.0)
    """
    counts = [len(game) for game in games]
    sums = [sum(one.compute_loss(network) - one.compute_loss(0) for one in game) for game in games]
    mean = sum(sums) / sum(counts)
    squares = sum((total - mean * count) ** 2 for total, count in zip(sums, counts, strict=True))
    return mean, 1.96 * math.sqrt(squares) / sum(counts)


if __name__ == "__main__":
    main()
