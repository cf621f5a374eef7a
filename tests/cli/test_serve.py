"""Owns the tests of ``fourfall serve`` as a user runs it."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from websockets.sync.client import connect

from tests.cli.conftest import Fourfall

FOURFALL = Path(sys.executable).with_name("fourfall")


@contextmanager
def started(*arguments: str, folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start a server; its process and its address."""
    environment = {**os.environ, "XDG_DATA_HOME": str(folder)}
    words = [str(FOURFALL), "serve", "--port", "0", "--no-browser", *arguments]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
    ) as server:
        assert server.stdout is not None
        try:
            yield server, server.stdout.readline().split()[3]
        finally:
            server.kill()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_within_a_second_or_so_also_while_it_thinks(tmp_path: Path, how: signal.Signals) -> None:
    """Ctrl-C with a game, an analysis and a review under way ends everything, without a word of complaint."""
    with started(folder=tmp_path) as (server, address), connect(address.replace("http", "ws") + "ws") as page:
        for message in (
            {"type": "new", "board": "9x9@4,4", "opponent": "fourfall", "side": "second", "move_time_s": 30},
            {"type": "analyse", "position": "9x9@4,4"},
            {"type": "review", "position": "9x9@4,4:123456", "move_time_s": 2},
        ):
            page.send(json.dumps(message))
        time.sleep(0.5)
        asked = time.monotonic()
        server.send_signal(how)
        output, _ = server.communicate(timeout=10)
        assert time.monotonic() - asked < 2.5  # a second, and patience with a busy machine
        assert output == ""
    assert (tmp_path / "fourfall" / "page.db").exists()


def test_a_busy_port_is_named_in_one_line(fourfall: Fourfall) -> None:
    """No traceback, and what to do about it."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = fourfall("serve", "--port", str(port), "--db", "page.db", "--no-browser")
    assert result.returncode == 1
    assert result.stderr == f"fourfall: port {port} of 127.0.0.1 is in use; choose another one with --port\n"


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (("--host", "0.0.0.0"), 2, "token"),  # noqa: S104 (refused)
        (("--host", "no.such.host.invalid", "--token", "x"), 1, "not an address of this machine"),
        (("--agent", "libary:x.so"), 2, "unknown kind"),
        (("--agent", "library:missing.so"), 2, "does not exist"),
        (("--db", "missing/page.db"), 1, "no folder"),
        (("--port", "99999"), 2, "65535"),
    ],
)
def test_what_cannot_work_is_said_in_one_line(
    fourfall: Fourfall, arguments: tuple[str, ...], code: int, complaint: str
) -> None:
    """A host without a token, unknown bots, impossible files: nothing is begun, and the reason is plain."""
    result = fourfall("serve", "--port", "0", "--no-browser", *arguments)
    assert result.returncode == code, result.stderr
    assert complaint in result.stderr
    assert "Traceback" not in result.stderr


def test_a_database_of_another_kind_is_refused(fourfall: Fourfall, tmp_path: Path) -> None:
    """A file that is no database is named and left alone."""
    (tmp_path / "notes.txt").write_text("not a database, but long enough to be looked at " * 20)
    result = fourfall("serve", "--port", "0", "--no-browser", "--db", "notes.txt")
    assert result.returncode == 2
    assert "notes.txt: not a database" in result.stderr
    assert "Traceback" not in result.stderr


def test_without_the_extra_it_says_how_to_install_it(tmp_path: Path) -> None:
    """A missing package is one line with the command that helps."""
    (tmp_path / "fastapi.py").write_text("raise ModuleNotFoundError(\"No module named 'fastapi'\", name='fastapi')\n")
    result = subprocess.run(
        [FOURFALL, "serve"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )
    assert result.returncode == 1
    assert result.stderr == "fourfall: the page needs fastapi: pip install 'fourfall[web]'\n"
