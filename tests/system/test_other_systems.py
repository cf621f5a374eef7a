"""Tests of the main commands where `fourfall` sees macOS or Windows; `simulated_system` says what this can show."""

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from fourfall.arena.store import Store
from tests.processes import find_processes, wait_until

SIMULATION = Path(__file__).with_name("simulated_system.py")
BOT = "def play(board, limit):\n    return board.legal_moves[-1]\n"
NAMES = {"darwin": "macOS", "win32": "Windows"}

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems are simulated on Linux")


@dataclass(frozen=True)
class Result:
    """Exit code and output of a command."""

    code: int
    output: str
    errors: str


class OtherSystem:
    """A folder and a Python in which `fourfall` sees another system."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self.folder = folder
        self.python = folder / "python"
        paths = os.pathsep.join(path for path in sys.path if path)
        self.python.write_text(
            f"#!/bin/sh\nexec '{sys.executable}' -I '{SIMULATION}' {name} '{self.python}' '{paths}' \"$@\"\n"
        )
        self.python.chmod(0o755)
        (folder / "bot.py").write_text(BOT)
        (folder / "x.so").touch()

    def run(self, *commands: str) -> list[Result]:
        """Run commands one after the other in one process."""
        words = json.dumps([command.split() for command in commands])
        result = subprocess.run(
            [self.python, "-m", "tests.system.command_runner"],
            cwd=self.folder, input=words, capture_output=True, text=True, check=False, timeout=300,
        )  # fmt: skip
        assert result.returncode == 0, result.stderr
        return [Result(**row) for row in json.loads(result.stdout)]


@pytest.fixture(params=NAMES)
def system(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[OtherSystem]:
    """Simulate each of the systems; no process is left at the end."""
    yield OtherSystem(request.param, tmp_path)
    assert wait_until(lambda: find_processes(str(tmp_path / "python")) == [])


def test_engines_play_and_are_analysed(system: OtherSystem) -> None:
    """A match of built-in engines in worker processes, its report, an analysis, a solution and puzzles work."""
    match, report, analysis, solution, explanation, doctor = system.run(
        "match level-2 level-4 --games 2 --board 5x5 --workers 2 --db arena.db",
        "report arena.db --event 1 --html report.html",
        "analyse 6x7:44 --simulations 200 --json",
        "solve 4x5 --json",
        "explain 6x7:44 4",
        "doctor --json",
    )
    assert (match.code, report.code, analysis.code, solution.code, explanation.code) == (0, 0, 0, 0, 0)
    with Store(system.folder / "arena.db", create=False) as store:
        assert [record.ending.value in ("win", "tie") for record in store.find_records(1)] == [True, True]
    assert "level-4" in (system.folder / "report.html").read_text(encoding="utf-8")
    assert json.loads(analysis.output)["move"] in range(7)
    assert doctor.code == 1
    facts = json.loads(doctor.output)
    assert facts["third_party_code_accepted"] is False
    assert facts["missing_features"][0].startswith("sandbox: third-party code runs only with --no-sandbox")


def test_third_party_code_runs_only_without_sandbox(system: OtherSystem) -> None:
    """Agents are refused with a reason and advice; with --no-sandbox a Python agent plays, a library never does."""
    refused, page, played, asked, library, unsafe_library, permissions = system.run(
        "match level-2 python:bot.py --games 2 --db refused.db",
        "serve --port 0 --db refused.db --agent python:bot.py",
        "match level-2 python:bot.py --games 2 --board 5x5 --workers 1 --db arena.db --no-sandbox",
        "ask python:bot.py 6x7:44 --no-sandbox",
        "ask library:x.so 6x7:44",
        "match level-2 library:x.so --games 2 --db refused.db --no-sandbox",
        "doctor --agent python:bot.py",
    )
    name = NAMES[system.name]
    for result in (refused, page, permissions):
        assert result.code == 2
        assert f"third-party code cannot be sandboxed on {name}: the sandbox exists only on Linux; use" in result.errors
        assert ("WSL" in result.errors) is (system.name == "win32")
        assert "--no-sandbox for code that you trust" in result.errors
    assert not (system.folder / "refused.db").exists()
    for result in (library, unsafe_library):
        assert result.code == 2
        assert f"strategy libraries cannot be loaded on {name}: the host that loads them" in result.errors
    assert (played.code, asked.code) == (0, 0)
    assert "move     7\n" in asked.output
    with Store(system.folder / "arena.db", create=False) as store:
        records = list(store.find_records(1))
    assert [record.sandboxed for record in records] == [False, False]
    assert all(record.ending.value in ("win", "tie") for record in records)


@pytest.mark.parametrize("system", ["win32"], indirect=True)
def test_page_plays_a_match(system: OtherSystem) -> None:
    """The server starts, answers, and plays a match with a third-party agent in its own process."""
    words: list[str] = [str(system.python), "-c", "from fourfall.cli import main; main()"]
    options = ["serve", "--port", "0", "--no-browser", "--db", "page.db", "--agent", "python:bot.py", "--no-sandbox"]
    with subprocess.Popen([*words, *options], cwd=system.folder, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            url = server.stdout.readline().split()[3]
            agent = f"python:{system.folder / 'bot.py'}"
            assert agent in [engine["name"] for engine in fetch(f"{url}api/engines")["engines"]]
            match = {"a": "level-2", "b": agent, "games": 2, "board": "5x5"}
            assert fetch(f"{url}api/matches", match) == {"event": 1}
            assert wait_until(lambda: fetch(f"{url}api/events")["events"][0]["state"] == "complete")
        finally:
            server.terminate()


def fetch(url: str, body: object = None) -> Any:  # noqa: ANN401 (JSON)
    """Send a request, and return the answer."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})  # noqa: S310 (our own server)
    with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310
        return json.load(answer)
