"""Runs an example in a process of its own."""

import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def run_example(
    name: str, *arguments: str | Path, cwd: Path, stdin: str = "", expected_code: int = 0
) -> subprocess.CompletedProcess[str]:
    """Run an example in a folder; fails the test if it ends with another exit code or prints a traceback."""
    result = subprocess.run(
        [sys.executable, EXAMPLES / name, *map(str, arguments)],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert result.returncode == expected_code, f"{result.stdout}\n{result.stderr}"
    assert "Traceback" not in result.stderr, result.stderr
    return result
