"""Owns the presets: named engine configurations in TOML, the package's own and the user's, loaded and validated."""

import difflib
import enum
import json
import os
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from fourfall._core import GraphConfig
from fourfall.presets.keys import KINDS, RANGES, TREE, Config, Kind, clashes, kind_of

Table = dict[str, Any]

DEFAULT = "fourfall"


class PresetError(ValueError):
    """A preset that does not exist or does not make sense; the message names the file, the key and what is allowed."""


@dataclass(frozen=True)
class Preset:
    """A named configuration: a summary for people, the TOML it came from, and what the native engine makes of it."""

    name: str
    summary: str
    source: str
    config: Config

    @property
    def search(self) -> str:
        """The kind of search: "tree" or "graph"."""
        return kind_of(self.config).name


@cache
def names() -> tuple[str, ...]:
    """List the presets of the package: the default first, then in natural order.

    >>> names()[:5]
    ('fourfall', 'fourfall-classic', 'seed-000', 'seed-001', 'seed-002')
    """
    stems = [Path(file.name).stem for file in resources.files(__name__).iterdir() if file.name.endswith(".toml")]
    return tuple(sorted(stems, key=lambda stem: (stem != DEFAULT, _natural(stem))))


def load(name: str | Path) -> Preset:
    """Load a preset by its name, or from a TOML file (anything with a slash or the ending ``.toml``).

    >>> load("seed-002").config.exploration
    1.0
    >>> load("fourfall").search
    'graph'
    >>> load("sead-002")
    Traceback (most recent call last):
    fourfall.presets.PresetError: there is no preset 'sead-002'; near ones: seed-002, seed-003, seed-001
    """
    if not isinstance(name, str | Path):
        raise TypeError(f"a preset is named by text or a path, not {_shown(name)}")
    text = str(name)
    where, source = _read(text)
    summary, config = _build(where, source, ())
    for clash in clashes(config):
        raise PresetError(f"{where}: {clash}")
    return Preset(text, summary, source, config)


def spelled_out(config: Config) -> str:
    """Write a configuration as TOML with every key, whatever base it came from.

    >>> print(spelled_out(load("seed-004-v9").config).splitlines()[-1])
    time = 2.95
    """
    kind = kind_of(config)
    lines = [f'search = "{kind.name}"', ""]
    for section, keys in kind.keys.items():
        written = []
        for (owner, key), rules in kind.rules.items():
            if owner == section:
                chosen = [rule for rule, attribute in rules.items() if getattr(config, attribute)]
                written.append(f"{key} = [{_quoted(chosen)}]")
        for key, attribute in keys.items():
            value = getattr(config, attribute)
            if value is not None and value != "":
                written.append(f"{key} = {_toml(value)}")
        if written:
            lines += [f"[{section}]", *written, ""]
    return "\n".join(lines).rstrip()


def _toml(value: object) -> str:
    if isinstance(value, enum.Enum):
        return f'"{_choice_name(value)}"'
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _choice_name(choice: enum.Enum) -> str:
    return choice.name.lower().replace("_", "-")


def _is_file(name: str) -> bool:
    return name.endswith(".toml") or "/" in name


def _read(name: str) -> tuple[str, str]:
    """Find a preset: how to call it in a complaint, and its text."""
    if _is_file(name):
        try:
            return name, Path(name).read_text(encoding="utf-8")
        except OSError as error:
            raise PresetError(f"{name}: {error.strerror}") from None
        except ValueError:  # bytes that are no text, or a name that cannot be one
            raise PresetError(f"{name!r}: not a text file") from None
    if name not in names():
        near = difflib.get_close_matches(name, names(), n=3, cutoff=0.5) or names()
        raise PresetError(f"there is no preset {name!r}; near ones: {', '.join(near)}")
    return f"preset {name}", (resources.files(__name__) / f"{name}.toml").read_text(encoding="utf-8")


def _build(where: str, source: str, above: tuple[str, ...]) -> tuple[str, Config]:
    """Make a preset's summary and its configuration: its base's, or the defaults, with its own keys written over."""
    try:
        table: Table = tomllib.loads(source)
    except ValueError as error:
        raise PresetError(f"{where}: {error}") from None
    summary = _text(where, "summary", table.pop("summary", ""))
    base = _text(where, "base", table.pop("base", ""))
    search = table.pop("search", None)
    if search is not None and (not isinstance(search, str) or search not in KINDS):
        raise PresetError(f"{where}: search must be one of {_quoted(KINDS)}, not {_shown(search)}")
    config = _base(where, base, above) if base else KINDS[search or TREE.name].config()
    kind = kind_of(config)
    if search not in (None, kind.name):
        raise PresetError(f'{where}: search = "{search}" does not go with base {base!r}, a {kind.name} search')
    for section, values in table.items():
        known = kind.section(section)
        if not known:
            listed = ", ".join(("summary", "base", "search", *kind.keys))
            raise PresetError(f"{where}: {_unknown(kind, section)}; known ones: {listed}")
        if not isinstance(values, dict):
            raise PresetError(f"{where}: {section} must be a table, written [{section}]")
        for key, value in values.items():
            if key not in known:
                raise PresetError(f"{where}: {_unknown(kind, section, key)}; known ones: {', '.join(known)}")
            _set(config, f"{where}: {section}.{key}", section, key, value)
    if isinstance(config, GraphConfig) and "weights" in table.get("evaluation", {}):
        config.weights = _weights(where, config.weights)
    return summary, config


def _base(where: str, base: str, above: tuple[str, ...]) -> Config:
    """Make the configuration of the preset that another one starts from."""
    base = _beside(where, base)
    if base in above:
        raise PresetError(f"{where}: base {base!r} leads back to itself")
    try:
        found = _read(base)
    except PresetError as error:
        raise PresetError(f"{where}: base: {error}") from None
    return _build(*found, (*above, base))[1]


def _beside(where: str, name: str) -> str:
    """Make a path that is written in a preset's file count from the file's folder; plain names stay as they are."""
    if not (_is_file(name) and _is_file(where)):
        return name
    return os.path.normpath(Path(where).absolute().parent / name)


def _weights(where: str, name: str) -> str:
    """Find a weights file: a plain name means the one beside the preset's file where there is one."""
    if "/" in name or not _is_file(where):
        return _beside(where, name)
    beside = _beside(where, f"./{name}")
    return beside if Path(beside).is_file() else name


def _unknown(kind: Kind, section: str, key: str | None = None) -> str:
    """Say what is wrong with a section or key that this kind of search does not have, but another one may."""
    name = repr(section) if key is None else f"{section}.{key}"
    for other in KINDS.values():
        if other.section(section) if key is None else key in other.section(section):
            return f"{name} belongs to a {other.name} search, and this is a {kind.name} search"
    return f"unknown key {name}"


def _set(config: Config, what: str, section: str, key: str, value: object) -> None:
    kind = kind_of(config)
    rules = kind.rules.get((section, key))
    if rules is not None:
        wanted = value if isinstance(value, list) else [value]
        for rule in wanted:
            if not isinstance(rule, str) or rule not in rules:
                raise PresetError(f"{what} must be a list of {_quoted(rules)}, not {_shown(value)}")
        for rule, attribute in rules.items():
            setattr(config, attribute, rule in wanted)
        return
    attribute = kind.keys[section][key]
    default = getattr(config, attribute)
    if isinstance(default, enum.Enum):
        setattr(config, attribute, _choice(what, type(default), value))
    elif isinstance(default, str):
        if not isinstance(value, str) or not value:
            raise PresetError(f"{what} must be the name of a file, not {_shown(value)}")
        setattr(config, attribute, value)
    elif isinstance(default, bool):
        if not isinstance(value, bool):
            raise PresetError(f"{what} must be true or false, not {_shown(value)}")
        setattr(config, attribute, value)
    else:
        setattr(config, attribute, _number(what, attribute, value))


def _choice(what: str, kind: type[enum.Enum], value: object) -> enum.Enum:
    choices = {_choice_name(choice): choice for choice in kind}
    if not isinstance(value, str) or value not in choices:
        raise PresetError(f"{what} must be one of {_quoted(choices)}, not {_shown(value)}")
    return choices[value]


def _number(what: str, attribute: str, value: object) -> float | int:
    low, high = RANGES[attribute]
    kinds = (int,) if isinstance(low, int) else (int, float)
    # Not a number is neither at least the least nor at most the greatest.
    if isinstance(value, bool) or not isinstance(value, kinds) or not low <= value <= high:
        kind = "a whole number" if isinstance(low, int) else "a number"
        raise PresetError(f"{what} must be {kind} from {low} to {high}, not {_shown(value)}")
    return value


def _text(where: str, key: str, value: object) -> str:
    if not isinstance(value, str):
        raise PresetError(f"{where}: {key} must be text, not {_shown(value)}")
    return value


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _quoted(choices: Iterable[str]) -> str:
    return ", ".join(f'"{choice}"' for choice in choices)


def _natural(name: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdigit() else (-1, part) for part in name.replace("v", "v-").split("-")]
