"""Owns the hostile set: everything that a bot should not do, compiled once."""

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

SOURCES = Path(__file__).parent
HOST = sandbox._host()
LIMIT_S = 0.5
LATE_S = 0.5
SMALL = Conditions(memory_mb=128)
# As the machine offers it; without namespaces, as in many containers; and without a jail.
WAYS = {"jailed": (True, ()), "without namespaces": (True, ("--no-namespaces",)), "unjailed": (False, ())}


class HostileSet:
    """The compiled set: a library for every deed, each in a folder of its own, and one program for all."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.program = folder / "hostile"
        shared = ["-shared", "-fPIC", "-DLIBRARY"]
        builds: tuple[tuple[str, list[str], str], ...] = (
            ("hostile.cpp", shared, "hostile.so"),
            ("hostile.cpp", [*shared, "-DINCOMPLETE"], "incomplete.so"),
            ("hostile.cpp", ["-pthread"], "hostile"),
            ("older_kernel.cpp", [], "older_kernel"),
        )
        compilers = [
            subprocess.Popen(["g++", "-std=c++20", "-O1", "-w", *options, SOURCES / source, "-o", folder / name])
            for source, options, name in builds
        ]
        assert [compiler.wait() for compiler in compilers] == [0] * len(builds)

    def library(self, deed: str, target: object = "") -> Path:
        """Return the path of a library that does this deed."""
        path = self.folder / deed / f"{deed}.so"
        path.parent.mkdir(exist_ok=True)
        shutil.copyfile(self.folder / ("incomplete.so" if deed == "incomplete" else "hostile.so"), path)
        (path.parent / "target").write_text(f"{target}\n")
        return path

    def kernel(self, name: str) -> Path:
        """Return a program that runs the host on a kernel that lacks something."""
        path = self.folder / name
        shutil.copy(self.folder / "older_kernel", path)
        (self.folder / "host").write_text(f"{HOST}\n")
        return path


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> HostileSet:
    """Compile the hostile set."""
    return HostileSet(tmp_path_factory.mktemp("hostile"))


def read_message(process: Process, seconds: float = 3.0) -> str:
    """Read one framed message of a library."""
    deadline = time.perf_counter() + seconds
    (size,) = struct.unpack(">I", process.read_exactly(4, deadline))
    return process.read_exactly(size, deadline).decode()


def ask(process: Process, seconds: float = 3.0) -> str:
    """Ask a library for a move on an empty 6x7 board whose last cell holds a stone of its own."""
    question = f"-1 -1 {'6 ' * 7}{'0 ' * 41}2\n"
    process.write(question.encode(), time.perf_counter() + seconds)
    return read_message(process, seconds)


def begin(process: Process) -> Process:
    """Take a library to the point where it can be asked."""
    assert read_message(process) == "ready"
    process.write(b"6 7 -1 -1\n", time.perf_counter() + 1)
    return process


def running(marker: str) -> list[int]:
    """Return the processes of this machine whose command line holds a word."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                words = (folder / "cmdline").read_bytes()
            except OSError:
                continue
            if marker.encode() in words:
                found.append(int(folder.name))
    return found


@pytest.fixture
def nothing_left(hostile: HostileSet) -> Iterator[None]:
    """Check after a test that no process of the hostile set is running any more."""
    yield
    assert running(str(hostile.folder)) == []


@pytest.fixture
def no_scratch_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Check after a test that every scratch folder has been removed."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield
    assert list(folder.iterdir()) == []


@pytest.fixture(params=WAYS, ids=lambda way: way.replace(" ", "-"))
def conditions(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Conditions:
    """Run a test in every way in which foreign code can be run."""
    jailed, options = WAYS[request.param]
    monkeypatch.setattr(sandbox, "HOST_OPTIONS", options)
    return Conditions(memory_mb=128, sandbox=jailed)


def fate(use: Callable[[], object]) -> tuple[Fault, str, float]:
    """Return how a use of a process fails, and how long that takes."""
    started = time.perf_counter()
    with pytest.raises(AgentError) as failure:
        use()
    return failure.value.fault, str(failure.value), time.perf_counter() - started


def line(process: Process, seconds: float = 10.0) -> str:
    """Read a line; the time is for busy machines."""
    return process.read_line(time.perf_counter() + seconds).decode()


def gone(marker: str) -> bool:
    """Wait a little for the end of all processes with a word in their command line."""
    deadline = time.perf_counter() + 3
    while running(marker) and time.perf_counter() < deadline:
        time.sleep(0.01)
    return running(marker) == []
