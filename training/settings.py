"""Owns the settings of a run: TOML read strictly, every key known, typed and in range."""

import dataclasses
import tomllib
import types
import typing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from training.boards import BoardKind
from training.learner import LossWeights
from training.network import Size
from training.search import SearchSettings
from training.selfplay import SelfPlaySettings

T = TypeVar("T")

Points = tuple[tuple[float, float], ...]
"""A course over the run: pairs of (share of the run, value), in order, the first at 0."""


class SettingsError(ValueError):
    """Settings that cannot be used; the message is one line that names the file, the key and what is allowed."""


@dataclass(frozen=True)
class Learning:
    """How the networks learn from the memory."""

    batch: int
    passes: float
    """How often a stored move is used, on average."""
    memory: int
    """Iterations that are remembered."""
    first: int
    """Iterations to wait for after a start before learning, so that the memory is not all of one kind."""
    rate: float
    """Adam's learning rate while it is held."""
    hold: float
    """The share of the run until which the rate is held; then it falls along a cosine."""
    last: float
    """What is left of the rate at the end, as a share."""
    warm_up: int
    """Iterations in which the rate rises."""
    decay: float
    averaging: float
    trace: Points
    """The lambda of TD(lambda), straight lines between the points."""
    weights: LossWeights


@dataclass(frozen=True)
class Matches:
    """Matches of the playing network against its past."""

    pairs: int
    simulations: int
    every: float
    """Share of the run between two matches."""
    opponents: int
    """Snapshots that are kept and played, the oldest and the newest ones."""


@dataclass(frozen=True)
class Settings:
    """A whole run."""

    name: str
    seed: int
    precision: str
    total_s: float
    """The length of the run in seconds, over all its resumptions; 0 if it is counted in iterations."""
    total_iterations: int
    checkpoint_s: float
    keep_memory: bool
    """Whether checkpoints hold the memory too; then resuming changes nothing at all."""
    export: str
    networks: tuple[Size, ...]
    """The first one plays, the others learn beside it."""
    simulations: Points
    """Simulations of each search, in steps."""
    boards: tuple[BoardKind, ...]
    play: SelfPlaySettings
    search: SearchSettings
    learn: Learning
    match: Matches


CHOICES = {"precision": ("bf16", "f32"), "export": ("bf16", "f32")}
RANGES: dict[str, tuple[float, float]] = {
    "share": (0, 1e6),
    "hole": (0, 1),
    "boards": (1, 1 << 20),
    "moves": (1, 4096),
    "opening_share": (0, 1),
    "opening_moves": (0, 144),
    "random_moves": (0, 1),
    "play_on": (0, 1),
    "considered": (1, 12),
    "most_simulations": (1, 1024),
    "value_scale": (0, 100),
    "visits_offset": (0, 1000),
    "spread_floor": (1e-6, 2),
    "only_moves": (0, 16),
    "batch": (1, 1 << 20),
    "passes": (0, 100),
    "memory": (1, 4096),
    "first": (1, 4096),
    "rate": (0, 1),
    "hold": (0, 1),
    "last": (0, 1),
    "warm_up": (0, 1 << 20),
    "decay": (0, 1),
    "averaging": (1e-6, 1),
    "value": (0, 100),
    "aids": (0, 100),
    "pairs": (1, 1 << 20),
    "simulations": (0, 1024),
    "every": (1e-6, 1),
    "opponents": (0, 32),
    "total_s": (0, 1e7),
    "total_iterations": (0, 1 << 30),
    "checkpoint_s": (0, 1e6),
    "seed": (0, 2**31 - 1),
}


def load(path: Path) -> Settings:
    """Read a run's settings."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SettingsError(f"{path}: not a text file") from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path}: {error}") from None
    settings = _table(Settings, table, str(path), "")
    _check_whole(path, settings)
    return settings


def _check_whole(path: Path, settings: Settings) -> None:
    """Refuse settings that do not fit each other."""
    if (settings.total_s > 0) == (settings.total_iterations > 0):
        raise SettingsError(f"{path}: give total_s or total_iterations a value above 0, not both and not neither")
    if not settings.networks or not settings.boards:
        raise SettingsError(f"{path}: networks and boards must not be empty")
    for kind in settings.boards:
        for low, high in (kind.rows, kind.cols):
            if not 4 <= low <= high <= 12:
                raise SettingsError(f"{path}: boards: rows and cols are ranges within 4 to 12, not [{low}, {high}]")
    if not any(kind.share > 0 for kind in settings.boards):
        raise SettingsError(f"{path}: boards: at least one share must be above 0")
    most = max(max(count for _, count in settings.simulations), settings.match.simulations)
    if most > settings.search.most_simulations:
        raise SettingsError(f"{path}: search.most_simulations leaves no room for {most:g} simulations")
    if settings.learn.first > settings.learn.memory:
        raise SettingsError(f"{path}: learn.first is longer than learn.memory")


def _table(kind: type[T], table: object, where: str, prefix: str) -> T:
    """Make a dataclass from a table whose keys are exactly its fields; fields with defaults may be left out."""
    if not isinstance(table, dict):
        raise SettingsError(f"{where}: {prefix.rstrip('.')} must be a table")
    fields = {field.name: field for field in dataclasses.fields(typing.cast(Any, kind))}
    for key in table:
        if key not in fields:
            raise SettingsError(f"{where}: unknown key {prefix}{key}; known: {', '.join(fields)}")
    hints = typing.get_type_hints(kind)
    values = {}
    for name, field in fields.items():
        if name in table:
            values[name] = _value(hints[name], table[name], where, prefix + name)
        elif field.default is dataclasses.MISSING:
            raise SettingsError(f"{where}: {prefix}{name} is missing")
    return kind(**values)


def _value(hint: Any, value: object, where: str, key: str) -> Any:  # noqa: ANN401 - as many types as keys
    """Check one value against its type, its range and its choices."""
    name = key.rpartition(".")[2].partition("[")[0]
    if hint == Points:
        return _points(value, where, key)
    if hint is Size:
        return _size(value, where, key)
    if dataclasses.is_dataclass(hint):
        return _table(typing.cast(type, hint), value, where, key + ".")
    if isinstance(hint, types.GenericAlias):
        return _list(typing.get_args(hint), value, where, key)
    if hint is float and type(value) is int:
        value = float(value)
    if type(value) is not hint:
        raise SettingsError(f"{where}: {key} must be of type {hint.__name__}, not {value!r}")
    low, high = RANGES.get(name, (-1e308, 1e308))
    if isinstance(value, int | float) and not low <= value <= high:
        raise SettingsError(f"{where}: {key} must be between {low:g} and {high:g}, not {value!r}")
    if name in CHOICES and value not in CHOICES[name]:
        raise SettingsError(f"{where}: {key} must be one of {', '.join(CHOICES[name])}, not {value!r}")
    return value


def _list(items: tuple[Any, ...], value: object, where: str, key: str) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise SettingsError(f"{where}: {key} must be a list, not {value!r}")
    if items[-1] is Ellipsis:
        items = (items[0],) * len(value)
    if len(items) != len(value):
        raise SettingsError(f"{where}: {key} must have {len(items)} entries, not {len(value)}")
    return tuple(
        _value(hint, item, where, f"{key}[{i}]") for i, (hint, item) in enumerate(zip(items, value, strict=True))
    )


def _points(value: object, where: str, key: str) -> Points:
    points = value if isinstance(value, list) else []
    flat = [number for point in points if isinstance(point, list) and len(point) == 2 for number in point]
    plain = len(flat) == 2 * len(points) and all(type(number) in (int, float) for number in flat)
    times = flat[::2]
    if not points or not plain or times[0] != 0 or times != sorted(times) or times[-1] > 1 or min(flat[1::2]) < 0:
        raise SettingsError(f"{where}: {key} must be a list of [share of the run, value], from 0 to at most 1 in order")
    return tuple((float(time), float(number)) for time, number in zip(times, flat[1::2], strict=True))


def _size(value: object, where: str, key: str) -> Size:
    channels, _, blocks = value.partition("x") if isinstance(value, str) else ("", "", "")
    if not (channels.isdecimal() and blocks.isdecimal() and 1 <= int(channels) <= 1024 and 1 <= int(blocks) <= 64):
        raise SettingsError(f"{where}: {key} must be channels and blocks like '64x4', not {value!r}")
    return Size(int(channels), int(blocks))
