"""Writes samples whose values are those of a search instead of one evaluation, and compares the teacher with them.

``python -m training.student.search_values held_out.bin searched.bin --positions 3000 --simulations 200``; then
``trainer 64x2 report searched.bin 64x2.student`` prints the difference between the student and the search.
"""

import argparse
from pathlib import Path

import numpy as np

from fourfall import Engine, Limit
from training.student.samples import SAMPLE, read_board


def main() -> None:
    """Search evenly spaced samples of a file and write them with the values found."""
    parser = argparse.ArgumentParser(prog="python -m training.student.search_values", description=__doc__)
    parser.add_argument("samples", type=Path, help="file of the generator")
    parser.add_argument("out", type=Path, help="file to write")
    parser.add_argument("--positions", type=int, default=3000, help="number of positions")
    parser.add_argument("--simulations", type=int, default=200, help="simulations per position")
    options = parser.parse_args()
    samples = np.fromfile(options.samples, SAMPLE)
    chosen = samples[:: max(1, len(samples) // options.positions)][: options.positions].copy()
    engine = Engine("fourfall", seed=1)
    teacher = chosen["value"].astype(float)
    for sample in chosen:
        engine.clear()
        sample["value"] = engine.search(read_board(sample), Limit(simulations=options.simulations)).score.value
    chosen.tofile(options.out)
    searched = np.clip(chosen["value"].astype(float), -1 + 2e-7, 1 - 2e-7)
    target, found = (1 + searched) / 2, np.clip((1 + teacher) / 2, 1e-7, 1 - 1e-7)
    divergence = target * np.log(target / found) + (1 - target) * np.log((1 - target) / (1 - found))
    print(f"teacher: value KL {divergence.mean():.4f}, value error {np.abs(searched - teacher).mean():.4f}")


if __name__ == "__main__":
    main()
