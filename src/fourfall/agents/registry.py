"""Creates agents from addresses, and checks addresses without running third-party code.

An address without a kind is a built-in engine: a preset, a preset file or a level. docs/agents.md describes the kinds.
"""

import difflib
import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from fourfall import presets
from fourfall._core import EngineError
from fourfall.agents.address import (
    Address,
    AddressError,
    parse_address,
    parse_integer_options,
    parse_seconds_option,
    reject_unknown_options,
)
from fourfall.agents.base import Agent, Conditions
from fourfall.agents.child_processes import find_program
from fourfall.agents.kaggle import OVERAGE_S, KaggleAgent
from fourfall.agents.levels import LEVELS, describe_levels
from fourfall.agents.library import LibraryAgent
from fourfall.agents.native import EngineAgent
from fourfall.agents.permissions import Grant, PermissionProblem, grant_data
from fourfall.agents.program import JSON, TEXT, ProgramAgent
from fourfall.agents.python import PythonAgent, Source, find_module
from fourfall.agents.ugi import UgiAgent
from fourfall.system.command_line import is_bare_name, join_command, quote_word, split_command

__all__ = [
    "AddressError",
    "check_address",
    "find_agent_file",
    "is_third_party",
    "open_agent",
    "open_engine",
    "resolve_paths",
    "split_python_target",
]

AgentFactory = Callable[[Conditions], Agent]

# A path of a Python agent ends in .py, or it contains a separator and is a folder; on Windows it may have a drive.
_SEPARATORS = re.escape(os.sep + (os.altsep or ""))
_DRIVE = r"(?:[A-Za-z]:)?" if os.altsep else ""
_PYTHON_PATH = re.compile(rf"(?P<path>.+\.py|{_DRIVE}[^:]*[{_SEPARATORS}][^:]*)(?P<rest>:(?P<function>.*))?")
_RANGES = {"simulations": (1, 2**48), "threads": (1, 64), "memory_mb": (1, 2**20)}
_MAX_TIME_S = 86_400.0
_MEMORY_MB = 256


def open_agent(address: str, conditions: Conditions, base: Path = Path()) -> Agent:
    """Create an agent, not started yet; relative paths are relative to the folder `base`.

    >>> agent = open_agent("level-2", Conditions())
    >>> open_agent("libary:bot.so", Conditions())
    Traceback (most recent call last):
    fourfall.agents.address.AddressError: 'libary:bot.so': unknown kind 'libary'; similar: library
    """
    parsed = parse_address(address)
    if parsed.kind == "":
        return open_engine(address, conditions, base)
    return _factories[parsed.kind](parsed, base.absolute())(conditions)


def open_engine(
    address: str,
    conditions: Conditions,
    base: Path = Path(),
    *,
    threads: int | None = None,
    memory_mb: int | None = None,
) -> EngineAgent:
    """Create the agent of a built-in engine; `threads` and `memory_mb` apply where the address has no such option.

    >>> agent = open_engine("level-30", Conditions(seed=7), threads=1, memory_mb=64)
    >>> open_engine("program:./bot", Conditions())
    Traceback (most recent call last):
    fourfall.agents.address.AddressError: 'program:./bot': not a built-in engine
    """
    parsed = parse_address(address)
    if parsed.kind:
        raise parsed.make_error("not a built-in engine")
    level = LEVELS.get(parsed.target)
    reject_unknown_options(parsed, *(["memory_mb"] if level else ["time", *_RANGES]))
    seconds = parse_seconds_option(parsed, "time", _MAX_TIME_S)
    numbers = parse_integer_options(parsed, _RANGES)
    try:
        return EngineAgent(
            _load_preset(parsed, base) if level is None else presets.load(level.preset),
            conditions,
            seconds=seconds,
            simulations=numbers.get("simulations") if level is None else level.simulations,
            threads=numbers.get("threads", threads),
            memory_mb=numbers.get("memory_mb", _MEMORY_MB if memory_mb is None else memory_mb),
        )
    except EngineError as error:
        raise parsed.make_error(str(error)) from None
    except presets.PresetError as error:
        raise AddressError(str(error)) from None


def check_address(address: str, base: Path = Path()) -> None:
    """Raise AddressError if an address cannot be opened. Runs no third-party code.

    >>> check_address("seed-002?time=0.5")
    >>> check_address("seed-002?speed=9")
    Traceback (most recent call last):
    fourfall.agents.address.AddressError: 'seed-002?speed=9': unknown option 'speed'; allowed: time, simulations, \
threads, memory_mb
    """
    open_agent(address, Conditions(), base)


def is_third_party(address: str) -> bool:
    """Whether an address names third-party code, which runs in the sandbox.

    >>> is_third_party("library:./x.so"), is_third_party("fourfall")
    (True, False)
    """
    return parse_address(address).kind != ""


def resolve_paths(address: str, base: Path) -> str:
    """Return the address with absolute paths, so that it is valid in any folder; modules of packages are unchanged.

    >>> resolve_paths("library:bots/x.so", Path("/srv")), resolve_paths("seed-002?time=1", Path("/srv"))
    ('library:/srv/bots/x.so', 'seed-002?time=1')
    """
    parsed = parse_address(address)
    parsed = replace(parsed, read=tuple(str(_make_absolute(path, base)) for path in parsed.read))
    match parsed.kind:
        case "program" | "program+json" | "ugi":
            program, *arguments = _split_command(parsed, base)
            # Path.exists raises an error for a word that is too long for a file name.
            words = [
                str(base.absolute() / word) if word and os.path.exists(base / word) else word  # noqa: PTH110
                for word in arguments
            ]
            return str(replace(parsed, target=join_command([program, *words])))
        case "library" | "kaggle":
            return str(replace(parsed, target=str(_make_absolute(parsed.target, base))))
        case "python" if (parts := _PYTHON_PATH.fullmatch(parsed.target)) is not None:
            return str(replace(parsed, target=f"{_make_absolute(parts['path'], base)}{parts['rest'] or ''}"))
        case "python":
            module, colon, function = parsed.target.partition(":")
            found = find_module(module, base)
            if found is not None and found.parent == base.absolute() and found.suffix == ".py":
                return str(replace(parsed, target=f"{found}{colon}{function}"))
        case "" if presets.is_preset_file(parsed.target):
            return str(replace(parsed, target=str(_make_absolute(parsed.target, base))))
    return str(parsed)


def split_python_target(address: Address) -> tuple[str, str] | None:
    """Return the path of a Python agent and the rest of the target (a function); None if it names a module.

    >>> split_python_target(parse_address("python:bots/x.py:play")), split_python_target(parse_address("python:x"))
    (('bots/x.py', ':play'), None)
    """
    parts = _PYTHON_PATH.fullmatch(address.target)
    return None if parts is None else (parts["path"], parts["rest"] or "")


def find_agent_file(address: str, base: Path = Path()) -> Path | None:
    """Return the file of an agent that is a strategy library, or Python code given as the path of a file, else None.

    >>> find_agent_file("library:bots/x.so", Path("/srv")).as_posix(), find_agent_file("seed-002")
    ('/srv/bots/x.so', None)
    """
    parsed = parse_address(address)
    name: str | None = parsed.target if parsed.kind in ("library", "kaggle") else None
    if parsed.kind == "python" and (parts := _PYTHON_PATH.fullmatch(parsed.target)) is not None:
        name = parts["path"]
    path = None if name is None else _make_absolute(name, base)
    return None if path is None or _is_folder(path) else path


def _load_preset(address: Address, base: Path) -> presets.Preset:
    name = address.target
    for suffix, kind in ((".so", "library"), (".py", "python")):
        if name.endswith(suffix):
            raise address.make_error(f"did you mean '{kind}:{name}'?")
    if presets.is_preset_file(name):
        return presets.load(_make_absolute(name, base))
    if name.startswith("level-"):
        raise AddressError(f"there is no level {name!r}; {describe_levels(name)}")
    known = presets.list_names()
    if name not in (*known, *presets.list_variants()):
        near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
        listed = f"similar: {', '.join(near)}" if near else f"available: {', '.join(known)}, {describe_levels()}"
        raise AddressError(f"there is no preset or level {name!r}; {listed}")
    return presets.load(name)


def _make_library_factory(address: Address, base: Path) -> AgentFactory:
    path, readable = _find_code(address, address.target, base, "main.so")
    return lambda conditions: LibraryAgent(path, conditions, readable)


def _make_kaggle_factory(address: Address, base: Path) -> AgentFactory:
    path, readable = _find_code(address, address.target, base, "main.py", "overage")
    given_s = parse_seconds_option(address, "overage", _MAX_TIME_S)
    overage_s = OVERAGE_S if given_s is None else given_s
    return lambda conditions: KaggleAgent(path, conditions, readable, overage_s)


def _make_program_factory(address: Address, base: Path) -> AgentFactory:
    words, readable = _find_command(address, base)
    message_format = JSON if address.kind == "program+json" else TEXT
    return lambda conditions: ProgramAgent(words, conditions, base, readable, message_format)


def _make_ugi_factory(address: Address, base: Path) -> AgentFactory:
    words, readable = _find_command(address, base)
    return lambda conditions: UgiAgent(words, conditions, base, readable)


def _make_python_factory(address: Address, base: Path) -> AgentFactory:
    parts = _PYTHON_PATH.fullmatch(address.target)
    if parts is not None:
        path, readable = _find_code(address, parts["path"], base, "main.py")
        source = Source(path, path.parent, function=_check_function_name(address, parts["function"]))
    else:
        readable = _list_readable(address, base)
        module, colon, function = address.target.partition(":")
        if not all(part.isidentifier() for part in module.split(".")):
            raise address.make_error(f"{module!r} is neither a module name nor a file that ends in .py nor a folder/")
        found = find_module(module, base)
        if found is None:
            raise address.make_error(f"there is no module {module!r} in {base} or among the installed packages")
        name = _check_function_name(address, function if colon else None)
        source = Source(found, base, module if found.is_dir() else None, name)
    return lambda conditions: PythonAgent(source, conditions, readable)


_factories: dict[str, Callable[[Address, Path], AgentFactory]] = {
    "kaggle": _make_kaggle_factory,
    "library": _make_library_factory,
    "program": _make_program_factory,
    "program+json": _make_program_factory,
    "python": _make_python_factory,
    "ugi": _make_ugi_factory,
}


def _split_command(address: Address, base: Path) -> list[str]:
    """Split a command into words like a shell; the program's path becomes absolute, a name on the PATH stays."""
    try:
        program, *arguments = split_command(address.target)
    except ValueError as error:
        raise address.make_error(str(error)) from None
    if is_bare_name(program):
        if find_program(program) is None:
            raise address.make_error(
                f"there is no program {program!r} on the PATH; for a file in this folder write ./{program}"
            )
        return [program, *arguments]
    return [str(_make_absolute(program, base)), *arguments]


def _find_command(address: Address, base: Path) -> tuple[list[str], list[Grant]]:
    """Return the words of a command with the path of its program, and what it may read by options."""
    program, *arguments = _split_command(address, base)
    if is_bare_name(program):
        return [program, *arguments], _list_readable(address, base)
    path, readable = _find_code(address, program, base, "main")
    if not os.access(path, os.X_OK):
        raise address.make_error(f"{path} is not executable")
    return [str(path), *arguments], readable


def _find_code(address: Address, name: str, base: Path, main: str, *options: str) -> tuple[Path, list[Grant]]:
    """Find the file of an agent, and what it may read by options; `options` are other options that its kind has.

    If the name is a folder, the code is the file `main` in it and the agent may read the whole folder.
    """
    readable = _list_readable(address, base, *options)
    folder = _make_absolute(name, base)
    if not _is_folder(folder):
        return _find_file(address, name, base), readable
    if not (folder / main).is_file():
        raise address.make_error(f"{folder} is a folder without the file {main}; name a file in it")
    return folder / main, [*_grant(address, folder, "the agent's folder"), *readable]


def _list_readable(address: Address, base: Path, *options: str) -> list[Grant]:
    """Return what the options `read` of an address allow; `options` are other options that its kind has."""
    reject_unknown_options(address, *options, "read")
    paths = [_make_absolute(path, base) for path in address.read]
    return [grant for path in paths for grant in _grant(address, path, "option read of the address")]


def _grant(address: Address, path: Path, reason: str) -> list[Grant]:
    try:
        return grant_data(path, reason)
    except PermissionProblem as problem:
        raise address.make_error(str(problem)) from None
    except OSError as error:
        raise address.make_error(f"{path}: {error.strerror}") from None


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):  # the check of the file describes it
        return False


def _find_file(address: Address, name: str, base: Path) -> Path:
    path = _make_absolute(name, base)
    try:
        if path.is_file():
            return path
        if path.exists():
            raise address.make_error(f"{path} is not a file")
        has_makefile = (path.parent / "Makefile").is_file()
    except OSError as error:
        raise address.make_error(f"{error.strerror}") from None
    hint = f"; build it with: make -C {quote_word(str(path.parent))}" if has_makefile else ""
    raise address.make_error(f"{path} does not exist{hint}")


def _make_absolute(name: str, base: Path) -> Path:
    # Path.expanduser raises an error for an unknown user; this leaves the name as it is, and then no file is found.
    return Path(os.path.normpath(base.absolute() / os.path.expanduser(name)))  # noqa: PTH111


def _check_function_name(address: Address, name: str | None) -> str | None:
    if name is not None and not name.isidentifier():
        raise address.make_error(f"{name!r} is not a valid function name")
    return name
