"""Owns the tests of the jail for an ordinary user, which root runs by becoming one."""

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
from tests.agents.conftest import HostileSet, running

USER = 54321
# Imports as root, because the interpreter may lie in a folder of root's own; runs as the user.
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
sandbox._host = lambda: Path(folder) / "fourfall-host"
if namespaces == "without":
    sandbox.HOST_OPTIONS = ("--no-namespaces",)
for deed in ("segfault", "sleep", "hog", "bomb", "break-out", "touch", "peek", "leave-children"):
    target = f"{home}/secret" if deed == "peek" else f"{home}/new"
    with sandbox.launch_program([f"{folder}/hostile", deed, f"to:{target}"], Conditions(memory_mb=128), cpu_time_s=9) as process:
        try:
            told = process.read_line(time.perf_counter() + (0.3 if deed == "sleep" else 10)).decode()
        except AgentError as error:
            told = error.fault.value
        process.close()
        print(json.dumps([deed, told, process.stderr]))
"""


@pytest.fixture
def ground(hostile: HostileSet) -> Iterator[Path]:
    """Make a folder that anybody can read, with the host, the hostile program and a home with a secret in it."""
    folder = Path(tempfile.mkdtemp(prefix="ground-"))
    try:
        folder.chmod(0o755)
        shutil.copy(sandbox._host(), folder / "fourfall-host")
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


@pytest.mark.skipif(os.getuid() != 0, reason="the other tests run as an ordinary user already")
@pytest.mark.parametrize("namespaces", ["with", "without"])
def test_an_ordinary_user_is_protected(ground: Path, namespaces: str) -> None:
    """Crashes, limits, files, sockets and children left behind are handled for an ordinary user as for root."""
    home = ground / "home" / "user"
    result = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(ground), str(home), namespaces],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert result.stderr == ""
    rows = [json.loads(row) for row in result.stdout.splitlines()]
    told = {deed: (answer, errors) for deed, answer, errors in rows}
    assert told["segfault"][0] == "crash"
    assert told["sleep"][0] == "timeout"
    assert told["hog"][0] == "memory exceeded"
    assert told["peek"] == ("done", "read: nothing\n")
    made = int(told["bomb"][1].removeprefix("made "))
    if namespaces == "with":
        assert told["leave-children"] == ("done", "fork: succeeded\n")
        assert 50 <= made <= 64
    else:
        assert told["leave-children"] == ("done", "fork: Operation not permitted\n")
        assert made == 0
    found = dict(row.split(": ") for row in (told["break-out"][1] + told["touch"][1]).splitlines())
    assert len(found) == 20
    assert [what for what, how in found.items() if how == "succeeded"] == ["scratch"]
    assert sorted(path.name for path in home.iterdir()) == ["new-there", "secret"]
    assert (home / "new-there").read_text() == "as it was"
    assert running(str(ground)) == []
