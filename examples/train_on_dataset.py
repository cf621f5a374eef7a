"""Trains a small model with NumPy on exact labels, and compares its accuracy with that of the most frequent result.

`fourfall.datasets` makes random positions of 6x7 with 8 to 20 free cells and solves each exactly. A multinomial
logistic regression learns from the split "train" whether the player to move wins, draws or loses; its inputs are the
stones and the numbers of open lines of four. The accuracy is that on the split "test", which has no position of the
other splits, also no mirror image of one. Run it with:

    pip install "fourfall[data]"
    python examples/train_on_dataset.py

The data set is made once, in half a minute on two cores, and kept as exact.parquet; a file that exists is read.
Another board, size or file:

    python examples/train_on_dataset.py --board 5x7@2,3 --count 20000 --file other.parquet
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is imported: the matrices are too small for threads

import argparse
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fourfall import NotationError
from fourfall.datasets import Dataset, DatasetError, DatasetFailure, Settings, StoneRange, make_dataset, read

Array = NDArray[np.float64]
RESULTS = ("loss", "draw", "win")  # outcome + 1 is the index
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def make_features(data: Dataset) -> Array:
    """Return the inputs of the model: the stones of both sides, and the open lines of four by owner and size."""
    planes = data.make_planes(int(data["rows"].max()), int(data["cols"].max()))
    own, opposing, _, blocked = planes.transpose(1, 0, 2, 3)
    counts = [count_open_lines(own, opposing | blocked), count_open_lines(opposing, own | blocked)]
    ones = np.ones((len(data), 1))
    return np.hstack([own.reshape(len(data), -1), opposing.reshape(len(data), -1), *counts, ones]).astype(np.float64)


def count_open_lines(stones: NDArray[np.uint8], others: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return for each position how many lines of four without others have 1, 2 and 3 of the stones."""
    _, rows, cols = stones.shape
    counts = np.zeros((len(stones), 3), np.uint8)
    for down, right in DIRECTIONS:
        for row in range(rows):
            for col in range(cols):
                cells = [(row + step * down, col + step * right) for step in range(4)]
                if cells[-1][0] >= rows or not 0 <= cells[-1][1] < cols:
                    continue
                line_rows, line_cols = zip(*cells, strict=True)
                amount = stones[:, line_rows, line_cols].sum(axis=1)
                is_open = others[:, line_rows, line_cols].sum(axis=1) == 0
                counts += is_open[:, None] & (amount[:, None] == [1, 2, 3])
    return counts


def train(inputs: Array, targets: NDArray[np.int64], steps: int, rate: float = 0.5, decay: float = 1e-3) -> Array:
    """Fit a multinomial logistic regression by gradient descent with momentum; return the weights."""
    weights = np.zeros((inputs.shape[1], len(RESULTS)))
    velocity = np.zeros_like(weights)
    wanted = np.eye(len(RESULTS))[targets]
    for _ in range(steps):
        logits = inputs @ weights
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        velocity = 0.9 * velocity - rate * (inputs.T @ (shares - wanted) / len(inputs) + decay * weights)
        weights += velocity
    return weights


def split_data(path: Path, split: str) -> tuple[Array, NDArray[np.int64]]:
    """Return inputs and results of the positions of a split whose result is known."""
    data = read(path, split)
    if len(data) == 0:
        sys.exit(f"{path}: the split {split} has no positions; choose a greater --count")
    is_known = ~np.isnan(data["outcome"])
    return make_features(data)[is_known], (data["outcome"][is_known] + 1).astype(np.int64)


def main() -> None:
    """Make the data set if it does not exist, train the model and print its accuracy."""
    parser = argparse.ArgumentParser(description="Train a small model on exact labels.")
    parser.add_argument("--file", type=Path, default=Path("exact.parquet"), help="data set; made if it does not exist")
    parser.add_argument("--board", default="6x7", help="board of the data set")
    parser.add_argument("--count", type=int, default=5000, help="number of positions of the data set")
    parser.add_argument("--steps", type=int, default=500, help="steps of gradient descent")
    options = parser.parse_args()
    try:
        if not options.file.exists():
            print(f"solving {options.count} positions of {options.board} ...")
            settings = Settings(boards=(options.board,), count=options.count, stones=StoneRange(8, 20, is_free=True))
            is_begun = options.file.with_name(f"{options.file.name}.partial").exists()
            make_dataset(options.file, settings, resume=is_begun)
        inputs, targets = split_data(options.file, "train")
        tested, answers = split_data(options.file, "test")
    except (DatasetError, DatasetFailure, NotationError) as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit("Stopped; the next call continues.")
    mean, deviation = inputs[:, :-1].mean(axis=0), inputs[:, :-1].std(axis=0) + 1e-9
    for part in (inputs, tested):
        part[:, :-1] = (part[:, :-1] - mean) / deviation
    weights = train(inputs, targets, options.steps)
    frequent = int(np.bincount(targets, minlength=3).argmax())
    print(f"{len(inputs)} positions to train, {len(tested)} to test")
    print(f"always {RESULTS[frequent]}: {100 * np.mean(answers == frequent):.1f} % of the test positions")
    print(f"logistic regression: {100 * np.mean((tested @ weights).argmax(axis=1) == answers):.1f} %")


if __name__ == "__main__":
    main()
