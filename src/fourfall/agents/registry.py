"""Owns opening agents: finds what an address names, checks it without running it, and makes the agent.

Without a kind an address is a built-in engine: a preset, a preset file or a level. docs/agents.md describes the kinds.
"""

import difflib
import os
import re
import shlex
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from fourfall import presets
from fourfall._core import EngineError
from fourfall.agents.address import Address, AddressError, parse, refuse_others, seconds_option, whole_options
from fourfall.agents.base import Agent, Conditions
from fourfall.agents.levels import LEVELS
from fourfall.agents.library import LibraryAgent
from fourfall.agents.native import EngineAgent
from fourfall.agents.program import JSON, TEXT, ProgramAgent
from fourfall.agents.python import PythonAgent, Source, find_module
from fourfall.agents.ugi import UgiAgent

__all__ = ["AddressError", "check", "is_third_party", "open_agent", "resolve_paths"]

Open = Callable[[Conditions], Agent]

_PYTHON_FILE = re.compile(r"(?P<file>.+\.py)(?P<rest>:(?P<function>.*))?")
_RANGES = {"simulations": (1, 2**48), "threads": (1, 64), "memory_mb": (1, 2**20)}
_LONGEST_S = 86_400.0
_MEMORY_MB = 256


def open_agent(address: str, conditions: Conditions, base: Path = Path()) -> Agent:
    """Make an agent that is ready to be started; relative paths count from the base folder.

    >>> agent = open_agent("level-1", Conditions())
    >>> open_agent("libary:bot.so", Conditions())
    Traceback (most recent call last):
    fourfall.agents.address.AddressError: 'libary:bot.so': unknown kind 'libary'; near ones: library
    """
    parsed = parse(address)
    try:
        return _openers[parsed.kind](parsed, base.absolute())(conditions)
    except EngineError as error:
        raise parsed.complaint(str(error)) from None
    except presets.PresetError as error:
        raise AddressError(str(error)) from None


def check(address: str, base: Path = Path()) -> None:
    """Complain about an address that cannot be opened, without running anything of what it names.

    >>> check("seed-002?time=0.5")
    >>> check("seed-002?speed=9")
    Traceback (most recent call last):
    fourfall.agents.address.AddressError: 'seed-002?speed=9': unknown option 'speed'; known ones: time, simulations, \
threads, memory_mb
    """
    open_agent(address, Conditions(), base)


def is_third_party(address: str) -> bool:
    """Whether an address names code that is not ours and has to run in the jail.

    >>> is_third_party("library:./x.so"), is_third_party("fourfall")
    (True, False)
    """
    return parse(address).kind != ""


def resolve_paths(address: str, base: Path) -> str:
    """Rewrite an address so that it means the same from any folder; modules of packages stay as they are.

    >>> resolve_paths("library:bots/x.so", Path("/srv")), resolve_paths("seed-002?time=1", Path("/srv"))
    ('library:/srv/bots/x.so', 'seed-002?time=1')
    """
    parsed = parse(address)
    match parsed.kind:
        case "program" | "program+json" | "ugi":
            first, *others = _words(parsed, base)
            named = [str(base.absolute() / word) if word and (base / word).exists() else word for word in others]
            return str(replace(parsed, target=shlex.join([first, *named])))
        case "library":
            return str(replace(parsed, target=str(_path(parsed.target, base))))
        case "python" if (file := _PYTHON_FILE.fullmatch(parsed.target)) is not None:
            return str(replace(parsed, target=f"{_path(file['file'], base)}{file['rest'] or ''}"))
        case "python":
            module, colon, function = parsed.target.partition(":")
            found = find_module(module, base)
            if found is not None and found.parent == base.absolute() and found.suffix == ".py":
                return str(replace(parsed, target=f"{found}{colon}{function}"))
        case "" if _is_file(parsed.target):
            return str(replace(parsed, target=str(_path(parsed.target, base))))
    return address


def _engine(address: Address, base: Path) -> Open:
    level = LEVELS.get(address.target)
    refuse_others(address, *(["memory_mb"] if level else ["time", *_RANGES]))
    seconds = seconds_option(address, "time", _LONGEST_S)
    numbers = whole_options(address, _RANGES)
    preset = _preset(address, base) if level is None else presets.load(level.preset)
    return lambda conditions: EngineAgent(
        preset,
        conditions,
        seconds=seconds,
        simulations=numbers.get("simulations") if level is None else level.simulations,
        threads=numbers.get("threads"),
        memory_mb=numbers.get("memory_mb", _MEMORY_MB),
    )


def _preset(address: Address, base: Path) -> presets.Preset:
    name = address.target
    for suffix, kind in ((".so", "library"), (".py", "python")):
        if name.endswith(suffix):
            raise address.complaint(f"did you mean '{kind}:{name}'?")
    if _is_file(name):
        return presets.load(_path(name, base))
    known = (*presets.names(), *LEVELS)
    if name not in known:
        near = difflib.get_close_matches(name, known, n=3, cutoff=0.5) or (presets.DEFAULT, *LEVELS)
        raise AddressError(f"there is no preset or level {name!r}; near ones: {', '.join(near)}")
    return presets.load(name)


def _library(address: Address, base: Path) -> Open:
    refuse_others(address)
    path = _file(address, address.target, base)
    return lambda conditions: LibraryAgent(path, conditions)


def _program(address: Address, base: Path) -> Open:
    refuse_others(address)
    words = _words(address, base)
    dialect = JSON if address.kind == "program+json" else TEXT
    return lambda conditions: ProgramAgent(words, conditions, base, dialect)


def _ugi(address: Address, base: Path) -> Open:
    refuse_others(address)
    words = _words(address, base)
    return lambda conditions: UgiAgent(words, conditions, base)


def _python(address: Address, base: Path) -> Open:
    refuse_others(address)
    match = _PYTHON_FILE.fullmatch(address.target)
    if match is not None:
        path = _file(address, match["file"], base)
        source = Source(path, path.parent, function=_identifier(address, match["function"]))
    else:
        module, colon, function = address.target.partition(":")
        if not all(part.isidentifier() for part in module.split(".")):
            raise address.complaint(f"{module!r} is neither a module nor a file that ends in .py")
        found = find_module(module, base)
        if found is None:
            raise address.complaint(f"there is no module {module!r} in {base} or among the packages")
        name = _identifier(address, function if colon else None)
        source = Source(found, base, module if found.is_dir() else None, name)
    return lambda conditions: PythonAgent(source, conditions)


_openers: dict[str, Callable[[Address, Path], Open]] = {
    "": _engine,
    "library": _library,
    "program": _program,
    "program+json": _program,
    "python": _python,
    "ugi": _ugi,
}


def _words(address: Address, base: Path) -> list[str]:
    """Split a command into words and find its program."""
    try:
        first, *others = shlex.split(address.target)
    except ValueError as error:
        raise address.complaint(str(error)) from None
    if "/" not in first:
        if shutil.which(first) is None:
            raise address.complaint(f"no program {first!r} on the PATH; a file here is ./{first}")
        return [first, *others]
    path = _file(address, first, base)
    if not os.access(path, os.X_OK):
        raise address.complaint(f"{path} is not executable")
    return [str(path), *others]


def _file(address: Address, name: str, base: Path) -> Path:
    path = _path(name, base)
    try:
        if not path.is_file():
            raise address.complaint(f"{path} {'is not a file' if path.exists() else 'does not exist'}")
    except OSError as error:
        raise address.complaint(f"{error.strerror}") from None
    return path


def _path(name: str, base: Path) -> Path:
    return Path(os.path.normpath(base.absolute() / Path(name).expanduser()))


def _is_file(name: str) -> bool:
    return name.endswith(".toml") or "/" in name


def _identifier(address: Address, name: str | None) -> str | None:
    if name is not None and not name.isidentifier():
        raise address.complaint(f"{name!r} is not the name of a function")
    return name
