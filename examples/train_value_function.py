"""Trains a small value function with NumPy on batches of games, and measures it against a level.

BoardBatch plays hundreds of games at once. A network with one hidden layer learns the value of positions from games
that it plays against itself: the value of the position after a move becomes the value of the opponent's best reply, or
the result if the game is over (temporal-difference learning). Before and after the training, a player that looks one
move ahead with these values plays against the level: each of many random openings twice, once with either side.
Run it with:

    python examples/train_value_function.py

The default trains on 6x7, for about a minute on one core. Another board, opponent or length:

    python examples/train_value_function.py --board 9x9@4,4 --steps 20000 --save values.npz
    python examples/train_value_function.py --opponent level-10
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is imported: the matrices are too small for threads

import argparse
import math
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fourfall import Board, BoardBatch, NotationError
from fourfall.agents.address import AddressError
from fourfall.agents.base import Agent, Conditions
from fourfall.agents.registry import open_agent

Array = NDArray[np.float32]
MINE, THEIRS, LANDING = 0, 1, 2  # planes of BoardBatch
OPENING_PLIES = 4


class ValueFunction:
    """Network with one hidden layer: the stones of both sides to the expected result of the side to move, -1 to 1."""

    def __init__(self, inputs: int, hidden: int, rng: np.random.Generator) -> None:
        self.weights: list[Array] = [
            rng.normal(0, inputs**-0.5, (inputs, hidden)).astype(np.float32),
            np.zeros(hidden, np.float32),
            rng.normal(0, hidden**-0.5, hidden).astype(np.float32),
            np.zeros(1, np.float32),
        ]
        self._means = [np.zeros_like(weight) for weight in self.weights]
        self._squares = [np.zeros_like(weight) for weight in self.weights]
        self._updates = 0

    def evaluate_columns(self, batch: BoardBatch) -> Array:
        """Return the value of each column of each board for the side to move; -inf if it is full.

        A column adds one stone, so that the first layer adds one row of its weights to the sum without the stone.
        """
        planes, (first, bias, second, shift) = batch.planes, self.weights
        boards, _, _, cols = planes.shape
        before = swap_sides(planes).reshape(boards, -1) @ first + bias
        cells = planes[:, LANDING].argmax(axis=1) * cols + np.arange(cols)
        stones = first[len(first) // 2 :][cells]
        values = np.tanh(np.maximum(before[:, None] + stones, 0) @ second + shift[0])
        return np.where(batch.masks, -values, -np.inf).astype(np.float32)

    def _forward(self, positions: Array) -> tuple[Array, Array]:
        first, bias, second, shift = self.weights
        hidden: Array = np.maximum(positions @ first + bias, 0)
        return hidden, np.tanh(hidden @ second + shift[0])

    def train(self, positions: Array, targets: Array, rate: float) -> float:
        """Make one step of Adam towards the targets; return the mean squared error before it."""
        hidden, values = self._forward(positions)
        error = values - targets
        slope = error * (1 - values**2) / len(error)
        hidden_slope = np.outer(slope, self.weights[2]) * (hidden > 0)
        gradients = [positions.T @ hidden_slope, hidden_slope.sum(0), slope @ hidden, slope.sum(keepdims=True)]
        self._updates += 1
        scale = rate * math.sqrt(1 - 0.999**self._updates) / (1 - 0.9**self._updates)
        for weight, mean, square, gradient in zip(self.weights, self._means, self._squares, gradients, strict=True):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            weight -= scale * mean / (np.sqrt(square) + 1e-8)
        return float(np.mean(error**2))


def swap_sides(planes: Array) -> Array:
    """Return the stones as the opponent sees them."""
    return planes[:, [THEIRS, MINE]]


def make_next_positions(planes: Array, columns: NDArray[np.integer]) -> Array:
    """Return the stones after a column on each board, seen by the opponent, of shape (boards, inputs)."""
    positions, every = swap_sides(planes), np.arange(len(planes))
    positions[every, THEIRS, :, columns] += planes[every, LANDING, :, columns]
    return positions.reshape(len(planes), -1)


def train(
    value: ValueFunction, batch: BoardBatch, steps: int, rate: float, epsilon: float, rng: np.random.Generator
) -> Iterator[tuple[int, float]]:
    """Play and learn; yield the number of finished games and the error of each step.

    The best column is played, or with the probability `epsilon` a random one.
    """
    last: Array | None = None
    for _ in range(steps):
        columns = value.evaluate_columns(batch)
        error = 0.0
        if last is not None:
            # Won games and draws have their result; the others the value of the best reply.
            results = np.where(batch.terminated, -batch.rewards, columns.max(axis=1))
            error = value.train(last, results, rate)
        is_random = rng.random(len(batch)) < epsilon
        actions = np.where(is_random, batch.random_actions(), columns.argmax(axis=1))
        last = make_next_positions(batch.planes, actions)
        batch.step(actions)
        yield int(batch.terminated.sum()), error


def make_openings(board: Board, count: int, seed: int) -> list[Board]:
    """Return positions after a few random moves."""
    batch = BoardBatch.from_boards([board] * count, seed=seed)
    for _ in range(OPENING_PLIES):
        batch.step(batch.random_actions())
    return batch.boards


def play_match(value: ValueFunction, openings: list[Board], opponent: Agent) -> tuple[int, int, int]:
    """Play each opening with either side; return wins, draws and losses of the value function."""
    batch = BoardBatch.from_boards([board for board in openings for _ in range(2)], auto_reset=False)
    side = np.arange(len(batch)) % 2
    while not batch.terminated.all():
        actions = value.evaluate_columns(batch).argmax(axis=1)
        for game in np.flatnonzero(~batch.terminated & (batch.turns != side)).tolist():
            actions[game] = opponent.play(batch[game]).column
        batch.step(actions)
    wins, draws = int((batch.winners == side).sum()), int((batch.winners < 0).sum())
    return wins, draws, len(batch) - wins - draws


def format_score(wins: int, draws: int, losses: int) -> str:
    """Return the results and the score with its 95 % interval.

    >>> format_score(90, 4, 6)
    '90 wins, 4 draws, 6 losses: score 92.0 % ± 5.0 %'
    """
    games = wins + draws + losses
    score = (wins + draws / 2) / games
    variance = (wins + draws / 4) / games - score**2
    half_width = 1.96 * math.sqrt(max(variance, 0) / games)
    return f"{wins} wins, {draws} draws, {losses} losses: score {score:.1%} ± {half_width:.1%}".replace("%", " %")


def parse_arguments() -> argparse.Namespace:
    """Read the options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--board", default="6x7", help="board such as 6x7 or 9x10@4,7 (default: 6x7)")
    parser.add_argument("--opponent", default="level-2", help="address of the opponent (default: level-2)")
    parser.add_argument("--steps", type=int, default=15000, help="steps of the batch in training (default: 15000)")
    parser.add_argument("--batch", type=int, default=256, help="number of games at a time (default: 256)")
    parser.add_argument("--hidden", type=int, default=64, help="size of the hidden layer (default: 64)")
    parser.add_argument("--rate", type=float, default=0.001, help="learning rate (default: 0.001)")
    parser.add_argument("--epsilon", type=float, default=0.1, help="share of random moves in training (default: 0.1)")
    parser.add_argument("--games", type=int, default=400, help="games of each match, even (default: 400)")
    parser.add_argument("--seed", type=int, default=0, help="random seed (default: 0)")
    parser.add_argument("--save", type=Path, help="file for the weights, .npz")
    arguments = parser.parse_args()
    save = arguments.save
    checks = {
        **{name: (getattr(arguments, name) >= 1, "at least 1") for name in ("steps", "batch", "hidden", "games")},
        "rate": (0 < arguments.rate <= 1, "above 0 and at most 1"),
        "epsilon": (0 <= arguments.epsilon <= 1, "0 to 1"),
        "seed": (0 <= arguments.seed < 2**63, "0 to 2**63 - 1"),
        "save": (
            save is None or (save.absolute().parent.is_dir() and not save.is_dir()),
            "a file in a folder that exists",
        ),
    }
    for name, (is_valid, expected) in checks.items():
        if not is_valid:
            parser.error(f"--{name} {getattr(arguments, name)}: expected {expected}")
    if arguments.games % 2:
        parser.error(f"--games {arguments.games}: expected an even number")
    try:
        arguments.board = Board.parse(arguments.board)
    except NotationError as error:
        parser.error(f"--board {arguments.board}: {error}")
    if arguments.board.is_over:
        parser.error(f"--board {arguments.board.notation}: the game is over")
    try:
        arguments.agent = open_agent(arguments.opponent, Conditions(seed=arguments.seed))
    except AddressError as error:
        parser.error(f"--opponent {arguments.opponent}: {error}")
    return arguments


def main() -> None:
    """Train a value function, measure it before and after, and save it."""
    arguments = parse_arguments()
    rng = np.random.default_rng(arguments.seed)
    board, opponent = arguments.board, arguments.agent
    value = ValueFunction(2 * board.rows * board.cols, arguments.hidden, rng)
    opponent.start(board)
    openings = make_openings(board, arguments.games // 2, arguments.seed)

    def report(when: str) -> None:
        score = format_score(*play_match(value, openings, opponent))
        print(f"{when} against {arguments.opponent}: {score}", flush=True)

    report("before training")
    batch = BoardBatch.from_boards([board] * arguments.batch, seed=arguments.seed)
    begin, games, errors = time.perf_counter(), 0, [0.0]
    for step, (finished, error) in enumerate(
        train(value, batch, arguments.steps, arguments.rate, arguments.epsilon, rng), start=1
    ):
        games += finished
        errors.append(error)
        if step % max(arguments.steps // 5, 1) == 0:
            seconds = time.perf_counter() - begin
            mean = np.mean(errors[-1000:])
            print(f"step {step}: {games} games, mean squared error {mean:.3f}, {seconds:.0f} s", flush=True)
    report("after training")
    opponent.close()
    if arguments.save is not None:
        np.savez(arguments.save, *value.weights)
        print(f"saved to {arguments.save}")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        raise SystemExit("Stopped; nothing was saved.") from None
