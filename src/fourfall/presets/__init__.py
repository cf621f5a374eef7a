"""Owns the presets: named engine configurations in TOML, the package's own and the user's, loaded and validated."""

import difflib
import enum
import os
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from fourfall import _core

Table = dict[str, Any]


class PresetError(ValueError):
    """A preset that does not exist or does not make sense; the message names the file, the key and what is allowed."""


@dataclass(frozen=True)
class Preset:
    """A named configuration: a summary for people, the TOML it came from, and what the native engine makes of it."""

    name: str
    summary: str
    source: str
    config: _core.Config


# Where each key of a preset goes in the native configuration. Type and allowed values follow from the default there.
_KEYS: dict[str, dict[str, str]] = {
    "selection": {"formula": "formula", "exploration": "exploration", "revisit_fresh": "revisit_fresh"},
    "expansion": {
        "children": "expansion",
        "weights": "expansion_weights",
        "terminal_test": "terminal_test",
        "end_on_win": "end_on_win",
        "forced_replies": "forced_replies",
    },
    "rollout": {"policy": "rollout", "representation": "representation"},
    "reward": {"scale": "reward", "sums": "sums"},
    "proof": {"propagate": "proofs"},
    "root": {"choice": "choice"},
    "memory": {
        "graph": "graph",
        "reuse": "reuse",
        "storage": "storage",
        "reclaim": "reclaim",
        "capacity": "capacity",
    },
    "limits": {"time": "time", "simulations": "simulations"},
}
# Keys that hold a list of rules; each rule is a switch of the native configuration.
_RULES: dict[tuple[str, str], dict[str, str]] = {
    ("root", "before"): {"win": "root_win", "block": "root_block", "double-threat": "root_double_threat"},
    ("root", "after"): {"avoid-gifts": "avoid_gifts", "avoid-double-threats": "avoid_double_threats"},
}
# Numbers: the least and the greatest that make sense.
_RANGES = {
    "exploration": (0.0, 100.0),
    "capacity": (1000, 2**32),
    "time": (0.0, 86_400.0),
    "simulations": (1, 2**48),
}


@cache
def names() -> tuple[str, ...]:
    """List the presets of the package in natural order.

    >>> names()[:5]
    ('seed-000', 'seed-001', 'seed-002', 'seed-003', 'seed-004-v1')
    """
    stems = [Path(file.name).stem for file in resources.files(__name__).iterdir() if file.name.endswith(".toml")]
    return tuple(sorted(stems, key=_natural))


def load(name: str | Path) -> Preset:
    """Load a preset by its name, or from a TOML file (anything with a slash or the ending ``.toml``).

    >>> load("seed-002").config.exploration
    1.0
    >>> load("sead-002")
    Traceback (most recent call last):
    fourfall.presets.PresetError: there is no preset 'sead-002'; near ones: seed-002, seed-003, seed-001
    """
    if not isinstance(name, str | Path):
        raise TypeError(f"a preset is named by text or a path, not {_shown(name)}")
    text = str(name)
    where, source = _read(text)
    config = _core.Config()
    summary = _apply(config, where, source, ())
    _check(config, where)
    return Preset(text, summary, source, config)


def _check(config: _core.Config, where: str) -> None:
    """Refuse choices that go together but would be ignored or cannot work."""
    graph = config.graph
    pairs = [
        (
            graph and config.terminal_test != _core.TerminalTest.NEW,
            'expansion.terminal_test = "revisit"',
            "memory.graph",
        ),
        (graph and config.sums != _core.Sums.EXACT, 'reward.sums = "single"', "memory.graph"),
        (
            config.expansion == _core.Expansion.ALL and config.expansion_weights != _core.Weights.UNIFORM,
            "expansion.weights",
            'expansion.children = "all"',
        ),
        (
            graph and config.storage == _core.Storage.HEAP and config.reclaim == _core.Reclaim.GENERATIONS,
            'memory.storage = "heap"',
            'memory.reclaim = "generations"',
        ),
    ]
    for clash, one, other in pairs:
        if clash:
            raise PresetError(f"{where}: {one} does not go with {other}")
    if not graph and config.reclaim != _core.Reclaim.RESTART:
        raise PresetError(f"{where}: memory.reclaim needs memory.graph = true")


def spelled_out(config: _core.Config) -> str:
    """Write a configuration as TOML with every key, whatever base it came from.

    >>> print(spelled_out(load("seed-004-v9").config).splitlines()[-1])
    time = 2.95
    """
    lines = []
    for section, keys in _KEYS.items():
        lines.append(f"[{section}]")
        for owner, key in _RULES:
            if owner == section:
                rules = [rule for rule, attribute in _RULES[owner, key].items() if getattr(config, attribute)]
                lines.append(f"{key} = [{_quoted(rules)}]")
        for key, attribute in keys.items():
            value = getattr(config, attribute)
            if value is not None:
                lines.append(f"{key} = {_toml(value)}")
        lines.append("")
    return "\n".join(lines).rstrip()


def _toml(value: object) -> str:
    if isinstance(value, enum.Enum):
        return f'"{_choice_name(value)}"'
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


def _apply(config: _core.Config, where: str, source: str, above: tuple[str, ...]) -> str:
    """Write a preset's keys into the configuration, its base's first; returns the summary."""
    try:
        table: Table = tomllib.loads(source)
    except ValueError as error:
        raise PresetError(f"{where}: {error}") from None
    summary = _text(where, "summary", table.pop("summary", ""))
    _apply_base(config, where, _text(where, "base", table.pop("base", "")), above)
    for section, values in table.items():
        known = _section(section)
        if not known:
            raise PresetError(f"{where}: unknown key {section!r}; known ones: summary, base, {', '.join(_KEYS)}")
        if not isinstance(values, dict):
            raise PresetError(f"{where}: {section} must be a table, written [{section}]")
        for key, value in values.items():
            if key not in known:
                raise PresetError(f"{where}: unknown key {section}.{key}; known ones: {', '.join(known)}")
            _set(config, f"{where}: {section}.{key}", section, key, value)
    return summary


def _apply_base(config: _core.Config, where: str, base: str, above: tuple[str, ...]) -> None:
    if not base:
        return
    if _is_file(base) and _is_file(where):
        base = os.path.normpath(Path(where).absolute().parent / base)
    if base in above:
        raise PresetError(f"{where}: base {base!r} leads back to itself")
    try:
        found = _read(base)
    except PresetError as error:
        raise PresetError(f"{where}: base: {error}") from None
    _apply(config, *found, (*above, base))


def _section(section: str) -> list[str]:
    return [*_KEYS.get(section, {}), *(key for owner, key in _RULES if owner == section)]


def _set(config: _core.Config, what: str, section: str, key: str, value: object) -> None:
    rules = _RULES.get((section, key))
    if rules is not None:
        wanted = value if isinstance(value, list) else [value]
        for rule in wanted:
            if not isinstance(rule, str) or rule not in rules:
                raise PresetError(f"{what} must be a list of {_quoted(rules)}, not {_shown(value)}")
        for rule, attribute in rules.items():
            setattr(config, attribute, rule in wanted)
        return
    attribute = _KEYS[section][key]
    default = getattr(config, attribute)
    if isinstance(default, enum.Enum):
        choices = {_choice_name(choice): choice for choice in type(default)}
        if not isinstance(value, str) or value not in choices:
            raise PresetError(f"{what} must be one of {_quoted(choices)}, not {_shown(value)}")
        setattr(config, attribute, choices[value])
    elif isinstance(default, bool):
        if not isinstance(value, bool):
            raise PresetError(f"{what} must be true or false, not {_shown(value)}")
        setattr(config, attribute, value)
    else:
        setattr(config, attribute, _number(what, attribute, value))


def _number(what: str, attribute: str, value: object) -> float | int:
    low, high = _RANGES[attribute]
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
