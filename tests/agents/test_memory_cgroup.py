"""Tests of the memory cgroup: memory that no limit of a process counts is limited too."""

import subprocess
from pathlib import Path

import pytest

from fourfall.agents import sandbox
from fourfall.agents.base import Conditions, Fault
from fourfall.agents.sandbox import launch_program
from tests.agents.conftest import catch_failure, read_line

pytestmark = pytest.mark.skipif(
    not any(row.name == "memory" and row.is_available for row in sandbox.detect_protections()),
    reason="this user cannot create memory cgroups",
)


@pytest.fixture(scope="module")
def filler(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Compile the program that fills memory."""
    path = tmp_path_factory.mktemp("filler") / "filler"
    subprocess.run(["g++", "-std=c++20", "-O1", Path(__file__).with_name("memory_filler.cpp"), "-o", path], check=True)
    return str(path)


@pytest.mark.parametrize(
    ("kind", "has_sandbox", "options"),
    [
        ("sockets", True, ("--no-namespaces",)),
        ("sockets", False, ()),
        ("files", True, ()),
    ],
)
def test_memory_outside_the_limits_of_a_process_counts(
    filler: str, monkeypatch: pytest.MonkeyPatch, kind: str, has_sandbox: bool, options: tuple[str, ...]
) -> None:
    """Buffers and files in memory of more than the limit are "memory exceeded"; without a cgroup they are not."""
    conditions = Conditions(memory_mb=24, sandbox=has_sandbox)
    monkeypatch.setattr(sandbox, "HOST_OPTIONS", options)
    with launch_program([filler, kind], conditions, cpu_time_s=10) as process:
        fault, detail, _ = catch_failure(lambda: read_line(process))
    assert (fault, detail) == (Fault.MEMORY_EXCEEDED, "its processes used 40 MiB together; 24 MiB allowed")
    monkeypatch.setattr(sandbox, "HOST_OPTIONS", (*options, "--cgroups", "none"))
    with launch_program([filler, kind], conditions, cpu_time_s=10) as process:
        assert read_line(process) == "done"


def test_memory_within_the_limit_is_not_counted_twice(filler: str) -> None:
    """The same memory fits into a higher limit."""
    with launch_program([filler, "files"], Conditions(memory_mb=128), cpu_time_s=10) as process:
        assert read_line(process) == "done"
