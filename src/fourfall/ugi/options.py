"""The options of the UGI engine: their names, ranges and values."""

import re
from dataclasses import dataclass, replace
from typing import Any

from fourfall import Engine, EngineError, PresetError, WeightsError, presets
from fourfall.agents.levels import LEVELS, describe_levels
from fourfall.presets import MAX_THREADS
from fourfall.ugi.commands import CommandError, quote

MAX_COLUMNS = 12


@dataclass(frozen=True)
class Options:
    """Values of the options. `preset` is a preset, a preset file or a level; `threads` None is the preset's number."""

    preset: str = presets.DEFAULT
    threads: int | None = None
    memory_mb: int = 256
    seed: int = 0
    multipv: int = 1
    move_overhead_ms: int = 10

    @property
    def max_simulations(self) -> int | None:
        """Number of simulations of a level, which are its strength; None for a preset.

        >>> Options("level-30").max_simulations
        93
        """
        level = LEVELS.get(self.preset)
        return None if level is None else level.simulations


@dataclass(frozen=True)
class _Number:
    """An option with a whole number: the attribute of `Options`, and the range."""

    attribute: str
    low: int
    high: int
    configures_engine: bool = True


_NUMBERS = {
    "Threads": _Number("threads", 1, MAX_THREADS),
    "Memory": _Number("memory_mb", 1, 2**20),
    "Seed": _Number("seed", 0, 2**31 - 1),
    "MultiPV": _Number("multipv", 1, MAX_COLUMNS, configures_engine=False),
    "Move Overhead": _Number("move_overhead_ms", 0, 5000, configures_engine=False),
}


def list_options(options: Options) -> list[str]:
    """Return the lines that declare the options with these values as defaults.

    >>> list_options(Options())[-1]
    'option name Move Overhead type spin default 10 min 0 max 5000'
    """
    names = dict.fromkeys([options.preset, *presets.list_names(), *LEVELS])
    choices = " ".join(f"var {name}" for name in names)
    lines = [f"option name Preset type combo default {options.preset} {choices}"]
    for name, number in _NUMBERS.items():
        value = getattr(options, number.attribute) or number.low
        lines.append(f"option name {name} type spin default {value} min {number.low} max {number.high}")
    return lines


def change_option(options: Options, name: str, value: str) -> Options:
    """Return the options with another value of one option; names are compared without regard to case.

    >>> change_option(Options(), "multipv", "3").multipv
    3
    >>> change_option(Options(), "Memory", "0")
    Traceback (most recent call last):
    fourfall.ugi.commands.CommandError: option Memory must be an integer from 1 to 1048576, not '0'
    """
    if name.casefold() == "preset":
        return replace(options, preset=value)
    for known, number in _NUMBERS.items():
        if known.casefold() == name.casefold():
            if not re.fullmatch(r"[0-9]{1,20}", value) or not number.low <= int(value) <= number.high:
                raise CommandError(
                    f"option {known} must be an integer from {number.low} to {number.high}, not {quote(value)}"
                )
            change: dict[str, Any] = {number.attribute: int(value)}
            return replace(options, **change)
    raise CommandError(f"there is no option {quote(name)}; the options are {', '.join(['Preset', *_NUMBERS])}")


def needs_new_engine(old: Options, new: Options) -> bool:
    """Whether an engine with the old options cannot be used with the new ones."""
    attributes = ["preset", *(number.attribute for number in _NUMBERS.values() if number.configures_engine)]
    return any(getattr(old, attribute) != getattr(new, attribute) for attribute in attributes)


def create_engine(options: Options) -> Engine:
    """Create the engine, or raise CommandError that says which option is wrong.

    >>> create_engine(Options("level-2", seed=7))
    Engine('seed-002', seed=7)
    >>> create_engine(Options("level-3"))
    Traceback (most recent call last):
    fourfall.ugi.commands.CommandError: there is no level 'level-3'; levels are level-2, level-4, ..., level-100; \
similar: level-2, level-4
    """
    name = options.preset
    level = LEVELS.get(name)
    if level is None and name.startswith("level-"):
        raise CommandError(f"there is no level {quote(name)}; {describe_levels(name)}")
    try:
        preset = presets.load(name if level is None else level.preset)
        return Engine(preset, seed=options.seed, memory_mb=options.memory_mb, threads=options.threads)
    except (EngineError, PresetError, WeightsError, OSError) as error:
        raise CommandError(str(error)) from None
