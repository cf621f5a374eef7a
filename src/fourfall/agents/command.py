"""Owns what a command line means for the jail: the program that it runs and the files that it may read."""

import contextlib
import os
import pwd
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from fourfall.agents.base import AgentError, Fault

# Folders that many share: a program there may read itself, not its neighbours.
SHARED_FOLDERS = ("/", "/tmp", "/var/tmp", "/dev/shm", "/etc", "/var", "/mnt", "/opt", "/srv")  # noqa: S108


def resolve_command(argv: Sequence[str]) -> tuple[list[str], list[Path]]:
    """Find the program of a command as a shell would: the command to run, and what it may read besides the system.

    It may read what it names: folders, and files with the folders they lie in, but for home folders and folders that
    many share; what the first line of a script names; and the modules of a Python interpreter.
    """
    program = _find_program(argv[0])
    words = [str(program), *argv[1:], *_script_line(program)]
    roots = named_files(words)
    for word in words:
        if Path(word).name.startswith("python"):
            roots += _python_roots(Path(sys.executable) if "/" not in word else Path(word))
    return [str(program), *argv[1:]], roots


def named_files(words: Iterable[str]) -> list[Path]:
    """Return the folders that some words name, and the files with the folders they lie in, unless those are shared."""
    found: list[Path] = []
    for word in filter(None, words):
        with contextlib.suppress(OSError, ValueError):  # words that cannot be names
            path = Path(word).absolute()
            if path.is_dir():
                found += [path, path.resolve()]
            elif path.exists():
                # A link may be followed, so both its own folder and that of the file count.
                found += [place for name in (path, path.resolve()) for place in (name, name.parent)]
    return [place for place in dict.fromkeys(found) if not (place.is_dir() and _is_shared(place))]


def _find_program(word: str) -> Path:
    found = shutil.which(word)
    if found is None:
        path = Path(word).absolute()
        if "/" not in word or not path.exists():
            reason = "no such program"
        else:
            reason = "is a folder" if path.is_dir() else "is not executable"
        raise AgentError(Fault.CANNOT_LOAD, f"{word}: {reason}")
    program = Path(found).absolute()
    if "/" not in word and word.startswith("python") and _script_line(program):
        # A version manager's stand-in, which needs the user's home folder; the interpreter that runs us does not.
        return Path(sys.executable)
    return program


def _script_line(program: Path) -> list[str]:
    """Return the words after the #! of a script; none for other files."""
    with contextlib.suppress(OSError), program.open("rb") as file:
        first = file.readline(256)
        if first.startswith(b"#!"):
            return os.fsdecode(first[2:]).split()
    return []


def _python_roots(interpreter: Path) -> list[Path]:
    """Return where an interpreter has its modules: its own prefix, and that of the one behind a virtual environment.

    Not the whole prefix, which may be a folder with private things in it, such as ~/.local.
    """
    places = [link.absolute().parent.parent for link in (interpreter, interpreter.resolve())]
    return [place / part for place in dict.fromkeys(places) for part in ("bin", "lib", "lib64", "pyvenv.cfg")]


def _is_shared(folder: Path) -> bool:
    """Whether a folder is a home, above one, or used by many, so that naming a file in it does not open it."""
    homes = [Path(os.environ["HOME"])] if os.environ.get("HOME") else []
    with contextlib.suppress(KeyError):
        homes.append(Path(pwd.getpwuid(os.getuid()).pw_dir))
    return str(folder) in SHARED_FOLDERS or any(folder == home or folder in home.parents for home in homes)
