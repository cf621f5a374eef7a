"""Owns the tests of starting foreign code: what can be started and what not."""

import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from fourfall.agents import sandbox
from fourfall.agents.base import Conditions, Fault
from fourfall.agents.sandbox import launch_library, launch_program
from tests.agents.conftest import SMALL, HostileSet, fate, line, read_message

pytestmark = [
    pytest.mark.usefixtures("no_scratch_left", "nothing_left"),
    pytest.mark.skipif(bool(sandbox.missing_protections()), reason="this machine cannot jail foreign code"),
]


@pytest.mark.parametrize("jailed", [True, False])
def test_libraries_that_cannot_be_used(hostile: HostileSet, tmp_path: Path, jailed: bool) -> None:
    """A library that does not exist, a file that is none and one without getPoint are told apart."""
    conditions = Conditions(memory_mb=128, sandbox=jailed)
    text = tmp_path / "text.so"
    text.write_text("not a library")
    for path, words in (
        (tmp_path / "missing.so", f"! cannot load {tmp_path}/missing.so: cannot open shared object file"),
        (text, f"! cannot load {text}: file too short"),
        (hostile.library("incomplete"), "! interface missing getPoint"),
    ):
        with launch_library(path, conditions, cpu_time_s=1) as process:
            assert read_message(process)[: len(words)] == words


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: None, "no such program"),
        (lambda path: path.mkdir(), "is a folder"),
        (lambda path: path.write_text("x"), "is not executable"),
        (lambda path: (path.write_text("x"), path.chmod(0o755)), "Exec format error"),
    ],
)
def test_programs_that_cannot_be_started(tmp_path: Path, make: Callable[[Path], object], words: str) -> None:
    """The reason why a program does not start is given."""
    path = tmp_path / "bot"
    make(path)
    fault, told, _ = fate(lambda: launch_program([str(path)], SMALL, cpu_time_s=1))
    assert (fault, told) == (Fault.CANNOT_LOAD, f"{path}: {words}")


def test_python_runs_in_the_jail(tmp_path: Path) -> None:
    """The running interpreter finds its modules in the jail, wherever it is installed; a MemoryError is told."""
    script = tmp_path / "bot.py"
    script.write_text(
        "import json, asyncio\nasyncio.run(asyncio.sleep(0))\nprint('ready', flush=True)\nb'x' * (1 << 31)"
    )
    with launch_program([sys.executable, str(script)], Conditions(memory_mb=512), cpu_time_s=10) as process:
        assert process.read_line(time.perf_counter() + 10) == b"ready"
        fault, told, _ = fate(lambda: line(process))
    assert (fault, told) == (Fault.MEMORY_EXCEEDED, "exited with code 1; 512 MiB allowed")


@pytest.mark.parametrize("way", ["script", "bare word"])
def test_python_is_found_like_in_a_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    """A script that asks env for Python runs, and so does python3 where it is a version manager's stand-in."""
    script = tmp_path / "bot.py"
    script.write_text("#!/usr/bin/env python3\nimport json, sys\nprint(sys.prefix, flush=True)\n")
    script.chmod(0o755)
    shim = tmp_path / "shims" / "python3"
    shim.parent.mkdir()
    shim.write_text("#!/bin/sh\ncat ~/.config/versions\n")
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", f"{shim.parent}:/usr/bin:/bin")
    argv = [str(script)] if way == "script" else ["python3", str(script)]
    with launch_program(argv, Conditions(), cpu_time_s=10) as process:
        assert process.read_line(time.perf_counter() + 10).decode() == sys.prefix
