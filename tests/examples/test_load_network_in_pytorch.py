"""Tests the example load_network_in_pytorch.py."""

import re
from pathlib import Path

import pytest

from fourfall.exports.onnx_network import export_onnx
from tests.examples.example_runner import run_example

pytest.importorskip("torch", exc_type=ImportError)


def test_network_agrees_and_can_be_trained(tmp_path: Path) -> None:
    """PyTorch computes the engine's values, gives a policy, and training lowers the loss on other positions."""
    export_onnx(tmp_path / "network.onnx")
    arguments = ("--file", "network.onnx", "--steps", "4", "--samples", "128", "--save", "trained.pt")
    output = run_example("load_network_in_pytorch.py", *arguments, cwd=tmp_path).stdout
    difference = re.search(r"largest difference from the engine in 64 values: (\S+)", output)
    assert difference
    assert float(difference[1]) < 3e-5  # rounding errors in single precision (tests/programs/test_onnx.py)
    shares = [float(share) for share in re.findall(r"\d: (\d+\.\d) %", output)]
    assert len(shares) == 7
    assert sum(shares) == pytest.approx(100, abs=1)
    losses = [float(loss) for loss in re.findall(r"loss (\S+) on positions", output)]
    assert losses[-1] < losses[0]
    assert (tmp_path / "trained.pt").stat().st_size > 1_000_000


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("--position", "6x7:88"), 2, "--position: character 5"),
        (("--position", "6x7:1212121"), 2, "the game is over"),
        (("--file", "missing.onnx"), 1, "missing.onnx: cannot be read as ONNX"),
    ],
)
def test_invalid_input(tmp_path: Path, arguments: tuple[str, ...], code: int, words: str) -> None:
    """The message says what is wrong."""
    result = run_example("load_network_in_pytorch.py", *arguments, cwd=tmp_path, expected_code=code)
    assert words in result.stderr
