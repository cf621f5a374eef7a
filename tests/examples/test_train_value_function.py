"""Tests the example train_value_function.py."""

import re
from pathlib import Path

import numpy as np
import pytest

from tests.examples.example_runner import run_example


@pytest.mark.parametrize("board", ["6x7", "9x9@4,4"])
def test_example_trains_measures_and_saves(tmp_path: Path, board: str) -> None:
    """It prints the scores before and after the training, and saves weights of the size of the board."""
    options = ("--board", board, "--steps", "40", "--batch", "32", "--hidden", "8", "--games", "8")
    output = run_example("train_value_function.py", *options, "--save", "values.npz", cwd=tmp_path).stdout
    scores = re.findall(r"(\d+) wins, (\d+) draws, (\d+) losses: score [\d.]+ % ± [\d.]+ %", output)
    assert [sum(map(int, score)) for score in scores] == [8, 8]
    assert re.search(r"step 40: \d+ games, mean squared error 0\.\d+", output)
    with np.load(tmp_path / "values.npz") as weights:
        assert weights["arr_0"].shape == ({"6x7": 84, "9x9@4,4": 162}[board], 8)


def test_training_improves_the_player(tmp_path: Path) -> None:
    """After a short training the player scores more against random moves than before."""
    options = (
        "--board",
        "5x5",
        "--steps",
        "400",
        "--batch",
        "64",
        "--hidden",
        "32",
        "--rate",
        "0.005",
        "--games",
        "60",
    )
    output = run_example("train_value_function.py", *options, cwd=tmp_path).stdout
    before, after = (float(score) for score in re.findall(r"score ([\d.]+) %", output))
    assert after > before + 10


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--games", "3"), "--games 3: expected an even number"),
        (("--rate", "nan"), "--rate nan: expected above 0 and at most 1"),
        (("--seed", "-1"), "--seed -1: expected 0 to 2**63 - 1"),
        (("--save", "missing/values.npz"), "--save missing/values.npz: expected a file in a folder that exists"),
        (("--board", "3x3"), "--board 3x3: character 1 '3': the number of rows is 4..12"),
        (("--opponent", "levle-2"), "--opponent levle-2: there is no preset or level 'levle-2'"),
    ],
)
def test_invalid_options(tmp_path: Path, options: tuple[str, ...], message: str) -> None:
    """The error names the option and its value."""
    result = run_example("train_value_function.py", *options, cwd=tmp_path, expected_code=2)
    assert message in result.stderr
