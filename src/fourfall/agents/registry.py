"""Owns the addresses of agents: short texts that name anything that plays, read, checked and opened.

An address is `[kind:]target[?key=value[&key=value]]`. Without a kind the target is a built-in engine: a preset, a
preset file or a level. docs/agents.md describes the kinds.
"""

import difflib
import os
import re
import shlex
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from fourfall import presets
from fourfall._core import EngineError
from fourfall.agents.base import Agent, Terms
from fourfall.agents.levels import LEVELS
from fourfall.agents.library import LibraryAgent
from fourfall.agents.native import EngineAgent
from fourfall.agents.program import JSON, TEXT, ProgramAgent
from fourfall.agents.python import PythonAgent, Source, find_module
from fourfall.agents.ugi import UgiAgent

Open = Callable[[Terms], Agent]


class AddressError(ValueError):
    """An address that names no agent; the message says what is wrong with it."""


@dataclass(frozen=True)
class Address:
    """An address in its parts; the kind of a built-in engine is empty."""

    kind: str
    target: str
    options: Mapping[str, str]

    def __str__(self) -> str:
        options = "&".join(f"{key}={value}" for key, value in self.options.items())
        return (f"{self.kind}:" if self.kind else "") + self.target + (f"?{options}" if options else "")


def open_agent(address: str, terms: Terms, base: Path = Path()) -> Agent:
    """Make an agent that is ready to be started; relative paths count from the base folder.

    >>> agent = open_agent("level-1", Terms())
    >>> open_agent("libary:bot.so", Terms())
    Traceback (most recent call last):
    fourfall.agents.registry.AddressError: 'libary:bot.so': unknown kind 'libary'; near ones: library
    """
    return _opener(address, base)(terms)


def check(address: str, base: Path = Path()) -> None:
    """Complain about an address that cannot be opened, without running anything of what it names.

    >>> check("seed-002?time=0.5")
    >>> check("seed-002?speed=9")
    Traceback (most recent call last):
    fourfall.agents.registry.AddressError: 'seed-002?speed=9': unknown option 'speed'; known ones: time, simulations, \
threads, memory
    """
    _opener(address, base)(Terms())


def is_foreign(address: str) -> bool:
    """Whether an address names code that is not ours and has to run in the jail.

    >>> is_foreign("library:./x.so"), is_foreign("fourfall")
    (True, False)
    """
    return parse(address).kind != ""


def resolved(address: str, base: Path) -> str:
    """Rewrite an address so that it means the same from any folder; modules of packages stay as they are.

    >>> resolved("library:bots/x.so", Path("/srv")), resolved("seed-002?time=1", Path("/srv"))
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


def parse(address: str) -> Address:
    """Take an address apart.

    >>> parse("program:./bot --fast")
    Address(kind='program', target='./bot --fast', options={})
    """
    kind, colon, rest = address.partition(":")
    if not colon or not re.fullmatch(r"[\w+-]*", kind):
        kind, rest = "", address
    elif kind not in _KINDS:
        near = difflib.get_close_matches(kind, _KINDS, n=2, cutoff=0.5) or _KINDS
        raise AddressError(f"{address!r}: unknown kind {kind!r}; near ones: {', '.join(near)}")
    target, question_mark, tail = rest.partition("?")
    if not target.strip():
        raise AddressError(f"{address!r}: this address names nothing")
    options: dict[str, str] = {}
    for pair in tail.split("&") if question_mark else []:
        key, equals, value = pair.partition("=")
        if not key or not equals or key in options:
            raise AddressError(f"{address!r}: after the '?' come key=value pairs joined by '&', not {pair!r}")
        options[key] = value
    return Address(kind, target.strip(), options)


def _opener(address: str, base: Path) -> Open:
    parsed = parse(address)
    try:
        return _KINDS[parsed.kind](parsed, base.absolute()) if parsed.kind else _engine(parsed, base)
    except (presets.PresetError, EngineError) as error:
        raise AddressError(str(error)) from None


def _engine(address: Address, base: Path) -> Open:
    level = LEVELS.get(address.target)
    options = _numbers(address, _LEVEL_OPTIONS if level else _ENGINE_OPTIONS)
    memory_mb = int(options.get("memory", 256))
    if level is not None:
        preset = presets.load(level.preset)
        return lambda terms: EngineAgent(preset, terms, simulations=level.simulations, memory_mb=memory_mb)
    preset = _preset(address, base)
    simulations, threads = options.get("simulations"), options.get("threads")

    def engine(terms: Terms) -> EngineAgent:
        try:
            return EngineAgent(
                preset,
                terms,
                seconds=options.get("time"),
                simulations=None if simulations is None else int(simulations),
                threads=None if threads is None else int(threads),
                memory_mb=memory_mb,
            )
        except EngineError as error:
            raise AddressError(f"{str(address)!r}: {error}") from None

    return engine


def _preset(address: Address, base: Path) -> presets.Preset:
    name = address.target
    for suffix, kind in ((".so", "library"), (".py", "python")):
        if name.endswith(suffix):
            raise AddressError(f"{str(address)!r}: did you mean '{kind}:{name}'?")
    if _is_file(name):
        return presets.load(_path(name, base))
    known = (*presets.names(), *LEVELS)
    if name not in known:
        near = difflib.get_close_matches(name, known, n=3, cutoff=0.5) or (presets.DEFAULT, *LEVELS)
        raise AddressError(f"there is no preset or level {name!r}; near ones: {', '.join(near)}")
    return presets.load(name)


def _library(address: Address, base: Path) -> Open:
    _numbers(address, {})
    path = _file(address, address.target, base)
    return lambda terms: LibraryAgent(path, terms)


def _program(address: Address, base: Path) -> Open:
    _numbers(address, {})
    words = _words(address, base)
    dialect = JSON if address.kind == "program+json" else TEXT
    return lambda terms: ProgramAgent(words, terms, base, dialect)


def _ugi(address: Address, base: Path) -> Open:
    _numbers(address, {})
    words = _words(address, base)
    return lambda terms: UgiAgent(words, terms, base)


def _python(address: Address, base: Path) -> Open:
    _numbers(address, {})
    match = _PYTHON_FILE.fullmatch(address.target)
    if match is not None:
        path = _file(address, match["file"], base)
        source = Source(path, path.parent, function=_identifier(address, match["function"]))
    else:
        module, colon, function = address.target.partition(":")
        if not all(part.isidentifier() for part in module.split(".")):
            raise AddressError(f"{str(address)!r}: {module!r} is neither a module nor a file that ends in .py")
        found = find_module(module, base)
        if found is None:
            raise AddressError(f"{str(address)!r}: there is no module {module!r} in {base} or among the packages")
        name = _identifier(address, function if colon else None)
        source = Source(found, base, module if found.is_dir() else None, name)
    return lambda terms: PythonAgent(source, terms)


_KINDS: dict[str, Callable[[Address, Path], Open]] = {
    "library": _library,
    "program": _program,
    "program+json": _program,
    "python": _python,
    "ugi": _ugi,
}
_PYTHON_FILE = re.compile(r"(?P<file>.+\.py)(?P<rest>:(?P<function>.*))?")
_LEVEL_OPTIONS = {"memory": (1, 2**20)}
_ENGINE_OPTIONS = {"time": (0.0, 86_400.0), "simulations": (1, 2**48), "threads": (1, 64), **_LEVEL_OPTIONS}


def _numbers(address: Address, known: Mapping[str, tuple[float, float]]) -> dict[str, float]:
    """Read the options of an address, all of them numbers in a range."""
    numbers: dict[str, float] = {}
    for key, text in address.options.items():
        if key not in known:
            listed = f"known ones: {', '.join(known)}" if known else f"{address.kind} has none"
            raise AddressError(f"{str(address)!r}: unknown option {key!r}; {listed}")
        low, high = known[key]
        try:
            number = int(text) if isinstance(low, int) else float(text)
        except ValueError:
            number = float("nan")
        if not low <= number <= high:
            kind = "a whole number" if isinstance(low, int) else "a number"
            raise AddressError(f"{str(address)!r}: {key} must be {kind} from {low} to {high}, not {text!r}")
        numbers[key] = number
    return numbers


def _words(address: Address, base: Path) -> list[str]:
    """Split a command into words and find its program."""
    try:
        first, *others = shlex.split(address.target)
    except ValueError as error:
        raise AddressError(f"{str(address)!r}: {error}") from None
    if "/" not in first:
        if shutil.which(first) is None:
            raise AddressError(f"{str(address)!r}: no program {first!r} on the PATH; a file here is ./{first}")
        return [first, *others]
    path = _file(address, first, base)
    if not os.access(path, os.X_OK):
        raise AddressError(f"{str(address)!r}: {path} is not executable")
    return [str(path), *others]


def _file(address: Address, name: str, base: Path) -> Path:
    path = _path(name, base)
    if not path.is_file():
        problem = "is not a file" if path.exists() else "does not exist"
        raise AddressError(f"{str(address)!r}: {path} {problem}")
    return path


def _path(name: str, base: Path) -> Path:
    return Path(os.path.normpath(base.absolute() / Path(name).expanduser()))


def _is_file(name: str) -> bool:
    return name.endswith(".toml") or "/" in name


def _identifier(address: Address, name: str | None) -> str | None:
    if name is not None and not name.isidentifier():
        raise AddressError(f"{str(address)!r}: {name!r} is not the name of a function")
    return name
