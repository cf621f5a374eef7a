"""Resolves the command line of a third-party program: the program to run, and the files that it may read."""

import contextlib
import os
import pwd
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from fourfall.agents.base import AgentError, Fault

# Folders used by many programs: a program there may read its own file, but not the whole folder.
SHARED_FOLDERS = ("/", "/tmp", "/var/tmp", "/dev/shm", "/etc", "/var", "/mnt", "/opt", "/srv")  # noqa: S108


def resolve_command(argv: Sequence[str]) -> tuple[list[str], list[Path]]:
    """Find the program of a command like a shell; return the command to run and the paths that it may read.

    These paths, besides the system's, are: the folders that the command names; the files that it names, with their
    folders, except home folders and shared folders; the interpreter of a script, but nothing else that its first line
    names, because the user did not write that line; and the modules of a Python interpreter.
    """
    program = _find_program(argv[0])
    words = [str(program), *argv[1:]]
    readable = list_named_files(words)
    interpreter = _find_interpreter(program)
    if interpreter is not None:
        readable += [interpreter, interpreter.resolve()]
        words.append(str(interpreter))
    for word in words:
        if Path(word).name.startswith("python"):
            readable += _list_python_folders(Path(sys.executable) if "/" not in word else Path(word))
    return [str(program), *argv[1:]], readable


def list_named_files(words: Iterable[str]) -> list[Path]:
    """Return the folders and files that some words name, and the folders of the files, except shared folders."""
    found: list[Path] = []
    for word in filter(None, words):
        with contextlib.suppress(OSError, ValueError):  # not every word is a valid path
            path = Path(word).absolute()
            if path.is_dir():
                found += [path, path.resolve()]
            elif path.exists():
                # For a link, both the link and its target with their folders are included.
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
    if "/" not in word and word.startswith("python") and _read_shebang(program):
        # The launcher script of a version manager needs the user's home folder; our interpreter does not.
        return Path(sys.executable)
    return program


def _read_shebang(program: Path) -> list[str]:
    """Return the words after the #! of a script; an empty list for other files."""
    with contextlib.suppress(OSError), program.open("rb") as file:
        line = file.readline(256)
        if line.startswith(b"#!"):
            return os.fsdecode(line[2:]).split()
    return []


def _find_interpreter(script: Path) -> Path | None:
    """Return the interpreter in the first line of a script, also behind env; None for other files."""
    words = _read_shebang(script)
    if not words:
        return None
    if Path(words[0]).name != "env":
        return Path(words[0]).absolute()
    names = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    if not names or "/" in names[0]:
        return None
    with contextlib.suppress(AgentError):
        return _find_program(names[0])
    return None


def _list_python_folders(interpreter: Path) -> list[Path]:
    """Return where an interpreter has its modules; for a virtual environment, also those of its base interpreter.

    The whole prefix is not included because it may contain private files, for example ~/.local.
    """
    prefixes = [link.absolute().parent.parent for link in (interpreter, interpreter.resolve())]
    return [prefix / part for prefix in dict.fromkeys(prefixes) for part in ("bin", "lib", "lib64", "pyvenv.cfg")]


def _is_shared(folder: Path) -> bool:
    """Whether a folder is a home folder, contains one, or is in SHARED_FOLDERS."""
    homes = [Path(os.environ["HOME"])] if os.environ.get("HOME") else []
    with contextlib.suppress(KeyError):
        homes.append(Path(pwd.getpwuid(os.getuid()).pw_dir))
    return str(folder) in SHARED_FOLDERS or any(folder == home or folder in home.parents for home in homes)
