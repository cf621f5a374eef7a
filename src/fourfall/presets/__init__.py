"""Loads presets: named engine configurations in TOML, included in the package or written by the user."""

import difflib
import enum
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Literal

from fourfall._core import GraphConfig, TreeConfig
from fourfall.system.command_line import is_bare_name

EngineConfig = TreeConfig | GraphConfig
SearchKind = Literal["tree", "graph"]

DEFAULT = "fourfall"
MAX_THREADS = 64

_HEADER = ("summary", "base", "search")
_VARIANTS = resources.files(__name__) / "variants"


class PresetError(ValueError):
    """A preset that does not exist or is invalid; the message names the file, the key and what is allowed."""


@dataclass(frozen=True)
class Preset:
    """A named configuration: a summary for users, the TOML text, and the native configuration made from it."""

    name: str
    summary: str
    source: str
    config: EngineConfig

    @property
    def search(self) -> SearchKind:
        """The kind of search."""
        return get_search_kind(self.config)


def get_search_kind(config: EngineConfig) -> SearchKind:
    """Return the kind of search that a configuration is for.

    >>> get_search_kind(GraphConfig())
    'graph'
    """
    return "graph" if isinstance(config, GraphConfig) else "tree"


@cache
def list_names() -> tuple[str, ...]:
    """List the presets of the package: the default first, then in natural order.

    >>> list_names()[:5]
    ('fourfall', 'fourfall-classic', 'fourfall-float32', 'fourfall-value', 'seed-000')
    """
    stems = [Path(file.name).stem for file in resources.files(__name__).iterdir() if file.name.endswith(".toml")]
    return tuple(sorted(stems, key=lambda stem: (stem != DEFAULT, _make_sort_key(stem))))


@cache
def list_variants() -> tuple[str, ...]:
    """List the variants: presets of the experiments that differ from a seed in one part; `load` knows them, too.

    >>> "seed-002-value" in list_variants()
    True
    """
    stems = [Path(file.name).stem for file in _VARIANTS.iterdir() if file.name.endswith(".toml")]
    return tuple(sorted(stems, key=_make_sort_key))


def load(name: str | Path) -> Preset:
    """Load a preset or variant by its name, or from a TOML file (a name with a slash or the suffix ``.toml``).

    >>> load("seed-002").config.exploration
    1.0
    >>> load("fourfall").search
    'graph'
    >>> load("sead-002")
    Traceback (most recent call last):
    fourfall.presets.PresetError: there is no preset 'sead-002'; similar: seed-002, seed-003, seed-001
    """
    if not isinstance(name, str | Path):
        raise TypeError(f"a preset is a name or a path, not {name!r:.60}")
    from fourfall.presets.schema import find_conflicts

    source, text = _read(str(name))
    summary, config = _build(source, text, ())
    for conflict in find_conflicts(config):
        raise PresetError(f"{source}: {conflict}")
    return Preset(str(name), summary, text, config)


def to_toml(config: EngineConfig) -> str:
    """Write a configuration as TOML with every key and without a base.

    >>> print(to_toml(load("seed-004-v9").config).splitlines()[-1])
    move_time_s = 2.95
    """
    from fourfall.presets.schema import PRESETS, RULES, list_keys, list_sections

    search = get_search_kind(config)
    lines = [f'search = "{search}"', ""]
    for section, model in list_sections(PRESETS[search]).items():
        written = []
        for key, field in list_keys(model).items():
            if section == "root" and field in RULES:
                chosen = [rule for rule, attribute in RULES[field].items() if getattr(config, attribute)]
                written.append(f"{key} = [{_quote(chosen)}]")
            elif (value := getattr(config, field)) is not None and value != "":
                written.append(f"{key} = {_write_value(value)}")
        if written:
            lines += [f"[{section}]", *written, ""]
    return "\n".join(lines).rstrip()


def _write_value(value: object) -> str:
    from fourfall.validation import get_choice_name

    if isinstance(value, enum.Enum):
        return f'"{get_choice_name(value)}"'
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return str(value).lower() if isinstance(value, bool) else str(value)


def is_preset_file(name: str) -> bool:
    """Whether a name means a file, not a preset of the package."""
    return name.endswith(".toml") or not is_bare_name(name)


def _read(name: str) -> tuple[str, str]:
    """Return how error messages name a preset, and its text."""
    if is_preset_file(name):
        try:
            return name, Path(name).read_text(encoding="utf-8")
        except OSError as error:
            raise PresetError(f"{name}: {error.strerror}") from None
        except ValueError:  # invalid UTF-8, or a null character in the path
            raise PresetError(f"{name!r}: not a text file") from None
    if name in list_variants():
        return f"preset {name}", (_VARIANTS / f"{name}.toml").read_text(encoding="utf-8")
    if name not in list_names():
        near = difflib.get_close_matches(name, list_names(), n=3, cutoff=0.5)
        listed = f"similar: {', '.join(near)}" if near else f"available: {', '.join(list_names())}"
        raise PresetError(f"there is no preset {name!r}; {listed}")
    return f"preset {name}", (resources.files(__name__) / f"{name}.toml").read_text(encoding="utf-8")


def _build(source: str, text: str, bases: tuple[str, ...]) -> tuple[str, EngineConfig]:
    """Return a preset's summary and configuration: the base's configuration or the defaults, changed by its keys.

    `bases` are the presets that lead here, from each to its base.
    """
    from fourfall.presets import schema
    from fourfall.validation import InputError, parse_toml, validate

    try:
        table = parse_toml(text, source)
        header = validate(schema.PresetFile, {key: table[key] for key in _HEADER if key in table}, source)
        if header.base:
            config = _build_base(source, header.base, bases)
        else:
            config = GraphConfig() if header.search == "graph" else TreeConfig()
        search = get_search_kind(config)
        if header.search not in (None, search):
            raise PresetError(f'{source}: search = "{header.search}", but base {header.base!r} is a {search} search')
        _check_search_kind(source, table, search)
        schema.apply_preset(validate(schema.PRESETS[search], table, source), config)
    except InputError as error:
        raise PresetError(str(error)) from None
    if isinstance(config, GraphConfig) and "weights" in table.get("evaluation", {}):
        config.weights = _find_weights(source, config.weights)
    return header.summary, config


def _build_base(source: str, base: str, bases: tuple[str, ...]) -> EngineConfig:
    """Return the configuration of a preset's base."""
    base = _resolve_path(source, base)
    if base in bases:
        raise PresetError(f"{source}: base {base!r} leads back to itself")
    try:
        found = _read(base)
    except PresetError as error:
        raise PresetError(f"{source}: base: {error}") from None
    return _build(*found, (*bases, base))[1]


def _resolve_path(source: str, name: str) -> str:
    """Resolve a path in a preset file relative to the file's folder; names of presets stay unchanged."""
    if not (is_preset_file(name) and is_preset_file(source)):
        return name
    return os.path.normpath(Path(source).absolute().parent / name)


def _find_weights(source: str, name: str) -> str:
    """Find a weights file: a name without a folder is the file beside the preset if that exists."""
    if not is_bare_name(name) or not is_preset_file(source):
        return _resolve_path(source, name)
    beside = _resolve_path(source, f"./{name}")
    return beside if Path(beside).is_file() else name


def _check_search_kind(source: str, table: dict[str, Any], search: SearchKind) -> None:
    """Refuse sections and keys that only the other kind of search has."""
    from fourfall.presets.schema import PRESETS, list_keys, list_sections

    other: SearchKind = "tree" if search == "graph" else "graph"
    ours, theirs = (
        {section: list_keys(model) for section, model in list_sections(PRESETS[kind]).items()}
        for kind in (search, other)
    )
    for section, values in table.items():
        name, allowed = "", list(ours)
        if section not in ours:
            name = section if section in theirs else ""
        elif isinstance(values, dict):
            only_theirs = theirs.get(section, {}).keys() - ours[section].keys()
            name = next((f"{section}.{key}" for key in values if key in only_theirs), "")
            allowed = list(ours[section])
        if name:
            raise PresetError(
                f"{source}: {name} belongs to a {other} search, but this is a {search} search; "
                f"allowed: {', '.join(allowed)}"
            )


def _quote(words: Iterable[str]) -> str:
    return ", ".join(f'"{word}"' for word in words)


def _make_sort_key(name: str) -> list[tuple[int, str]]:
    """Return a sort key that puts v2 before v10."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in name.replace("v", "v-").split("-")]
