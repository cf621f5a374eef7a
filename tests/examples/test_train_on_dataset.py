"""Tests the example train_on_dataset.py."""

import re
from pathlib import Path

from fourfall.datasets import read
from tests.examples.example_runner import run_example


def test_model_is_better_than_the_most_frequent_result(tmp_path: Path) -> None:
    """It makes the data set, trains and prints both accuracies."""
    options = ("--board", "4x6", "--count", "500", "--steps", "100")
    output = run_example("train_on_dataset.py", *options, cwd=tmp_path).stdout
    assert output.startswith("solving 500 positions of 4x6 ...\n")
    frequent, model = (float(text) for text in re.findall(r": ([\d.]+) %", output))
    assert model > frequent
    assert len(read(tmp_path / "exact.parquet")) == 500


def test_bad_board_is_one_line(tmp_path: Path) -> None:
    """A wrong board is an error of one line."""
    result = run_example("train_on_dataset.py", "--board", "3x3", cwd=tmp_path, expected_code=1)
    assert result.stderr.strip() == "board '3x3': character 1 '3': the number of rows is 4..12"
