"""Tests that commands run nothing from the current folder outside the sandbox."""

import json
import os
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from tests.marks import needs_sandbox

FOURFALL = Path(sys.executable).with_name("fourfall")
MODULES = ["difflib", "json", "typing", "enum", "re", "random", "runpy", "sqlite3", "numpy", "pydantic", "typer"]
MODULES += ["rich", "uvicorn", "starlette", "sitecustomize", "usercustomize", "conftest", "fourfall/__init__"]
PROGRAMS = ["g++", "c++", "clang++", "cc", "as", "ld", "python", "python3", "sh", "env", "uname", "xdg-open"]
COMPILER = """
ls -A > "$(dirname "$0")/files"
env > "$(dirname "$0")/environment"
while [ "$1" != -o ]; do shift; done
: > "$2"
"""


class HostileFolder:
    """A folder full of files that record it when they run, and a folder with a compiler that the user trusts."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "hostile"
        self.canaries = folder / "canaries"
        self.tools = folder / "tools"
        for path in (self.folder, self.folder / "fourfall", self.folder / "bin", self.canaries, self.tools):
            path.mkdir()
        for name in MODULES:
            (self.folder / f"{name}.py").write_text(self.make_python_canary(name))
        (self.folder / "site.pth").write_text(self.make_python_canary("site.pth").replace("\n", ";"))
        (self.folder / "pyproject.toml").write_text("[tool.pytest.ini_options]\naddopts = '-p conftest'\n")
        (self.folder / ".env").write_text("PYTHONPATH=.\nLD_PRELOAD=./evil.so\n")
        for place in (self.folder, self.folder / "bin"):
            for name in PROGRAMS:
                self.write_program(place / name, f"touch '{self.canaries}/{name}'")
        # The agent in this folder is honest, but its environment is recorded on its standard error.
        (self.folder / "bot.py").write_text(
            "import json, os, sys\n"
            "print('environment', json.dumps(sorted(os.environ)), file=sys.stderr)\n"
            "def play(board, limit): return board.legal_moves[0]\n"
        )
        self.write_program(self.tools / "c++", COMPILER)
        self.environment = {
            **os.environ,
            "PATH": f".:{self.tools}::bin:/usr/local/bin:/usr/bin:/bin",
            "CPATH": ".:/nowhere",
            "LIBRARY_PATH": "",
            "COMPILER_PATH": "bin",
            "SECRET_KEY": "private",
            "XDG_DATA_HOME": str(folder / "data"),
            "DISPLAY": "",
        }
        self.environment.pop("CXX", None)

    def make_python_canary(self, name: str) -> str:
        """Return code that creates a file if it runs outside the sandbox."""
        path = str(self.canaries / name.replace("/", "."))
        return f"import os\nos.close(os.open({path!r}, os.O_CREAT | os.O_WRONLY))\n"

    @staticmethod
    def write_program(path: Path, line: str) -> None:
        """Write a shell script."""
        path.write_text(f"#!/bin/sh\n{line}\n")
        path.chmod(0o755)

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a command in the folder."""
        return subprocess.run(
            [FOURFALL, *arguments],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def list_canaries(self) -> list[str]:
        """Return which files of the folder ran outside the sandbox."""
        return sorted(path.name for path in self.canaries.iterdir())


@pytest.fixture
def hostile_folder(tmp_path: Path) -> HostileFolder:
    """Make the folder."""
    return HostileFolder(tmp_path)


@pytest.mark.parametrize(
    "arguments",
    [
        ("doctor",),
        ("analyse", "6x7:44", "--time", "0.1"),
        pytest.param(("doctor", "--agent", "python:bot.py"), marks=needs_sandbox),
        pytest.param(("ask", "python:bot.py", "4x4"), marks=needs_sandbox),
        pytest.param(("match", "python:bot.py", "level-1", "--games", "2", "--board", "4x4"), marks=needs_sandbox),
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_commands_run_nothing_from_the_folder(hostile_folder: HostileFolder, arguments: tuple[str, ...]) -> None:
    """Neither modules nor programs of the current folder run, and the command works."""
    result = hostile_folder.run(*arguments)
    assert (result.returncode, result.stderr) == (0, "")
    assert hostile_folder.list_canaries() == []
    assert "SECRET_KEY" not in result.stdout


def test_an_export_uses_the_compiler_of_the_path(hostile_folder: HostileFolder) -> None:
    """The compiler is not that of the current folder, works in a new folder, and has no relative search path."""
    result = hostile_folder.run("export", "library", "out", "--engine", "seed-001")
    assert (result.returncode, result.stderr) == (0, "")
    assert hostile_folder.list_canaries() == []
    assert (hostile_folder.tools / "files").read_text() == "seed-001.cpp\n"
    variables = dict(row.split("=", 1) for row in (hostile_folder.tools / "environment").read_text().splitlines())
    assert variables["PATH"] == f"{hostile_folder.tools}:/usr/local/bin:/usr/bin:/bin"
    assert variables["CPATH"] == "/nowhere"
    assert not {"LIBRARY_PATH", "COMPILER_PATH"} & set(variables)


@needs_sandbox
def test_the_server_runs_nothing_from_the_current_folder(hostile_folder: HostileFolder) -> None:
    """The same holds for the server and for the process of its match."""
    words = [str(FOURFALL), "serve", "--port", "0", "--no-browser", "--agent", "python:bot.py"]
    with subprocess.Popen(
        words, cwd=hostile_folder.folder, env=hostile_folder.environment, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        try:
            address = server.stdout.readline().split()[3]
            agent = f"python:{hostile_folder.folder}/bot.py"
            body = {"a": agent, "b": "level-1", "games": 2, "simulations": 10, "board": "4x4"}
            request = urllib.request.Request(  # noqa: S310 (our own server)
                f"{address}api/matches", json.dumps(body).encode(), {"Content-Type": "application/json"}
            )
            with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310 (our own server)
                event = json.load(answer)["event"]
            state, deadline = "running", time.monotonic() + 60
            while state == "running" and time.monotonic() < deadline:
                time.sleep(0.1)
                with urllib.request.urlopen(f"{address}api/events/{event}", timeout=60) as answer:  # noqa: S310
                    state = json.load(answer)["state"]
        finally:
            server.terminate()
    assert state == "complete"
    assert hostile_folder.list_canaries() == []
