"""Tests ``fourfall serve`` as a process: start, stop, errors of the command line."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from websockets.sync.client import connect

from tests.cli.conftest import Fourfall
from tests.processes import PATIENCE_S

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
            {"type": "review", "position": "9x9@4,4:123456789123456789", "move_time_s": 0.3},
        ):
            page.send(json.dumps(message))
        missing = {"thinking", "analysis", "review"}
        while missing:
            missing.discard(json.loads(page.recv(timeout=PATIENCE_S))["type"])
        start = time.monotonic()
        server.send_signal(signal_number)
        output, _ = server.communicate(timeout=PATIENCE_S)
        assert time.monotonic() - start < 15  # usually one second; more on a busy machine, but less than the search
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
        (("--host", "no.such.host.invalid"), 1, "not an address of this machine"),
        (("--token", "0123456789abcdef"), 2, "No such option: --token"),
        (("--token-file", "missing/page.token"), 2, "cannot create the token file"),
        (("--agent", "libary:x.so"), 2, "unknown kind"),
        (("--agent", "library:missing.so"), 2, "does not exist"),
        (("--db", "missing/page.db"), 1, "the folder missing does not exist"),
        (("--port", "99999"), 2, "65535"),
    ],
)
def test_invalid_arguments(fourfall: Fourfall, arguments: tuple[str, ...], code: int, error: str) -> None:
    """Invalid addresses, agents and files are reported without a traceback."""
    result = fourfall("serve", "--port", "0", "--no-browser", *arguments)
    assert result.returncode == code, result.stderr
    assert error in result.stderr
    assert "Traceback" not in result.stderr


def read_command_lines(process: int) -> str:
    """Return what all users of the machine can see of a process: its command line."""
    return Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode()


def test_public_server_creates_a_random_token(tmp_path: Path) -> None:
    """If other machines can reach the server, the printed address has a new token, and a page without it gets 401."""
    addresses = []
    for _ in range(2):
        with start_server("--host", "0.0.0.0", folder=tmp_path) as (server, address):  # noqa: S104
            addresses.append(address)
            token = address.partition("?token=")[2]
            assert len(token) == 24
            assert token not in read_command_lines(server.pid)
            plain = address.partition("?")[0]
            with pytest.raises(urllib.error.HTTPError, match="401"):
                urllib.request.urlopen(plain, timeout=PATIENCE_S)  # noqa: S310 (our own address)
            engines = address.replace("/?", "/api/engines?")
            with urllib.request.urlopen(engines, timeout=PATIENCE_S) as response:  # noqa: S310 (our own address)
                assert response.status == 200
    assert addresses[0].partition("token=")[2] != addresses[1].partition("token=")[2]


def test_token_from_a_file_and_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is created and used again; the environment variable is used on any host."""
    path = tmp_path / "page.token"
    with start_server("--token-file", str(path), folder=tmp_path) as (server, address):
        assert address.endswith(f"?token={path.read_text().strip()}")
        assert path.read_text().strip() not in read_command_lines(server.pid)
    monkeypatch.setenv("FOURFALL_TOKEN", "from-the-environment")
    with start_server(folder=tmp_path) as (_, address):
        assert address.endswith("?token=from-the-environment")


def test_invalid_tokens(fourfall: Fourfall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that others can read and a short token are refused, and the error does not contain the token."""
    (tmp_path / "page.token").write_text("0123456789abcdef\n")
    (tmp_path / "page.token").chmod(0o644)
    result = fourfall("serve", "--port", "0", "--no-browser", "--token-file", "page.token")
    assert result.returncode == 2
    assert "chmod 600 page.token" in " ".join(result.stderr.replace("│", " ").split())
    monkeypatch.setenv("FOURFALL_TOKEN", "short-secret")
    result = fourfall("serve", "--port", "0", "--no-browser")
    assert result.returncode == 2
    assert "the token has 12 characters; it must have 16 to 200" in " ".join(result.stderr.replace("│", " ").split())
    assert "short-secret" not in result.stderr


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
