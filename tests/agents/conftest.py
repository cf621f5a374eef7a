"""Fixtures for the tests of the sandbox: hostile libraries and programs, and checks that nothing is left behind."""

import shutil
import struct
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fourfall.agents import sandbox
from fourfall.agents.base import AgentError, Conditions, Fault
from fourfall.agents.sandbox import Process
from tests.processes import find_processes, wait_until

SOURCES = Path(__file__).parent
HOST = sandbox._get_host_path()
MOVE_TIME_S = 0.25
TOLERANCE_S = 5.0
"""For a busy machine; a process that nothing ends would run for a minute."""
SMALL = Conditions(memory_mb=128)
# With all protections of this machine; without namespaces, as in many containers; and without a sandbox.
MODES = {"sandbox": (True, ()), "without namespaces": (True, ("--no-namespaces",)), "no sandbox": (False, ())}


class HostileAgents:
    """The compiled hostile agents: a library for every action, each in its own folder, and one program for all."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.program = folder / "hostile"
        shared = ["-shared", "-fPIC", "-DLIBRARY"]
        builds: tuple[tuple[str, list[str], str], ...] = (
            ("hostile.cpp", shared, "hostile.so"),
            ("hostile.cpp", [*shared, "-DINCOMPLETE"], "incomplete.so"),
            ("hostile.cpp", ["-pthread"], "hostile"),
            ("kernel_without_feature.cpp", [], "kernel_without_feature"),
        )
        compilers = [
            subprocess.Popen(["g++", "-std=c++20", "-O0", "-w", *options, SOURCES / source, "-o", folder / name])
            for source, options, name in builds
        ]
        assert [compiler.wait() for compiler in compilers] == [0] * len(builds)

    def library(self, action: str, target: object = "") -> Path:
        """Return the path of a library that performs this action on the target."""
        path = self.folder / action / f"{action}.so"
        path.parent.mkdir(exist_ok=True)
        code = (self.folder / ("incomplete.so" if action == "incomplete" else "hostile.so")).read_bytes()
        path.write_bytes(code + f"\n{target}".encode())
        return path

    def host_without(self, feature: str) -> Path:
        """Return a program that runs the host on a kernel without a feature, such as `no-landlock`."""
        path = self.folder / feature
        shutil.copy(self.folder / "kernel_without_feature", path)
        (self.folder / "host").write_text(f"{HOST}\n")
        return path


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> HostileAgents:
    """Compile the hostile agents."""
    return HostileAgents(tmp_path_factory.mktemp("hostile"))


def read_message(process: Process, seconds: float = 10.0) -> str:
    """Read one framed message of a library."""
    deadline = time.perf_counter() + seconds
    (size,) = struct.unpack(">I", process.read_exactly(4, deadline))
    return process.read_exactly(size, deadline).decode()


def ask_library(process: Process, seconds: float = 10.0) -> str:
    """Ask a library for a move on an empty 6x7 board, except for one own stone in the last cell."""
    question = f"-1 -1 {'6 ' * 7}{'0 ' * 41}2\n"
    process.write(question.encode(), time.perf_counter() + seconds)
    return read_message(process, seconds)


def start_library(process: Process) -> Process:
    """Wait until a library is ready and send the first line."""
    assert read_message(process) == "ready"
    process.write(b"6 7 -1 -1\n", time.perf_counter() + 10)
    return process


@pytest.fixture
def no_process_left(hostile: HostileAgents) -> Iterator[None]:
    """Check after a test that no process of the hostile agents is running."""
    yield
    assert find_processes(str(hostile.folder)) == []


@pytest.fixture
def no_scratch_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Check after a test that every scratch folder has been removed."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield
    assert list(folder.iterdir()) == []


@pytest.fixture(params=MODES, ids=lambda mode: mode.replace(" ", "-"))
def conditions(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Conditions:
    """Run a test in every mode in which third-party code can be run."""
    has_sandbox, options = MODES[request.param]
    monkeypatch.setattr(sandbox, "HOST_OPTIONS", options)
    return Conditions(memory_mb=128, sandbox=has_sandbox)


def catch_failure(use: Callable[[], object]) -> tuple[Fault, str, float]:
    """Return the fault and the message with which the use of a process fails, and the seconds it took.

    Time that a busy machine withheld from the process does not count.
    """
    with pytest.raises(AgentError) as failure:
        use()
    return failure.value.fault, str(failure.value), failure.value.seconds


def read_line(process: Process, seconds: float = 10.0) -> str:
    """Read a line; the default time is enough on a busy machine."""
    return process.read_line(time.perf_counter() + seconds).decode()


def wait_until_gone(marker: str) -> bool:
    """Wait for the end of all processes with a word in their command line; return whether they ended."""
    return wait_until(lambda: find_processes(marker) == [])
