"""Tests what examples say when a package that they need is not installed."""

import runpy
import sys

import pytest

from tests.examples.example_runner import EXAMPLES


@pytest.mark.parametrize(
    ("example", "package", "command"),
    [
        ("load_network_in_pytorch.py", "onnx", 'pip install "fourfall[onnx]" torch'),
        ("reinforcement_learning.py", "gymnasium", 'pip install "fourfall[gymnasium]" sb3-contrib'),
    ],
)
def test_missing_package_is_one_line(monkeypatch: pytest.MonkeyPatch, example: str, package: str, command: str) -> None:
    """The line names the package and the command that installs it."""
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(SystemExit, match="this example needs the package") as caught:
        runpy.run_path(str(EXAMPLES / example))
    assert str(caught.value) == f"this example needs the package {package}; install it with: {command}"
