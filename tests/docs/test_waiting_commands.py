"""Starts the commands of the documentation that wait for a person or a client, talks to them and stops them."""

import os
import signal
import sys
import urllib.request
from pathlib import Path

import pytest

from fourfall import Board
from fourfall.agents import protocol
from tests.cli.fork_server import Result, run_command
from tests.cli.test_serve import start_server
from tests.docs.commands import Command, list_commands
from tests.docs.prepared_folder import PUZZLE
from tests.docs.toy_options import WAITING
from tests.processes import PATIENCE_S

COMMANDS = [command for command in list_commands() if command.is_fourfall and command.path in WAITING]


def list_those(name: str) -> list[Command]:
    """Return the commands of this name on all pages."""
    return [command for command in COMMANDS if command.path == (name,)]


def converse(command: Command, *options: str, typed: str, folder: Path) -> Result:
    """Run a command with a text as its standard input."""
    words = [str(Path(sys.executable).with_name("fourfall")), *command.words, *options]
    result = run_command(words, folder=folder, typed=typed, environment=os.environ, timeout_s=60)
    assert result.returncode == 0, result.stderr + result.stdout
    assert result.stderr == ""
    return result


@pytest.mark.parametrize("command", list_those("play"), ids=str)
def test_play_replies_to_a_move(command: Command, tmp_path: Path) -> None:
    """The engine replies to a move; q ends the game."""
    result = converse(command, "--simulations", "50", typed="4\nq\n", folder=tmp_path)
    assert "The engine plays" in result.stdout


@pytest.mark.parametrize("command", list_those("puzzles"), ids=str)
def test_puzzles_show_a_board(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A puzzle is shown; q ends."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "mine.txt").write_text(PUZZLE)
    result = converse(command, typed="q\n", folder=tmp_path)
    assert "1 2 3 4" in result.stdout


@pytest.mark.parametrize("command", list_those("ugi"), ids=str)
def test_ugi_answers(command: Command, tmp_path: Path) -> None:
    """The engine introduces itself and finds a move."""
    lines = ("ugi", "isready", "position startpos moves 4 4", "go nodes 50", "quit")
    result = converse(command, typed="".join(f"{line}\n" for line in lines), folder=tmp_path)
    assert "\nugiok\n" in result.stdout
    assert "\nbestmove " in result.stdout


@pytest.mark.parametrize("command", list_those("platform"), ids=str)
def test_platform_answers(command: Command, tmp_path: Path) -> None:
    """The program answers the first request with a cell of the bottom row: a length of four bytes and the text."""
    board = Board(9, 9)
    request = protocol.write_start(board.geometry) + protocol.write_question(board)
    result = converse(command, "--time", "0.02", typed=request.decode(), folder=tmp_path)
    row, _ = result.stdout[4:].split()
    assert row == "8"


@pytest.mark.parametrize("command", list_those("serve"), ids=str)
def test_serve_answers(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server sends the page; Ctrl-C stops it."""
    monkeypatch.chdir(tmp_path)
    with start_server(*command.words[1:], folder=tmp_path) as (server, address):
        with urllib.request.urlopen(address, timeout=PATIENCE_S) as reply:  # noqa: S310 (a page of this test)
            assert b"<title>" in reply.read()
        server.send_signal(signal.SIGINT)
        output, _ = server.communicate(timeout=PATIENCE_S)
        assert "Traceback" not in output


def test_every_waiting_command_is_tested() -> None:
    """Each kind of waiting command is on some page."""
    assert {command.path for command in COMMANDS} == WAITING
