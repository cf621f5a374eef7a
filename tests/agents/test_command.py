"""Tests of launching third-party code: which commands and libraries can be started, and the errors of the others."""

import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from fourfall.agents.base import Conditions, Fault
from fourfall.agents.sandbox import launch_library, launch_program
from tests.agents.conftest import SMALL, HostileAgents, catch_failure, read_line, read_message
from tests.marks import needs_sandbox

pytestmark = [
    pytest.mark.usefixtures("no_scratch_left", "no_process_left"),
    needs_sandbox,
]


@pytest.mark.parametrize("has_sandbox", [True, False])
def test_errors_of_libraries_that_cannot_be_used(hostile: HostileAgents, tmp_path: Path, has_sandbox: bool) -> None:
    """A missing file, a file that is not a library and a library without getPoint have different errors."""
    conditions = Conditions(memory_mb=128, sandbox=has_sandbox)
    text = tmp_path / "text.so"
    text.write_text("not a library")
    for path, message in (
        (tmp_path / "missing.so", f"! cannot load {tmp_path}/missing.so: cannot open shared object file"),
        (text, f"! cannot load {text}: file too short"),
        (hostile.library("incomplete"), "! interface missing getPoint"),
    ):
        with launch_library(path, conditions, cpu_time_s=1) as process:
            assert read_message(process)[: len(message)] == message


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda path: None, "no such program"),
        (lambda path: path.mkdir(), "is a folder"),
        (lambda path: path.write_text("x"), "is not executable"),
        (lambda path: (path.write_text("x"), path.chmod(0o755)), "Exec format error"),
    ],
)
def test_errors_of_programs_that_cannot_be_started(tmp_path: Path, make: Callable[[Path], object], reason: str) -> None:
    """The error gives the reason why a program does not start."""
    path = tmp_path / "bot"
    make(path)
    fault, message, _ = catch_failure(lambda: launch_program([str(path)], SMALL, cpu_time_s=1))
    assert (fault, message) == (Fault.CANNOT_LOAD, f"{path}: {reason}")


def test_python_runs_in_the_sandbox(tmp_path: Path) -> None:
    """The running interpreter finds its modules, wherever it is installed; a MemoryError is recognised."""
    script = tmp_path / "bot.py"
    script.write_text(
        "import json, asyncio\nasyncio.run(asyncio.sleep(0))\nprint('ready', flush=True)\nb'x' * (1 << 31)"
    )
    with launch_program([sys.executable, str(script)], Conditions(memory_mb=512), cpu_time_s=10) as process:
        assert process.read_line(time.perf_counter() + 10) == b"ready"
        fault, message, _ = catch_failure(lambda: read_line(process))
    assert (fault, message) == (Fault.MEMORY_EXCEEDED, "exited with code 1; 512 MiB allowed")


@pytest.mark.parametrize("kind", ["script", "program name"])
def test_python_is_found_as_in_a_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """A script with `env python3` runs, and so does python3 where it is the launcher of a version manager."""
    script = tmp_path / "bot.py"
    script.write_text("#!/usr/bin/env python3\nimport json, sys\nprint(sys.prefix, flush=True)\n")
    script.chmod(0o755)
    launcher = tmp_path / "shims" / "python3"
    launcher.parent.mkdir()
    launcher.write_text("#!/bin/sh\ncat ~/.config/versions\n")
    launcher.chmod(0o755)
    monkeypatch.setenv("PATH", f"{launcher.parent}:/usr/bin:/bin")
    argv = [str(script)] if kind == "script" else ["python3", str(script)]
    with launch_program(argv, Conditions(), cpu_time_s=10) as process:
        assert process.read_line(time.perf_counter() + 10).decode() == sys.prefix


@pytest.mark.parametrize("interpreter", ["/bin/cat", "/usr/bin/env -S cat"])
def test_script_opens_no_file_by_its_first_line(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, interpreter: str
) -> None:
    """A file that is an argument of the interpreter in the first line of a script stays unreadable."""
    secret = tmp_path_factory.mktemp("private") / "secret.txt"
    secret.write_text("private content\n")
    script = tmp_path / "bot"
    script.write_text(f"#!{interpreter} {secret}\n")
    script.chmod(0o755)
    with launch_program([str(script)], Conditions(), cpu_time_s=10) as process:
        line = process.read_line(time.perf_counter() + 10)  # cat also prints the script itself
        fault, _, _ = catch_failure(lambda: read_line(process))
    assert line.startswith(b"#!")
    assert fault is Fault.CRASH
    assert "private content" not in process.stderr
