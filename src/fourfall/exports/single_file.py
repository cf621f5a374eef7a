"""Generates one C++ file that contains an engine, everything it includes, its settings and its network."""

import base64
import enum
import errno
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fourfall import Engine, Preset, _core, presets, weights
from fourfall.engine import use_rollouts
from fourfall.presets import EngineConfig, get_search_kind

SOURCES = Path(_core.__file__).with_name("sources")
"""C++ sources of the package; the build installs them beside the native module."""

SAFE_TIME_S = 2.7
"""Longest time per move for a limit of 3 s; the rest is a reserve for a busy machine."""

_PLATFORM = ("platform/files.cpp", "platform/heap.cpp", "platform/pages.cpp", "platform/processor.cpp")
_GAME = ("game/geometry.cpp", "game/board.cpp", "game/board_from_stones.cpp")
_SEARCH = {
    "graph": (
        "search/network/sha256.cpp",
        "search/network/weights_file.cpp",
        "search/network/input_planes.cpp",
        "search/network/stem_constants.cpp",
        "search/network/kernels/portable.cpp",  # first: it includes forward.inl unconditionally
        "search/network/kernels/simd128.cpp",
        "search/network/kernels/avx2.cpp",
        "search/network/kernels/avx512.cpp",
        "search/network/kernels/amx.cpp",
        "search/network/network.cpp",
        "search/graph/rollout_evaluator.cpp",
        "search/graph/network_evaluator.cpp",
        "search/graph/solver_probe.cpp",
        "search/graph/root_choice.cpp",
        "search/graph/report.cpp",
        "search/graph/worker.cpp",
        "search/graph/search.cpp",
    ),
    "tree": (
        "search/tree/array_rollout.cpp",
        "search/tree/rollout.cpp",
        "search/tree/node_pool.cpp",
        "search/tree/search.cpp",
    ),
}
_SETTINGS = "programs/settings.hpp"
_EMBEDDED = "programs/embedded_network.hpp"
_LITERAL_WIDTH = 112  # characters per line of the embedded weights
_INCLUDE = re.compile(r'#include "([^"]+)"')


class ExportError(RuntimeError):
    """The export is not possible on this machine; the message says why."""


@dataclass(frozen=True)
class ExportSettings:
    """Settings of an exported program: preset, time per move, memory of the search and random seed."""

    preset: Preset
    move_time_s: float
    memory_mb: int = 512
    seed: int = 0

    @property
    def name(self) -> str:
        """Name of the program: the name of the preset, or of its file without the suffix.

        >>> ExportSettings(presets.load("seed-002"), 2.0).name
        'seed-002'
        """
        return Path(self.preset.name).stem


def require_parent(path: Path) -> Path:
    """Return the folder in which a file or folder is to be written; FileNotFoundError names it if it does not exist."""
    parent = path.absolute().parent
    if not parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path.parent))
    return parent


def make_settings(engine: str, move_time_s: float | None, memory_mb: int, seed: int = 0) -> ExportSettings:
    """Return the settings for a preset name or file; without `move_time_s`, the preset's time up to `SAFE_TIME_S`.

    Raises ValueError if the memory is too small for the engine.

    >>> make_settings("seed-000", None, 64).move_time_s, make_settings("seed-004-v9", None, 64).move_time_s
    (2.0, 2.7)
    """
    preset = presets.load(engine)
    Engine(preset, memory_mb=memory_mb)  # checks the memory
    return ExportSettings(preset, limit_move_time(preset) if move_time_s is None else move_time_s, memory_mb, seed)


def limit_move_time(preset: Preset) -> float:
    """Return the preset's time per move in seconds, at most `SAFE_TIME_S`."""
    return SAFE_TIME_S if preset.config.move_time_s is None else min(preset.config.move_time_s, SAFE_TIME_S)


def generate_source(program: str, settings: ExportSettings, command: str) -> str:
    """Return a program of `cpp/programs` with all files that it includes as one source, which `command` compiles.

    >>> settings = ExportSettings(presets.load("fourfall"), 2.7)
    >>> text = generate_source("strategy_library.cpp", settings, "c++ -std=c++20 -shared x.cpp")
    >>> text.startswith("// Fourfall"), '#include "' in text
    (True, False)
    """
    kind = settings.preset.search
    files = (*_PLATFORM, *_GAME, *_SEARCH[kind], "programs/player.cpp", f"programs/{program}")
    seen = {_SETTINGS}
    body = [line for file in files for line in _inline_includes(file, settings, seen)]
    return "\n".join([*_make_header(settings, command), *body, "#endif", ""])


def _make_header(settings: ExportSettings, command: str) -> list[str]:
    notice = (SOURCES / "LICENSE").read_text(encoding="utf-8").strip().splitlines()
    return [
        f"// Fourfall {_core.version}, engine {settings.name}, in one file. Compile it with",
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
        "#define FOURFALL_SCALAR  // older compilers cannot query the x86-64 level of the processor",
        "#endif",
        "",
    ]


def _inline_includes(file: str, settings: ExportSettings, seen: set[str]) -> Iterator[str]:
    """Yield the lines of a source, with each included file inserted at its first include."""
    seen.add(file)
    yield f"// {file}"
    for line in (SOURCES / file).read_text(encoding="utf-8").splitlines():
        include = _INCLUDE.fullmatch(line)
        if include is None:
            if line != "#pragma once":
                yield line
        elif include[1] == _SETTINGS:
            yield from _write_settings(settings, seen)
        elif include[1] not in seen:
            yield from _inline_includes(include[1], settings, seen)


def _write_settings(settings: ExportSettings, seen: set[str]) -> Iterator[str]:
    """Yield the C++ code that takes the place of programs/settings.hpp."""
    preset = settings.preset
    config_type = f"{preset.search}::{type(preset.config).__name__}"
    data = _read_weights(preset.config)
    headers = [
        f"search/{preset.search}/config.hpp",
        f"search/{preset.search}/search.hpp",
        *([] if data is None else [_EMBEDDED]),
    ]
    for file in headers:
        if file not in seen:
            yield from _inline_includes(file, settings, seen)
    yield "namespace fourfall::settings {"
    yield "namespace {"
    if data is not None:
        yield from _write_literal(data)
    yield f"{config_type} config() {{"
    yield f"    {config_type} config;"
    yield from (f"    config.{field} = {value};" for field, value in _list_classic_fields(settings).items())
    if data is not None:
        arithmetic = ", network::kFloat32" if _uses_float32(preset.config) else ""
        yield f"    if (auto network = read_embedded_network(kWeights{arithmetic})) {{"
        yield from (f"        config.{field} = {value};" for field, value in _list_network_fields(settings).items())
        yield "        config.network = std::move(network);"
        yield "    }"
    yield "    return config;"
    yield "}"
    yield f"constexpr std::uint64_t kMemoryMb = {settings.memory_mb};"
    yield f"constexpr std::uint64_t kSeed = {settings.seed}U;"
    yield "}  // namespace"
    yield "}  // namespace fourfall::settings"


def _uses_float32(config: EngineConfig) -> bool:
    return isinstance(config, _core.GraphConfig) and config.arithmetic == _core.Arithmetic.FLOAT32


def _read_weights(config: EngineConfig) -> bytes | None:
    """Return the weights file of a configuration with a network evaluator, otherwise None."""
    if isinstance(config, _core.TreeConfig) or config.evaluator != _core.EvaluatorKind.NETWORK:
        return None
    return weights.read(config.weights)


def _write_literal(data: bytes) -> Iterator[str]:
    """Yield the weights as a string literal in base 64, which compiles faster than an array of bytes."""
    text = base64.b64encode(data).decode()
    yield "constexpr char kWeights[] ="
    yield from (f'    "{text[at : at + _LITERAL_WIDTH]}"' for at in range(0, len(text), _LITERAL_WIDTH))
    yield "    ;"


def _list_classic_fields(settings: ExportSettings) -> dict[str, str]:
    """Return the fields of the native configuration without a network, as C++ expressions."""
    config = settings.preset.config
    return _list_fields(use_rollouts(config) if isinstance(config, _core.GraphConfig) else config, settings.move_time_s)


def _list_network_fields(settings: ExportSettings) -> dict[str, str]:
    """Return the fields that differ from `_list_classic_fields` if the preset's network evaluates."""
    classic_fields = _list_classic_fields(settings)
    fields = _list_fields(settings.preset.config, settings.move_time_s)
    return {field: value for field, value in fields.items() if classic_fields[field] != value}


def _list_fields(config: EngineConfig, move_time_s: float) -> dict[str, str]:
    """Return the fields of a configuration as C++ expressions, with one thread and this time, without the network."""
    namespace = get_search_kind(config)
    fields = {}
    for field in (name for name in dir(config) if not name.startswith("_") and name not in ("network", "weights")):
        value = getattr(config, field)
        if field == "move_time_s":
            fields[field] = repr(float(move_time_s))
        elif field == "threads":
            fields[field] = "1"
        elif isinstance(value, enum.Enum):
            choice = "".join(word.capitalize() for word in value.name.split("_"))
            fields[field] = f"{namespace}::{type(value).__name__}::k{choice}"
        elif value is not None:
            fields[field] = str(value).lower() if isinstance(value, bool) else repr(value)
    return fields
