"""Resolves the command line of a third-party program: the program to run, and the files that it may read."""

import contextlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from fourfall.agents.base import AgentError, Fault
from fourfall.agents.child_processes import find_program
from fourfall.agents.permissions import Grant, grant_arguments, grant_code, grant_python
from fourfall.system.command_line import is_bare_name


def resolve_command(argv: Sequence[str], folder: Path) -> tuple[list[str], list[Grant]]:
    """Find the program of a command like a shell; return the command to run and the files that it may read.

    These are: the program; the files and folders that its arguments name, relative to `folder`; the interpreter of a
    script, but nothing else that its first line names, because the user did not write that line; and the modules of a
    Python interpreter.
    """
    program = _find_program(argv[0])
    grants = grant_code(program, "the program of the command") + grant_arguments(argv[1:], folder)
    interpreters = [program]
    script_interpreter = _find_interpreter(program)
    if script_interpreter is not None:
        grants += grant_code(script_interpreter, "the interpreter of the script")
        interpreters.append(script_interpreter)
    for path in interpreters:
        if path.name.startswith("python"):
            grants += grant_python(path)
    if any(word.startswith("python") and is_bare_name(word) for word in argv[1:]):  # as in: nice python3 bot.py
        grants += grant_python(Path(sys.executable))
    return [str(program), *argv[1:]], grants


def _find_program(word: str) -> Path:
    program = find_program(word)
    if program is None:
        path = Path(word).absolute()
        if is_bare_name(word) or not os.path.exists(path):  # noqa: PTH110 (no error for a name that is too long)
            reason = "no such program"
        else:
            reason = "is a folder" if path.is_dir() else "is not executable"
        raise AgentError(Fault.CANNOT_LOAD, f"{word}: {reason}")
    if is_bare_name(word) and word.startswith("python") and _read_shebang(program):
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
    if not names or not is_bare_name(names[0]):
        return None
    with contextlib.suppress(AgentError):
        return _find_program(names[0])
    return None
