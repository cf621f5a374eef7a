"""Measures how far the values of networks are from those of a search, in positions of games and beside them.

A search evaluates mostly positions that good play does not reach, so a network must be exact there too. A game is
played by the preset `fourfall` with few simulations, on a random official board after up to four random moves, until 40
to 115 cells are free. Around that position five kinds of positions are evaluated: the position itself, after one and
two random safe moves, and after four moves drawn from the policy of the first network, at temperatures 1 and 2. The
value of each network is compared with that of a search by the preset `fourfall`: the Kullback-Leibler divergence of the
chances to win. Positions with an immediate win or a single safe move are left out, because no network evaluates them.
A network is closer to a search with itself, so let the search use the older one.

    python -m benchmarks.value_accuracy OLD.f4w NEW.f4w --search OLD.f4w --games 800
"""

import argparse
import math
import multiprocessing
import random
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from benchmarks.network_accuracy import can_be_evaluated, require_weights
from fourfall import Board, Limit, Network, presets, weights
from fourfall._core import Engine, GraphConfig
from fourfall.arena.openings import play_random_opening

_KINDS = (
    "in the game",
    "after a random move",
    "after two random moves",
    "after four moves of the policy, temperature 1",
    "after four moves of the policy, temperature 2",
)
_FREE_CELLS = (40, 115)
_MAX_OPENING = 4
_GAME_SIMULATIONS = 150
_MIN_CHANCE = 1e-3


class Divergences(NamedTuple):
    """A position: what kind it is, and the divergence of each network's value from the search's in nats."""

    kind: str
    numbers: list[float]


def main() -> None:
    """Play the games and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weights", nargs="+", type=Path, help="weights files (.f4w)")
    parser.add_argument(
        "--search", type=Path, metavar="FILE", help="weights file of the search (default: the packaged one)"
    )
    parser.add_argument("--games", type=int, default=500, help="number of games (default: 500)")
    parser.add_argument("--simulations", type=int, default=1500, help="simulations of the search (default: 1500)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first board; the others follow")
    arguments = parser.parse_args()
    require_weights(parser, [*arguments.weights, *([arguments.search] if arguments.search else [])])
    measure = partial(measure_game, arguments.weights, arguments.simulations, search=arguments.search)
    with multiprocessing.Pool() as pool:
        games = pool.map(measure, range(arguments.seed, arguments.seed + arguments.games), chunksize=4)
    print_table(arguments.weights, games)


def measure_game(
    files: Sequence[Path], simulations: int, seed: int, *, search: Path | None = None
) -> list[Divergences]:
    """Play one game up to a position and compare the networks around it; `search` is the search's weights file."""
    networks = [Network.load(file) for file in files]
    rng = random.Random(seed)  # noqa: S311 (reproducible positions)
    board = play_random_opening(Board.random(seed), rng.randint(0, _MAX_OPENING), seed)
    cells = board.rows * board.cols - (board.hole is not None)
    free = rng.randint(*_FREE_CELLS)
    engine = make_engine(seed, search)
    while not board.is_over and cells - board.ply > free:
        board.push(engine.play(board, Limit(simulations=_GAME_SIMULATIONS)))
    found = []
    for kind, position in list_positions(board, networks[0], rng):
        score = make_engine(seed, search).search(position, Limit(simulations=simulations)).score
        chances = [(1 + network.evaluate(position)[0]) / 2 for network in networks]
        found.append(Divergences(kind, [compute_divergence(score.win_chance, chance) for chance in chances]))
    return found


def make_engine(seed: int, file: Path | None) -> Engine:
    """Make an engine of the preset `fourfall` with an empty graph and, if given, the network of a file."""
    config = presets.load("fourfall").config
    assert isinstance(config, GraphConfig)
    config = GraphConfig(config)
    config.network = weights.load(config.weights) if file is None else Network.load(file)
    return Engine(config, seed, 64 << 20)


def list_positions(board: Board, network: Network, rng: random.Random) -> Iterator[tuple[str, Board]]:
    """Yield the positions around a position that a network would evaluate, with their kinds."""
    once = push_random(board.copy(), 1, rng)
    twice = push_random(once.copy(), 1, rng)
    by_policy = [push_from_policy(board.copy(), 4, network, temperature, rng) for temperature in (1, 2)]
    for kind, position in zip(_KINDS, (board, once, twice, *by_policy), strict=True):
        if can_be_evaluated(position):
            yield kind, position


def push_random(board: Board, moves: int, rng: random.Random) -> Board:
    """Play random safe moves while there are any."""
    for _ in range(moves):
        if board.is_over or not board.safe_moves:
            break
        board.push(rng.choice(list(board.safe_moves)))
    return board


def push_from_policy(board: Board, moves: int, network: Network, temperature: float, rng: random.Random) -> Board:
    """Play moves drawn from a network's policy; wins and single safe moves are played at once."""
    for _ in range(moves):
        if board.is_over or not (board.winning_moves or board.safe_moves):
            break
        columns = list(board.winning_moves or board.safe_moves)
        logits = [logit if logit is not None else -math.inf for logit in network.evaluate(board)[1]]
        best = max(logits[column] for column in columns)
        chances = [math.exp((logits[column] - best) / temperature) for column in columns]
        board.push(rng.choices(columns, chances)[0])
    return board


def compute_divergence(expected: float, chance: float) -> float:
    """Return the Kullback-Leibler divergence of two chances to win in nats.

    >>> compute_divergence(0.5, 0.5), round(compute_divergence(1.0, 0.5), 3)
    (0.0, 0.693)
    """
    chance = min(max(chance, _MIN_CHANCE), 1 - _MIN_CHANCE)
    pairs = ((expected, chance), (1 - expected, 1 - chance))
    return sum(p * math.log(p / q) for p, q in pairs if p > 0)


def print_table(files: Sequence[Path], games: Sequence[Sequence[Divergences]]) -> None:
    """Print the mean divergence by kind, and the differences from the first network."""
    positions = [position for game in games for position in game]
    names = [file.stem for file in files]
    differences = [f"{name} - {names[0]}, 95 %" for name in names[1:]]
    print(f"{len(games)} games, {len(positions)} positions; mean divergence from the search, nats\n")
    print("| positions | number | " + " | ".join(names + differences) + " |")
    print("|---|---:|" + "---:|" * (2 * len(files) - 1))
    for kind in (*_KINDS, "all"):
        chosen = [[one.numbers for one in game if kind in ("all", one.kind)] for game in games]
        if any(chosen):
            print(f"| {kind} | {sum(map(len, chosen))} | {format_row(chosen, len(files))} |")


def format_row(games: Sequence[Sequence[Sequence[float]]], networks: int) -> str:
    """Format the means of each network and their differences from the first; games are the samples of the error.

    >>> format_row([[[0.1, 0.3]], [[0.1, 0.3]]], 2)
    '0.1000 | 0.3000 | +0.2000 ± 0.0000'
    """
    count = sum(map(len, games))
    means = [sum(numbers[network] for game in games for numbers in game) / count for network in range(networks)]
    figures = [f"{mean:.4f}" for mean in means]
    for network in range(1, networks):
        mean = means[network] - means[0]
        squares = sum(sum(numbers[network] - numbers[0] - mean for numbers in game) ** 2 for game in games)
        figures.append(f"{mean:+.4f} ± {1.96 * math.sqrt(squares) / count:.4f}")
    return " | ".join(figures)


if __name__ == "__main__":
    main()
