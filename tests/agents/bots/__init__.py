"""Builds the sample agents of the tests: correct ones of every kind, and faulty ones."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.processes import PATIENCE_S, find_free_port, wait_until

SOURCES = Path(__file__).parent
THIRD_PARTY_KINDS = [
    "library",
    "program",
    "program+json",
    "python file",
    "python module",
    "kaggle",
    "kaggle file",
    "ugi",
]
KINDS = ["preset", "preset file", "level", *THIRD_PARTY_KINDS]


class Bots(NamedTuple):
    """A folder with correct agents of every kind, and their addresses by kind."""

    folder: Path
    addresses: dict[str, str]


class FaultyBots(NamedTuple):
    """A folder with faulty agents, and what they must not reach: a file to read, a file to write and a port."""

    folder: Path
    secret: Path
    target: Path
    port: int

    def library(self, mode: str) -> str:
        """Return the address of a library with this fault."""
        path = self.folder / f"{mode}.so"
        if not path.exists():
            shutil.copy(self.folder / "faulty.so", path)
        return f"library:{path}"

    def program(self, mode: str) -> str:
        """Return the address of a program with this fault."""
        return f"program:{self.folder / 'faulty'} {mode}"

    def python(self, function: str) -> str:
        """Return the address of a faulty Python function."""
        return f"python:{self.folder / 'faulty.py'}:{function}"


def compile_bot(source: str, target: Path, *flags: str) -> Path:
    """Compile an agent; a target that ends in .so is a library."""
    kind = ["-shared", "-fPIC"] if target.suffix == ".so" else []
    command = ["g++", "-std=c++17", "-O0", *kind, *flags, str(SOURCES / source), "-o", str(target)]
    subprocess.run(command, check=True)
    return target


@pytest.fixture(scope="session")
def bots(tmp_path_factory: pytest.TempPathFactory) -> Bots:
    """Build the correct agents."""
    folder = tmp_path_factory.mktemp("bots")
    for source in ("board_bot.py", "kaggle_bot.py", "ugi_engine.py"):
        shutil.copy(SOURCES / source, folder)
    (folder / "package").mkdir()
    (folder / "package" / "__init__.py").touch()
    shutil.copy(SOURCES / "board_bot.py", folder / "package" / "inner.py")
    (folder / "mine.toml").write_text('base = "seed-002"\n[limits]\nsimulations = 60\n')
    library = compile_bot("strategy_library.cpp", folder / "strategy.so")
    program = compile_bot("platform_program.cpp", folder / "platform")
    addresses = {
        "preset": "seed-002?simulations=60",
        "preset file": f"{folder}/mine.toml",
        "level": "level-60",
        "library": f"library:{library}",
        "program": f"program:{program}",
        "program+json": f"program+json:{program} json",
        "python file": f"python:{folder}/board_bot.py",
        "python module": "python:package.inner:second_name",
        "kaggle": "python:kaggle_bot.py:agent",
        "kaggle file": f"kaggle:{folder}/kaggle_bot.py",
        "ugi": f"ugi:{sys.executable} ugi_engine.py",
    }
    return Bots(folder, addresses)


@pytest.fixture(scope="session")
def faulty_bots(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FaultyBots]:
    """Build the faulty agents; the file that they try to write is in the user's home folder."""
    folder = tmp_path_factory.mktemp("faulty")
    outside = tmp_path_factory.mktemp("outside")
    target = Path.home() / f".fourfall-faulty-{os.getpid()}"
    bots = FaultyBots(folder, outside / "secret.txt", target, find_free_port())
    bots.secret.write_text("the secret")
    macros = [f'-DSECRET="{bots.secret}"', f'-DTARGET="{bots.target}"', f"-DPORT={bots.port}"]
    compile_bot("faulty.cpp", folder / "faulty.so", *macros)
    compile_bot("faulty.cpp", folder / "faulty", "-DPROGRAM", *macros)
    shutil.copy(SOURCES / "faulty.py", folder)
    yield bots
    bots.target.unlink(missing_ok=True)


def list_remaining_processes(folder: Path, patience_s: float = PATIENCE_S) -> list[str]:
    """List the processes with this folder in their command line that still run after `patience_s`."""
    wait_until(lambda: not _list_processes(folder), patience_s)
    return _list_processes(folder)


def _list_processes(folder: Path) -> list[str]:
    commands = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:  # the process has ended meanwhile
            continue
        if str(folder) in command:
            commands.append(f"{process.name} {command}")
    return commands
