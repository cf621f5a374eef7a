"""Tests of the sandbox for an ordinary user; root runs them as another user."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from fourfall.agents import sandbox
from fourfall.agents.base import Conditions
from tests.agents.conftest import HostileAgents, read_line
from tests.processes import find_processes

USER = 54321
# Imports as root, because only root may be able to read the interpreter's folder; runs as the user.
SCRIPT = """
import json, os, sys, time
from pathlib import Path
from fourfall.agents import sandbox
from fourfall.agents.base import AgentError, Conditions

folder, home, namespaces = sys.argv[1:]
os.setgroups([])
os.setgid(54321)
os.setuid(54321)
os.environ["HOME"] = home
sandbox._get_host_path = lambda: Path(folder) / "fourfall-host"
if namespaces == "without":
    sandbox.HOST_OPTIONS = ("--no-namespaces",)
actions = "segfault", "sleep", "allocate", "fork-bomb", "forbidden-calls", "write-files", "read-file", "leave-children"
actions += ("change-processes", "show-capabilities")
for action in actions:
    target = {"read-file": f"{home}/secret", "change-processes": str(os.getpid())}.get(action, f"{home}/new")
    words = [f"{folder}/hostile", action, f"to:{target}"]
    with sandbox.launch_program(words, Conditions(memory_mb=128), cpu_time_s=9) as process:
        try:
            answer = process.read_line(time.perf_counter() + (0.3 if action == "sleep" else 10)).decode()
        except AgentError as error:
            answer = error.fault.value
        process.close()
        print(json.dumps([action, answer, process.stderr]))
"""


@pytest.fixture
def folder(hostile: HostileAgents) -> Iterator[Path]:
    """Make a folder that everybody can read, with the host, the hostile program and a user's home with a secret."""
    folder = Path(tempfile.mkdtemp(prefix="sandbox-user-"))
    try:
        folder.chmod(0o755)
        shutil.copy(sandbox._get_host_path(), folder / "fourfall-host")
        shutil.copy(hostile.program, folder / "hostile")
        home = folder / "home" / "user"
        home.mkdir(parents=True)
        for name, text in (("secret", "treasure"), ("new-there", "as it was")):
            (home / name).write_text(text)
            os.chown(home / name, USER, USER)
        os.chown(home, USER, USER)
        yield folder
    finally:
        shutil.rmtree(folder)


def get_capabilities(output: str) -> set[int]:
    """Return the values of the capability sets; the bounding set counts only if it can be emptied."""
    rows = dict(row.split(":") for row in output.splitlines())
    return {int(value, 16) for name, value in rows.items() if name != "CapBnd"}


@pytest.mark.skipif(os.getuid() != 0, reason="only root keeps a capability")
@pytest.mark.parametrize("options", [(), ("--no-namespaces",)], ids=["sandbox", "without-namespaces"])
def test_root_gives_up_all_capabilities(
    folder: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
) -> None:
    """If the user nobody can read the folder, third-party code that root starts has no capability at all."""
    monkeypatch.setattr(sandbox, "HOST_OPTIONS", options)
    words = [f"{folder}/hostile", "show-capabilities", "to:"]
    with sandbox.launch_program(words, Conditions(memory_mb=128), cpu_time_s=9) as process:
        assert read_line(process) == "done"
        process.close()
    values = dict(row.split(":") for row in process.stderr.splitlines())
    assert {name: int(value, 16) for name, value in values.items()} == dict.fromkeys(
        ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"), 0
    )


@pytest.mark.skipif(os.getuid() != 0, reason="the other tests already run as an ordinary user")
@pytest.mark.parametrize("namespaces", ["with", "without"])
def test_the_sandbox_protects_an_ordinary_user(folder: Path, namespaces: str) -> None:
    """Crashes, limits, files, sockets and remaining children are handled as for root."""
    home = folder / "home" / "user"
    result = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(folder), str(home), namespaces],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert result.stderr == ""
    rows = [json.loads(row) for row in result.stdout.splitlines()]
    results = {action: (answer, stderr) for action, answer, stderr in rows}
    assert results["segfault"][0] == "crash"
    assert results["sleep"][0] == "timeout"
    assert results["allocate"][0] == "memory exceeded"
    assert results["read-file"] == ("done", "read: nothing\n")
    children = int(results["fork-bomb"][1].removeprefix("made "))
    if namespaces == "with":
        assert results["leave-children"] == ("done", "fork: succeeded\n")
        assert 50 <= children <= 64
    else:
        assert results["leave-children"] == ("done", "fork: Operation not permitted\n")
        assert children == 0
    attempts = dict(row.split(": ") for row in (results["forbidden-calls"][1] + results["write-files"][1]).splitlines())
    assert len(attempts) == 20
    assert [what for what, outcome in attempts.items() if outcome == "succeeded"] == ["scratch"]
    changes = dict(row.split(": ") for row in results["change-processes"][1].splitlines())
    assert all(outcome != "succeeded" for what, outcome in changes.items() if not what.startswith("own"))
    assert get_capabilities(results["show-capabilities"][1]) == {0}
    assert sorted(path.name for path in home.iterdir()) == ["new-there", "secret"]
    assert (home / "new-there").read_text() == "as it was"
    assert find_processes(str(folder)) == []
