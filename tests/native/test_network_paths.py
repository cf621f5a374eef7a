"""Tests the table of benchmarks/network_paths.py with the output of a program that compiles nothing."""

import subprocess
import sys

import pytest

from benchmarks.network_paths import PLATFORMS, SIZES, make_row, measure, parse_arguments
from tests.native.programs import TARGETS


def test_every_platform_is_in_the_table() -> None:
    """The benchmark measures every platform for which the native tests run."""
    assert set(PLATFORMS) == {target.name for target in TARGETS}
    assert parse_arguments([]).targets == list(PLATFORMS)


def test_rows_have_speeds_and_ratios() -> None:
    """The program prints path, size and speed; a row has the sizes in order and ratios to the first row."""
    lines = (
        "portable 9x9 1000.4\nneon 9x9 2500\nportable 10x11 800\nneon 10x11 1600\nportable 12x12 500\nneon 12x12 2000\n"
    )
    speeds = measure([sys.executable, "-c", f"print({lines!r}, end='')"])
    assert list(speeds) == ["portable", "neon"]
    row = make_row("aarch64", "neon", speeds["neon"], speeds["portable"])
    assert row == f"| {PLATFORMS['aarch64']} | neon | 2,500 (2.50) | 1,600 (2.00) | 2,000 (4.00) |"
    assert len(SIZES) == 3


def test_program_that_fails() -> None:
    """A program that ends with an error is not taken for a result."""
    with pytest.raises(subprocess.CalledProcessError):
        measure([sys.executable, "-c", "raise SystemExit(3)"])


@pytest.mark.parametrize("words", [["--rounds", "0"], ["--rounds", "many"], ["sparc"]])
def test_wrong_arguments(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """A wrong argument exits with 2 and is named."""
    with pytest.raises(SystemExit, match="2"):
        parse_arguments(words)
    assert words[-1] in capsys.readouterr().err
