"""Owns where the files in an agent's address lie: relative paths in a spec file start from that file's folder."""

import shlex
from pathlib import Path

_COMMANDS = ("program", "program+json", "ugi")


def located(address: str, base: Path) -> str:
    """Make the paths of an address absolute that lie in a folder.

    In a command line the program is a path when it has a slash, and an argument is one when such a file is there.

    >>> located("library:bots/mine.so", Path("/lab"))
    'library:/lab/bots/mine.so'
    >>> located("program:./bot --fast", Path("/lab"))
    'program:/lab/bot --fast'
    >>> located("mine.toml?time=0.5", Path("/lab"))
    '/lab/mine.toml?time=0.5'
    >>> located("python:bots/mine.py:choose", Path("/lab")), located("python:bots.mine:choose", Path("/lab"))
    ('python:/lab/bots/mine.py:choose', 'python:bots.mine:choose')
    >>> located("seed-002?time=0.5", Path("/lab"))
    'seed-002?time=0.5'
    """
    kind, colon, rest = address.partition(":")
    if not colon or kind not in ("library", "python", *_COMMANDS):
        target, mark, options = address.partition("?")
        return _absolute(target, base) + mark + options if "/" in target or target.endswith(".toml") else address
    target, mark, options = rest.partition("?")
    if kind == "library":
        target = _absolute(target, base)
    elif kind == "python":
        file, separator, function = target.partition(":")
        target = (_absolute(file, base) if file.endswith(".py") else file) + separator + function
    else:
        target = _command(target, base)
    return f"{kind}:{target}{mark}{options}"


def _command(target: str, base: Path) -> str:
    try:
        program, *arguments = shlex.split(target)
    except ValueError:  # no command, or an open quote: for the registry to complain of
        return target
    if "/" in program:
        program = _absolute(program, base)
    words = [_absolute(word, base) if word and (base / word).exists() else word for word in arguments]
    return shlex.join([program, *words])


def _absolute(path: str, base: Path) -> str:
    # Path drops "./" and keeps "..", which may lead through a link.
    return str(base / Path(path).expanduser()) if path else path
