"""Runs commands in subprocesses: the installed command until its end, or a long one that a test interrupts."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.fork_server import Result, run_command
from tests.processes import wait_until_computing

Fourfall = Callable[..., Result]


@pytest.fixture
def fourfall(tmp_path: Path) -> Fourfall:
    """Return a function that runs ``fourfall`` in an empty folder; `typed` is its standard input."""
    program = Path(sys.executable).with_name("fourfall")

    def run(*arguments: str, typed: str = "") -> Result:
        words = [str(program), *arguments]
        return run_command(words, folder=tmp_path, typed=typed, environment=os.environ, timeout_s=60)

    return run


def start_computing(*arguments: str) -> subprocess.Popen[str]:
    """Start a long command and wait until it computes, so that an interrupt does not reach its imports."""
    program = "from fourfall.cli import main; print(flush=True); main()"
    process = subprocess.Popen(
        [sys.executable, "-c", program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "\n"
    wait_until_computing(process.pid, seconds=0.5)
    return process
