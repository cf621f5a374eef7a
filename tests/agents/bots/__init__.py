"""Owns the sample bots: compiled once for all tests, copied into a folder of their own, and looked for afterwards."""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

SOURCES = Path(__file__).parent


class Bots(NamedTuple):
    """A folder with well-behaved bots of every kind, and their addresses."""

    folder: Path
    addresses: dict[str, str]


class Rogues(NamedTuple):
    """A folder with misbehaving bots, a secret to read, a file to write and a port to reach, all forbidden."""

    folder: Path
    secret: Path
    target: Path
    port: int

    def library(self, mode: str) -> str:
        """Return the address of a library that misbehaves in this way."""
        path = self.folder / f"{mode}.so"
        if not path.exists():
            shutil.copy(self.folder / "rogue.so", path)
        return f"library:{path}"

    def program(self, mode: str) -> str:
        """Return the address of a program that misbehaves in this way."""
        return f"program:{self.folder / 'rogue'} {mode}"

    def python(self, function: str) -> str:
        """Return the address of a Python function that misbehaves in this way."""
        return f"python:{self.folder / 'rogue.py'}:{function}"


def compile_bot(source: str, target: Path, *flags: str) -> Path:
    """Compile a bot; an ending of .so makes a library."""
    kind = ["-shared", "-fPIC"] if target.suffix == ".so" else []
    command = ["g++", "-std=c++17", "-O1", *kind, *flags, str(SOURCES / source), "-o", str(target)]
    subprocess.run(command, check=True)
    return target


@pytest.fixture(scope="session")
def bots(tmp_path_factory: pytest.TempPathFactory) -> Bots:
    """Build the well-behaved bots."""
    folder = tmp_path_factory.mktemp("bots")
    for source in ("board_bot.py", "kaggle_bot.py", "ugi_engine.py"):
        shutil.copy(SOURCES / source, folder)
    (folder / "package").mkdir()
    (folder / "package" / "__init__.py").touch()
    shutil.copy(SOURCES / "board_bot.py", folder / "package" / "inner.py")
    (folder / "mine.toml").write_text('base = "seed-002"\n[limits]\nsimulations = 60\n')
    strategy = compile_bot("strategy_library.cpp", folder / "strategy.so")
    platform = compile_bot("platform_program.cpp", folder / "platform")
    addresses = {
        "preset": "seed-002?simulations=60",
        "preset file": f"{folder}/mine.toml",
        "level": "level-8",
        "library": f"library:{strategy}",
        "program": f"program:{platform}",
        "program+json": f"program+json:{platform} json",
        "python file": f"python:{folder}/board_bot.py",
        "python module": "python:package.inner:second_name",
        "kaggle": "python:kaggle_bot.py:agent",
        "ugi": f"ugi:{sys.executable} ugi_engine.py",
    }
    return Bots(folder, addresses)


@pytest.fixture(scope="session")
def rogues(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rogues]:
    """Build the misbehaving bots; the file that they try to write lies in the user's home."""
    folder = tmp_path_factory.mktemp("rogues")
    world = tmp_path_factory.mktemp("world")
    made = Rogues(folder, world / "secret.txt", Path.home() / f".fourfall-rogue-{os.getpid()}", free_port())
    made.secret.write_text("the secret")
    facts = [f'-DSECRET="{made.secret}"', f'-DTARGET="{made.target}"', f"-DPORT={made.port}"]
    compile_bot("rogue.cpp", folder / "rogue.so", *facts)
    compile_bot("rogue.cpp", folder / "rogue", "-DPROGRAM", *facts)
    shutil.copy(SOURCES / "rogue.py", folder)
    yield made
    made.target.unlink(missing_ok=True)


def free_port() -> int:
    """Return a port of this machine that nobody uses just now."""
    with socket.socket() as phone:
        phone.bind(("127.0.0.1", 0))
        port: int = phone.getsockname()[1]
        return port


def left_running(folder: Path, patience_s: float = 1.0) -> list[str]:
    """List the processes that were started from a folder and are still there after a short while."""
    deadline = time.monotonic() + patience_s
    while found := _running(folder):
        if time.monotonic() > deadline:
            return found
        time.sleep(0.01)
    return []


def _running(folder: Path) -> list[str]:
    commands = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:  # it ended meanwhile
            continue
        if str(folder) in command:
            commands.append(f"{process.name} {command}")
    return commands
