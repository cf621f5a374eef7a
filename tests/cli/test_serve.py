"""Tests ``fourfall serve`` as a process: start, stop, errors of the command line."""

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
def start_server(*arguments: str, folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start a server; yield its process and its address."""
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


@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGTERM])
def test_signal_stops_the_server_during_searches(tmp_path: Path, signal_number: signal.Signals) -> None:
    """SIGINT or SIGTERM during a game, an analysis and a review ends the server soon, without output."""
    with start_server(folder=tmp_path) as (server, address), connect(address.replace("http", "ws") + "ws") as page:
        for message in (
            {"type": "new", "board": "9x9@4,4", "opponent": "fourfall", "side": "second", "move_time_s": 30},
            {"type": "analyse", "position": "9x9@4,4"},
            {"type": "review", "position": "9x9@4,4:123456", "move_time_s": 2},
        ):
            page.send(json.dumps(message))
        time.sleep(0.5)
        start = time.monotonic()
        server.send_signal(signal_number)
        output, _ = server.communicate(timeout=10)
        assert time.monotonic() - start < 2.5  # usually one second; more on a busy machine
        assert output == ""
    assert (tmp_path / "fourfall" / "page.db").exists()


def test_port_in_use(fourfall: Fourfall) -> None:
    """One line names the port and the option to change it."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = fourfall("serve", "--port", str(port), "--db", "page.db", "--no-browser")
    assert result.returncode == 1
    assert result.stderr == f"fourfall: port {port} of 127.0.0.1 is in use; choose another one with --port\n"


@pytest.mark.parametrize(
    ("arguments", "code", "error"),
    [
        (("--host", "0.0.0.0"), 2, "token"),  # noqa: S104 (refused)
        (("--host", "no.such.host.invalid", "--token", "x"), 1, "not an address of this machine"),
        (("--agent", "libary:x.so"), 2, "unknown kind"),
        (("--agent", "library:missing.so"), 2, "does not exist"),
        (("--db", "missing/page.db"), 1, "the folder missing does not exist"),
        (("--port", "99999"), 2, "65535"),
    ],
)
def test_invalid_arguments(fourfall: Fourfall, arguments: tuple[str, ...], code: int, error: str) -> None:
    """A public host without a token, invalid agents and files are reported without a traceback."""
    result = fourfall("serve", "--port", "0", "--no-browser", *arguments)
    assert result.returncode == code, result.stderr
    assert error in result.stderr
    assert "Traceback" not in result.stderr


def test_file_that_is_not_a_database(fourfall: Fourfall, tmp_path: Path) -> None:
    """The error names the file."""
    (tmp_path / "notes.txt").write_text("not a database, but longer than a database header " * 20)
    result = fourfall("serve", "--port", "0", "--no-browser", "--db", "notes.txt")
    assert result.returncode == 2
    assert "notes.txt: not a database" in result.stderr
    assert "Traceback" not in result.stderr


def test_missing_packages_of_the_web_extra(tmp_path: Path) -> None:
    """One line names the missing package and the command that installs it."""
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
