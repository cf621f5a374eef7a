"""Finds out what a bot's folder or file is: its agent address, its build command and its source files.

Only the names of files are read. The code of a bot runs in the sandbox; its Makefile runs outside of it.
"""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from fourfall.agents.child_processes import find_program
from fourfall.kits.starter_kit import KitError
from fourfall.system.command_line import quote_word

TIME_SHARE = 0.75
"""Share of the time per move for which a bot with a Makefile is built to think; the rest is a margin."""

_BUILD_FOLDER = "build"
_SKIPPED_FOLDERS = (_BUILD_FOLDER, "__pycache__")
_SOURCE_SUFFIXES = {".c", ".cc", ".cpp", ".cxx", ".h", ".hpp", ".hxx", ".inl", ".py"}
_DATA_SUFFIXES = {".bin", ".csv", ".json", ".npy", ".npz", ".toml", ".txt"}
_BUILD_FILES = {"Makefile", "makefile", "GNUmakefile"}

AgentKind = Literal["library", "program", "python"]
Snapshot = dict[Path, tuple[int, int]]
"""The source files of a bot with their times of change (ns) and sizes."""


@dataclass(frozen=True)
class BotProject:
    """A bot that is being written: a folder, or one file that somebody else builds.

    `output` is the name of the file that make writes into the folder OUT; without a build it is None.
    """

    path: Path
    kind: AgentKind
    output: str | None = None

    @property
    def name(self) -> str:
        """Name of the bot for tables."""
        return self.path.absolute().name

    def make_build_command(self, move_time_s: float) -> list[str] | None:
        """Return the command that builds the bot for a time per move; None if nothing is built.

        >>> BotProject(Path("mybot"), "library", "strategy.so").make_build_command(0.4)[2:]
        ['-C', 'mybot', 'OUT=build/watch_300ms', 'MOVE_TIME_MS=300']
        """
        if self.output is None:
            return None
        make = find_program("make")
        if make is None:
            raise KitError("there is no program make; install it (on Debian: sudo apt-get install make)")
        time_ms = _get_thinking_ms(move_time_s)
        words = f"OUT={_get_output_folder(move_time_s)}", f"MOVE_TIME_MS={time_ms}"
        return [str(make), "--no-print-directory", "-C", str(self.path), *words]

    def find_agent_path(self, move_time_s: float) -> Path:
        """Return the file or folder of the agent.

        >>> BotProject(Path("mybot"), "library", "strategy.so").find_agent_path(0.4).as_posix()
        'mybot/build/watch_300ms/strategy.so'
        """
        return self.path if self.output is None else self.path / _get_output_folder(move_time_s) / self.output

    def make_address(self, move_time_s: float) -> str:
        """Return the address of the agent.

        >>> BotProject(Path("mybot"), "library", "strategy.so").make_address(0.4)
        'library:mybot/build/watch_300ms/strategy.so'
        >>> BotProject(Path("my bot"), "program", "main").make_address(0.4)
        "program:'./my bot/build/watch_300ms/main'"
        """
        path = self.find_agent_path(move_time_s)
        text = str(path) if path.is_absolute() else f"./{path}" if self.kind == "program" else str(path)
        if self.kind == "program":
            return f"program:{quote_word(text)}"
        return f"{self.kind}:{text}{'/' if path.is_dir() else ''}"

    def take_snapshot(self) -> Snapshot:
        """Return the state of the source files; another state means that the bot has changed."""
        return _stat_files(_list_sources(self.path) if self.path.is_dir() else [self.path])


def find_bot_project(path: Path) -> BotProject:
    """Recognise a bot by the names of its files; KitError says what is missing."""
    if "?" in str(path) or ":" in str(path)[len(path.drive) :]:
        raise KitError(f"{path}: the path contains '?' or ':', which addresses of agents use; rename the folder")
    if path.is_dir():
        return _find_folder_project(path)
    if not path.exists():
        raise KitError(f"{path} does not exist; name the folder of a bot, or create one with: fourfall new {path}")
    if path.suffix == ".py":
        return BotProject(path, "python")
    if path.suffix == ".so":
        return BotProject(path, "library")
    if os.access(path, os.X_OK):
        return BotProject(path, "program")
    raise KitError(f"{path} is not a bot: name a folder, a .py file, a strategy library (.so) or a program")


def _find_folder_project(folder: Path) -> BotProject:
    names = {entry.name for entry in folder.iterdir()}
    if names & _BUILD_FILES:
        if "Strategy.cpp" in names:
            return BotProject(folder, "library", "strategy.so")
        if "main.cpp" in names:
            return BotProject(folder, "program", "main")
    if "main.py" in names:
        return BotProject(folder, "python")
    raise KitError(
        f"{folder} has no bot: it needs a Makefile with Strategy.cpp or main.cpp, or a main.py; "
        "fourfall new creates a folder with all files"
    )


def _get_thinking_ms(move_time_s: float) -> int:
    return max(1, int(1000 * TIME_SHARE * move_time_s))


def _get_output_folder(move_time_s: float) -> str:
    # Another time per move gets another folder, because make does not build again if only a variable changes.
    return f"{_BUILD_FOLDER}/watch_{_get_thinking_ms(move_time_s)}ms"


def _list_sources(folder: Path) -> Iterator[Path]:
    for inner, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in _SKIPPED_FOLDERS and not name.startswith(".")]
        yield from (Path(inner) / name for name in names if _is_source(name))


def _is_source(name: str) -> bool:
    return name in _BUILD_FILES or (not name.startswith(".") and Path(name).suffix in _SOURCE_SUFFIXES | _DATA_SUFFIXES)


def _stat_files(paths: Iterable[Path]) -> Snapshot:
    snapshot: Snapshot = {}
    for path in paths:
        try:
            status = path.stat()
        except OSError:  # editors remove a file for a moment when they save it
            continue
        snapshot[path] = (status.st_mtime_ns, status.st_size)
    return snapshot
