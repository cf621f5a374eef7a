"""Parses every command of the documentation with the real command line, and runs the quick ones."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

from fourfall.arena.spec import Spec
from fourfall.cli import app
from tests.cli.fork_server import run_command
from tests.docs.commands import DATABASES, FILES, LIBRARIES, Command, choose_commands_to_run, list_commands
from tests.report.generated_event import store_event

COMMANDS = list_commands()
USAGE_ERROR = typer.BadParameter.__mro__[1]
LIBRARY = """
struct Point { int x, y; };
extern "C" Point* getPoint(int, int cols, const int* top, const int*, int, int, int, int) {
    for (int y = 0; y < cols; ++y)
        if (top[y] > 0) return new Point{top[y] - 1, y};
    return nullptr;
}
extern "C" void clearPoint(Point* point) { delete point; }
"""
PROGRAM = """#!{python}
import sys
rows, cols, hole_row, hole_col = map(int, sys.stdin.readline().split())
for line in sys.stdin:
    top = [int(word) for word in line.split()][2 : 2 + cols]
    y = next(y for y in range(cols) if top[y] > 0)
    answer = f"{{top[y] - 1}} {{y}}".encode()
    sys.stdout.buffer.write(len(answer).to_bytes(4, "big") + answer)
    sys.stdout.buffer.flush()
"""
FUNCTION = "def play(board, limit):\n    return board.legal_moves[0]\n"
LEAGUE = """
pairs = 1
boards.list = ["4x4"]
[[agents]]
address = "level-2"
[[agents]]
address = "level-4"
"""
PRESET = 'base = "seed-002"\n[selection]\nexploration = 0.7\n'


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the bots, presets, specs and databases that the pages name."""
    folder = tmp_path_factory.mktemp("commands")
    (folder / "bot.cpp").write_text(LIBRARY)
    subprocess.run(["g++", "-shared", "-fPIC", "bot.cpp", "-o", "bot.so"], cwd=folder, check=True)
    for name in LIBRARIES - {"bot.so"}:
        shutil.copy(folder / "bot.so", folder / name)
    for name in ("bot", "new"):
        (folder / name).write_text(PROGRAM.format(python=sys.executable))
        (folder / name).chmod(0o755)
    (folder / "bot.py").write_text(FUNCTION)
    (folder / "league.toml").write_text(LEAGUE)
    (folder / "mine.toml").write_text(PRESET)
    (folder / "samples").mkdir()
    shutil.copy(folder / "bot.so", folder / "samples")
    for name in DATABASES:
        for agents in (("mine", "level-50"), ("library:./bot.so", "mine")) * (2 if name == "arena.db" else 1):
            records = store_event(folder / name, Spec.match(*agents, pairs=20 if name == "arena.db" else 2))
    (folder / "games.jsonl").write_text("".join(f"{record.to_json()}\n" for record in records))
    assert {path.name for path in folder.iterdir()} >= FILES
    return folder


def parse(words: tuple[str, ...]) -> None:
    """Parse a command with all its options and types, without running it."""
    command: Any = typer.main.get_command(app)
    context = command.make_context("fourfall", [], resilient_parsing=True)
    rest = list(words)
    while hasattr(command, "resolve_command") and rest:
        name, command, rest = command.resolve_command(context, rest)
        assert command is not None, f"there is no command {words[0]}"
        is_group = hasattr(command, "resolve_command")
        if is_group and command.invoke_without_command and (not rest or rest[0].startswith("-")):
            command.make_context(name, rest, parent=context)  # the group is a command of its own
            return
        context = command.make_context(name, [] if is_group else rest, parent=context, resilient_parsing=is_group)


@pytest.mark.parametrize("command", COMMANDS, ids=str)
def test_command_is_parsed(command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command line accepts the command, its options and their values."""
    monkeypatch.chdir(folder)
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
def test_wrong_command_is_not_parsed(line: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unknown commands, missing arguments, unknown options and wrong values are errors, in groups too."""
    monkeypatch.chdir(folder)
    with pytest.raises((USAGE_ERROR, AssertionError)):
        parse(tuple(line.split()))


@pytest.mark.parametrize("command", choose_commands_to_run(COMMANDS), ids=str)
def test_command_runs(command: Command, folder: Path) -> None:
    """A quick command ends with exit code 0."""
    program = str(Path(sys.executable).with_name("fourfall"))
    words = [program, *command.words, *(command.toy_options or ())]
    result = run_command(words, folder=folder, typed="", environment=os.environ, timeout_s=60)
    assert result.returncode == 0, result.stderr + result.stdout
