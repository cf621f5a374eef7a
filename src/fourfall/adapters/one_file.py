"""Owns our engine as one C++ file that needs nothing else: the sources that it takes, with the settings written in."""

import enum
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fourfall import Engine, Preset, _core, presets
from fourfall.engine import classic

SOURCES = Path(_core.__file__).with_name("sources")
"""The C++ sources of the package; the build puts them beside the native module."""

SAFE_TIME_S = 2.7
"""What to think where 3 s are allowed: the rest is for a busy machine."""

_GAME = ("game/geometry.cpp", "game/board.cpp", "programs/retrace.cpp")
_SEARCH = {
    "graph": ("search/network/weights.cpp", "search/network/network.cpp", "search/graph/search.cpp"),
    "tree": ("search/uct/array_rollout.cpp", "search/uct/rollout.cpp", "search/uct/store.cpp", "search/uct/search.cpp"),
}
_NAMESPACE = {"graph": "graph", "tree": "uct"}
_SETTINGS = "programs/settings.hpp"
_INCLUDE = re.compile(r'#include "([^"]+)"')


class ExportError(RuntimeError):
    """An export that cannot be made here; the line says why."""


@dataclass(frozen=True)
class Settings:
    """What is written into an exported program: its engine, how long and with how much memory it thinks, its seed."""

    preset: Preset
    time_s: float
    memory_mb: int = 512
    seed: int = 0

    @property
    def name(self) -> str:
        """What to call the program: the engine's name, or that of its file.

        >>> Settings(presets.load("seed-002"), 2.0).name
        'seed-002'
        """
        return Path(self.preset.name).stem


def choose(engine: str, time_s: float | None, memory_mb: int, seed: int = 0) -> Settings:
    """Make settings of what a user asked for; the time left out is the preset's own, if that is safe.

    >>> choose("seed-000", None, 64).time_s, choose("seed-004-v9", None, 64).time_s
    (2.0, 2.7)
    """
    preset = presets.load(engine)
    Engine(preset, memory_mb=memory_mb)  # complains where the memory is too little
    return Settings(preset, safe_time(preset) if time_s is None else time_s, memory_mb, seed)


def safe_time(preset: Preset) -> float:
    """Return how many seconds a preset thinks where 3 s are allowed: its own time, but no more than is safe."""
    return SAFE_TIME_S if preset.config.time is None else min(preset.config.time, SAFE_TIME_S)


def one_file(program: str, settings: Settings, command: str) -> str:
    """Write a program of the folder `programs` and all that it uses as one file, which the command compiles.

    >>> text = one_file("strategy.cpp", Settings(presets.load("fourfall"), 2.7), "c++ -std=c++20 -shared x.cpp")
    >>> text.startswith("// Fourfall"), '#include "' in text
    (True, False)
    """
    kind = settings.preset.search
    files = (*_GAME, *_SEARCH[kind], "programs/player.cpp", f"programs/{program}")
    seen = {_SETTINGS}
    body = [line for file in files for line in _flattened(file, settings, seen)]
    return "\n".join([*_opening(settings, command), *body, "#endif", ""])


def _opening(settings: Settings, command: str) -> list[str]:
    notice = (SOURCES / "LICENSE").read_text(encoding="utf-8").strip().splitlines()
    return [
        f"// Fourfall {_core.version}, the engine {settings.name}, in one file. Compile it with",
        f"//   {command}",
        "//",
        *(f"// {line}".rstrip() for line in notice),
        "",
        "#if __cplusplus < 201709L",
        f'#error "This file is C++20: compile it with  {command}"',
        "#else",
        "#ifndef NDEBUG",
        "#define NDEBUG",
        "#endif",
        "#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 12",
        "#define FOURFALL_SCALAR  // older compilers do not know how to ask for the processor's level",
        "#endif",
        "",
    ]


def _flattened(file: str, settings: Settings, seen: set[str]) -> Iterator[str]:
    """Yield the lines of a source with those of every file that it includes, each once, in its place."""
    seen.add(file)
    yield f"// {file}"
    for line in (SOURCES / file).read_text(encoding="utf-8").splitlines():
        include = _INCLUDE.fullmatch(line)
        if include is None:
            if line != "#pragma once":
                yield line
        elif include[1] == _SETTINGS:
            yield from _settings(settings, seen)
        elif include[1] not in seen:
            yield from _flattened(include[1], settings, seen)


def _settings(settings: Settings, seen: set[str]) -> Iterator[str]:
    space = _NAMESPACE[settings.preset.search]
    for header in ("config", "search"):
        if (file := f"search/{space}/{header}.hpp") not in seen:
            yield from _flattened(file, settings, seen)
    yield "namespace fourfall::settings {"
    yield f"inline {space}::Config config() {{"
    yield f"    {space}::Config config;"
    yield from (f"    config.{field} = {value};" for field, value in _fields(settings))
    yield "    return config;"
    yield "}"
    yield f"inline constexpr std::uint64_t kMemoryMb = {settings.memory_mb};"
    yield f"inline constexpr std::uint64_t kSeed = {settings.seed}U;"
    yield "}  // namespace fourfall::settings"


def _fields(settings: Settings) -> Iterator[tuple[str, str]]:
    """Yield the fields of the native configuration, in C++, one thread and the chosen time among them."""
    config = settings.preset.config
    if isinstance(config, _core.GraphConfig):
        config = classic(config)
    space = _NAMESPACE[settings.preset.search]
    for field in (name for name in dir(config) if not name.startswith("_")):
        value = getattr(config, field)
        if field == "time":
            yield "time_s", repr(float(settings.time_s))
        elif field == "threads":
            yield field, "1"
        elif isinstance(value, enum.Enum):
            choice = "".join(word.capitalize() for word in value.name.split("_"))
            yield field, f"{space}::{type(value).__name__}::k{choice}"
        elif value is not None and value != "":
            yield field, str(value).lower() if isinstance(value, bool) else repr(value)
