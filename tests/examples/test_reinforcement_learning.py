"""Tests the example of reinforcement learning at toy size, as a user runs it; most tests need sb3-contrib."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "reinforcement_learning.py"

needs_sb3 = pytest.mark.skipif(importlib.util.find_spec("sb3_contrib") is None, reason="sb3-contrib is not installed")


def run_example(*options: str) -> subprocess.CompletedProcess[str]:
    """Run the example with options."""
    return subprocess.run([sys.executable, EXAMPLE, *options], capture_output=True, text=True, check=False, timeout=300)


@needs_sb3
@pytest.mark.parametrize("board", ["5x5@2,2", "official"])
def test_example_trains_measures_and_saves(board: str, tmp_path: Path) -> None:
    """It prints the score before and after the training, and saves a model that can be loaded."""
    file = tmp_path / "player.zip"
    result = run_example(f"--board={board}", "--steps=512", "--environments=2", "--games=10", f"--save={file}")
    assert result.returncode == 0, result.stderr
    scores = re.findall(r"(\d+) wins, (\d+) draws, (\d+) losses: wins [\d.]+% \(95 % interval", result.stdout)
    assert [sum(map(int, score)) for score in scores] == [10, 10]
    assert "trained for 512 steps" in result.stdout
    from sb3_contrib import MaskablePPO

    assert MaskablePPO.load(file, device="cpu").action_space.n == (12 if board == "official" else 5)


@needs_sb3
@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("--games=3", "--games 3: expected an even number of at least 2"),
        ("--board=5x5@7,7", "board = '5x5@7,7'"),
    ],
)
def test_wrong_option_is_one_line(option: str, message: str) -> None:
    """Errors name the option; there is no traceback."""
    result = run_example(option)
    assert result.returncode != 0
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_missing_package_is_one_line() -> None:
    """Without sb3-contrib the example says what to install."""
    code = (
        f"import runpy, sys; sys.modules['sb3_contrib'] = sys.modules['torch'] = None; runpy.run_path({str(EXAMPLE)!r})"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert re.fullmatch(
        r"this example needs the package \w+; install it with: pip install .* sb3-contrib\n", result.stderr
    )
