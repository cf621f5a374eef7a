"""Fixture that runs the installed command in a subprocess."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Result = subprocess.CompletedProcess[str]
Fourfall = Callable[..., Result]


@pytest.fixture
def fourfall(tmp_path: Path) -> Fourfall:
    """Return a function that runs ``fourfall`` in an empty folder; `typed` is its standard input."""
    program = Path(sys.executable).with_name("fourfall")

    def run(*arguments: str, typed: str = "") -> Result:
        return subprocess.run(
            [program, *arguments], input=typed, capture_output=True, text=True, cwd=tmp_path, timeout=60, check=False
        )

    return run
