"""Tests the example that drives the engine from JavaScript."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "ugi_client.mjs"
NODE = shutil.which("node", path=Path(sys.executable).parent) or shutil.which("node")
ENGINE = (
    sys.executable,
    "-c",
    "from fourfall.entry_point import main; main()",
    "ugi",
    "--engine",
    "seed-002",
    "--memory-mb",
    "16",
)

pytestmark = pytest.mark.skipif(NODE is None, reason="Node is not installed")


def run_client(*arguments: str, engine: tuple[str, ...] = ENGINE) -> subprocess.CompletedProcess[str]:
    """Run the example with short searches."""
    words = [NODE or "node", str(EXAMPLE), "--movetime", "2", *arguments, "--", *engine]
    return subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)


def test_values_and_a_game() -> None:
    """It prints a value for every column and a game that ends; the only move that does not lose is first."""
    result = run_client("--position", "4x4:11223")
    assert (result.returncode, result.stderr) == (0, "")
    engine, *columns, moves, outcome = result.stdout.splitlines()
    assert engine.startswith("engine Fourfall ")
    assert sorted(line.split()[1] for line in columns) == ["1", "2", "3", "4"]
    assert columns[0].startswith("column 4 ")
    assert "column 1  loses in 1" in columns
    assert moves.startswith("moves 4 ")
    assert outcome in ("result p1win", "result p2win", "result draw")


def test_help_and_wrong_options() -> None:
    """`--help` lists the options; a wrong option is one line with the usage, not a stack trace."""
    result = run_client("--help")
    assert (result.returncode, result.stderr) == (0, "")
    assert "--movetime MS" in result.stdout
    for arguments in (("--depth", "3"), ("--position",)):
        result = run_client(*arguments)
        assert result.returncode == 2
        assert "usage: node ugi_client.mjs" in result.stderr
        assert "    at " not in result.stderr


def test_errors() -> None:
    """An invalid position and a missing program are one line."""
    result = run_client("--position", "99x9")
    assert result.returncode == 1
    assert result.stderr.startswith("info string error: position 99x9: ")
    result = run_client(engine=(sys.executable, "-c", "pass"))
    assert (result.returncode, result.stderr) == (1, "the engine ended before it sent ugiok\n")
    result = run_client(engine=("./nowhere",))
    assert result.returncode == 1
    assert result.stderr.startswith("./nowhere cannot be started: ")
