"""Runs every command of the documentation that ends by itself, in the order of its page, at toy size."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
import typer

from fourfall.cli import app
from tests.cli.fork_server import run_command
from tests.docs.commands import Command, list_commands
from tests.docs.prepared_folder import prepare_folder
from tests.docs.toy_options import PLAYING, WAITING, list_exit_codes, list_toy_words
from tools.docs.command_help import list_command_names, read_command_help

FOURFALL = Path(sys.executable).with_name("fourfall")
COMMANDS = list_commands()
COMMANDS_TO_RUN = [command for command in COMMANDS if not (command.is_fourfall and command.path in WAITING)]
PAGES = {page: list(commands) for page, commands in groupby(COMMANDS_TO_RUN, key=lambda command: command.page)}
ROOT_COMMAND: Any = typer.main.get_command(app)
USAGE_ERROR = typer.BadParameter.__mro__[1]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the files that the pages name."""
    folder = tmp_path_factory.mktemp("commands")
    prepare_folder(folder)
    return folder


@pytest.fixture
def folder(prepared: Path, tmp_path: Path) -> Path:
    """Return a copy of the prepared folder for the commands of one page."""
    return shutil.copytree(prepared, tmp_path / "folder")


def parse(words: tuple[str, ...]) -> None:
    """Parse a command with all its options and types, without running it."""
    command = ROOT_COMMAND
    context = command.make_context("fourfall", [], resilient_parsing=True)
    rest = list(words)
    while hasattr(command, "resolve_command") and rest:
        name, command, rest = command.resolve_command(context, rest)
        assert command is not None, f"there is no command {words[0]}"
        is_group = hasattr(command, "resolve_command") and not (rest and rest[0].startswith("-"))
        context = command.make_context(name, [] if is_group else rest, parent=context, resilient_parsing=is_group)
        if not is_group:
            return


def run_at_toy_size(command: Command, folder: Path, environment: Mapping[str, str]) -> None:
    """Run a command of a page and check its exit code."""
    if not command.is_fourfall:
        # Bots that the page builds think for 0.02 s instead of seconds and are compiled quickly.
        text = command.text.replace("act_timeout_s = 2.0", "act_timeout_s = 0.02")
        environment = {**environment, "MAKEFLAGS": "MOVE_TIME_MS=20 CXXFLAGS=-O0 SANITIZERS="}
        subprocess.run(["bash", "-c", text], cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
        return
    if command.path == ("new",):
        shutil.rmtree(folder / "mybot", ignore_errors=True)
    if command.path == ("export", "library"):
        environment = {**environment, "CXX": str(folder / "compiler")}
    if command.path == ("ladder", "run") and not (folder / "ladder.db").exists():
        run_at_toy_size(Command(command.page, "fourfall ladder add level-2 level-4"), folder, environment)
    words = [str(FOURFALL), *list_toy_words(command)]
    result = run_command(words, folder=folder, typed="", environment=environment, timeout_s=60)
    assert result.returncode in list_exit_codes(command), f"{command}\n{result.stderr}{result.stdout}"
    assert "Traceback" not in result.stderr + result.stdout
    if command.path in PLAYING:
        assert not re.search("crash|illegal|protocol", result.stdout), f"{command}\n{result.stdout}"


@pytest.mark.parametrize("command", [command for command in COMMANDS if command.is_fourfall], ids=str)
def test_command_is_parsed(command: Command, prepared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command line accepts the command, its options and their values as the page has them."""
    monkeypatch.chdir(prepared)
    parse(command.words)


@pytest.mark.parametrize(
    "text", [example for name in list_command_names() for example in read_command_help(name).examples]
)
def test_example_of_the_help_is_parsed(text: str, prepared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command line accepts the examples of `--help`, which the page of commands shows, too."""
    monkeypatch.chdir(prepared)
    command = Command("--help", text[text.index("fourfall ") :])
    parse(command.words)


@pytest.mark.parametrize(
    "line",
    [
        "match a b --nothing",
        "match a",
        "show 1 --time x",
        "ladder show --nothing",
        "unknown",
        "ladder unknown",
    ],
)
def test_wrong_command_is_not_parsed(line: str, prepared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unknown commands, missing arguments, unknown options and wrong values are errors, in groups too."""
    monkeypatch.chdir(prepared)
    with pytest.raises((USAGE_ERROR, AssertionError)):
        parse(tuple(line.split()))


@pytest.mark.parametrize("page", PAGES)
def test_commands_of_page_run(page: str, folder: Path) -> None:
    """Each command ends with a documented exit code; a command on several pages is run on the first."""
    environment = {
        **os.environ,
        "PATH": f"{folder / 'programs'}:{os.environ['PATH']}",
        "XDG_DATA_HOME": str(folder),
    }
    for command in PAGES[page]:
        run_at_toy_size(command, folder, environment)
