"""Tests that Ctrl-C ends an example with one line."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.examples.example_runner import EXAMPLES


@pytest.mark.parametrize(
    ("example", "options", "message"),
    [
        ("find_blunders.py", ("--simulations", "1000000"), "Stopped.\n"),
        ("train_on_dataset.py", ("--board", "12x12", "--count", "100000"), "Stopped; the next call continues.\n"),
        ("train_value_function.py", ("--games", "2", "--steps", "1000000"), "Stopped; nothing was saved.\n"),
    ],
)
def test_interrupt_is_one_line(tmp_path: Path, example: str, options: tuple[str, ...], message: str) -> None:
    """After its first line of output the example is at work for minutes; Ctrl-C ends it without a traceback."""
    with subprocess.Popen(
        [sys.executable, EXAMPLES / example, *options],
        cwd=tmp_path,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (1, message)
