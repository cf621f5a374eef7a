"""Owns our engine as one C++ file that needs nothing else: the sources that it takes, with the settings written in."""

import base64
import enum
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fourfall import Engine, Preset, _core, presets, weights
from fourfall.engine import classic
from fourfall.presets.keys import Config, kind_of

SOURCES = Path(_core.__file__).with_name("sources")
"""The C++ sources of the package; the build puts them beside the native module."""

SAFE_TIME_S = 2.7
"""What to think where 3 s are allowed: the rest is for a busy machine."""

_GAME = ("game/geometry.cpp", "game/board.cpp", "game/board_from_stones.cpp")
_SEARCH = {
    "graph": ("search/network/weights.cpp", "search/network/network.cpp", "search/graph/search.cpp"),
    "tree": (
        "search/tree/array_rollout.cpp",
        "search/tree/rollout.cpp",
        "search/tree/store.cpp",
        "search/tree/search.cpp",
    ),
}
_NAMESPACE = {"graph": "graph", "tree": "tree"}
_SETTINGS = "programs/settings.hpp"
_EMBEDDED = "programs/embedded.hpp"
_LITERAL = 112  # letters of a line of weights
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
    return SAFE_TIME_S if preset.config.move_time_s is None else min(preset.config.move_time_s, SAFE_TIME_S)


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
    preset = settings.preset
    space = _NAMESPACE[preset.search]
    data = _embedded(preset.config)
    headers = [f"search/{space}/config.hpp", f"search/{space}/search.hpp", *([] if data is None else [_EMBEDDED])]
    for file in headers:
        if file not in seen:
            yield from _flattened(file, settings, seen)
    yield "namespace fourfall::settings {"
    yield "namespace {"
    if data is not None:
        yield from _literal(data)
    yield f"{space}::Config config() {{"
    yield f"    {space}::Config config;"
    yield from (f"    config.{field} = {value};" for field, value in _plain(settings).items())
    if data is not None:
        yield "    if (auto network = embedded_network(kWeights)) {"
        yield from (f"        config.{field} = {value};" for field, value in _learned(settings).items())
        yield "        config.network = std::move(network);"
        yield "    }"
    yield "    return config;"
    yield "}"
    yield f"constexpr std::uint64_t kMemoryMb = {settings.memory_mb};"
    yield f"constexpr std::uint64_t kSeed = {settings.seed}U;"
    yield "}  // namespace"
    yield "}  // namespace fourfall::settings"


def _embedded(config: Config) -> bytes | None:
    """Return the weights file of the network that evaluates, if one does."""
    if isinstance(config, _core.TreeConfig) or config.evaluator != _core.EvaluatorKind.NETWORK:
        return None
    return weights.read(config.weights)


def _literal(data: bytes) -> Iterator[str]:
    """Yield a weights file as text that a compiler reads fast."""
    text = base64.b64encode(data).decode()
    yield "constexpr char kWeights[] ="
    yield from (f'    "{text[at : at + _LITERAL]}"' for at in range(0, len(text), _LITERAL))
    yield "    ;"


def _plain(settings: Settings) -> dict[str, str]:
    """Return the fields of the native configuration, in C++, as they are where no network evaluates."""
    config = settings.preset.config
    return _fields(classic(config) if isinstance(config, _core.GraphConfig) else config, settings.time_s)


def _learned(settings: Settings) -> dict[str, str]:
    """Return the fields that are different where the preset's network evaluates."""
    plain = _plain(settings)
    fields = _fields(settings.preset.config, settings.time_s)
    return {field: value for field, value in fields.items() if plain[field] != value}


def _fields(config: Config, time_s: float) -> dict[str, str]:
    """Write the fields of a configuration in C++, one thread and the chosen time among them; networks stay out."""
    space = _NAMESPACE[kind_of(config).name]
    fields = {}
    for field in (name for name in dir(config) if not name.startswith("_") and name not in ("network", "weights")):
        value = getattr(config, field)
        if field == "move_time_s":
            fields[field] = repr(float(time_s))
        elif field == "threads":
            fields[field] = "1"
        elif isinstance(value, enum.Enum):
            choice = "".join(word.capitalize() for word in value.name.split("_"))
            fields[field] = f"{space}::{type(value).__name__}::k{choice}"
        elif value is not None:
            fields[field] = str(value).lower() if isinstance(value, bool) else repr(value)
    return fields
