"""Settings of a data set: everything that its contents depend on."""

import json
import re
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

from fourfall._core import Board, version
from fourfall.datasets.errors import DatasetError
from fourfall.presets import is_preset_file, load, to_toml
from fourfall.system.command_line import join_command

LabelKind = Literal["solver", "engine"]

MAX_COUNT = 10**9
MAX_SIMULATIONS = 2**31 - 1


@dataclass(frozen=True)
class StoneRange:
    """Smallest and largest number of stones, or of free cells, of the positions.

    >>> StoneRange.parse("8-20", is_free=False)
    StoneRange(least=8, most=20, is_free=False)
    >>> StoneRange.parse("20-8", is_free=True)
    Traceback (most recent call last):
    fourfall.datasets.errors.DatasetError: '20-8': expected MIN-MAX with 0 <= MIN <= MAX <= 143, for example 8-20
    """

    least: int
    most: int
    is_free: bool = False

    @classmethod
    def parse(cls, text: str, *, is_free: bool) -> "StoneRange":
        """Read a range such as 8-20, or a single number."""
        match = re.fullmatch(r"(\d{1,3})(?:-(\d{1,3}))?", text)
        least, most = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if not least <= most <= 143:
            raise DatasetError(f"{text!r}: expected MIN-MAX with 0 <= MIN <= MAX <= 143, for example 8-20")
        return cls(least, most, is_free)

    def contains(self, cells: int, stones: int) -> bool:
        """Whether a position on a board with `cells` cells is in the range."""
        return self.least <= (cells - stones if self.is_free else stones) <= self.most


@dataclass(frozen=True)
class Settings:
    """Everything that the rows of a data set depend on.

    Attributes:
        boards: starting positions of random openings, in text.
        official: whether random openings are on random official boards.
        games: database of the arena or JSON Lines file from which positions are taken.
        event: number of an event of the database; None for all.
        count: number of positions; None for all positions of the games.
        seed: random seed of the openings, of the sample of the games, and of the engine.
        stones: range of the number of stones or of free cells; None for all.
        immediate_wins: whether random openings may leave an immediate win.
        labels: "solver", "engine", both or none.
        positions: maximum number of positions that the solver searches for each position.
        engine: preset of the engine.
        simulations: simulations of the engine for each position.
        memory_mb: memory of the solver and of the engine.
        preset: configuration of a preset file in TOML; None for a preset of the package.
        version: version of Fourfall.
    """

    boards: tuple[str, ...] = ()
    official: bool = False
    games: str | None = None
    event: int | None = None
    count: int | None = None
    seed: int = 0
    stones: StoneRange | None = None
    immediate_wins: bool = False
    labels: tuple[LabelKind, ...] = ("solver",)
    positions: int = 1_000_000
    engine: str = "fourfall"
    simulations: int = 800
    memory_mb: int = 64
    preset: str | None = None
    version: str = version

    def check(self) -> "Settings":
        """Return the settings with positions in standard notation; DatasetError says what is wrong."""
        if bool(self.boards) + self.official + (self.games is not None) != 1:
            raise DatasetError("choose one source of positions: games, boards or official boards")
        if self.games is None and self.count is None:
            raise DatasetError("random openings need a number of positions")
        if self.games is None and self.event is not None:
            raise DatasetError("an event needs a database of games: add --from DATABASE, or omit --event")
        if self.count is not None and not 1 <= self.count <= MAX_COUNT:
            raise DatasetError(f"the number of positions must be 1 to {MAX_COUNT}, not {self.count}")
        if not 0 <= self.seed < 2**63:
            raise DatasetError(f"the seed must be 0 to {2**63 - 1}, not {self.seed}")
        for name, value, least, most in (
            ("positions", self.positions, 1, 2**62),
            ("simulations", self.simulations, 1, MAX_SIMULATIONS),
            ("memory_mb", self.memory_mb, 16, 2**20),
        ):
            if not least <= value <= most:
                raise DatasetError(f"{name} must be {least} to {most}, not {value}")
        if unknown := set(self.labels) - {"solver", "engine"}:
            raise DatasetError(f"unknown label {min(unknown)!r}; choose solver or engine")
        boards = tuple(_check_start(text) for text in self.boards)
        preset = to_toml(load(self.engine).config) if "engine" in self.labels and is_preset_file(self.engine) else None
        return replace(self, boards=boards, preset=preset, labels=tuple(sorted(set(self.labels))))

    def to_json(self) -> str:
        """Write the settings as JSON; equal settings give equal text."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "Settings":
        """Read the settings from the values of `to_json`."""
        stones = values["stones"]
        return cls(
            **{
                **values,
                "boards": tuple(values["boards"]),
                "labels": tuple(values["labels"]),
                "stones": None if stones is None else StoneRange(**stones),
            }
        )

    @property
    def command(self) -> str:
        """The command that makes the data set; the number of workers and the cluster do not change it.

        >>> Settings(boards=("6x7",), count=100).command
        'fourfall dataset make OUT.parquet --board 6x7 --count 100 --seed 0 --label solver --positions 1000000'
        """
        words = ["fourfall", "dataset", "make", "OUT.parquet"]
        for text in self.boards:
            words += ["--board", text]
        words += ["--official"] if self.official else []
        words += [] if self.games is None else ["--from", self.games]
        words += [] if self.event is None else ["--event", str(self.event)]
        words += [] if self.count is None else ["--count", str(self.count)]
        words += ["--seed", str(self.seed)]
        if self.stones is not None:
            name = "--free" if self.stones.is_free else "--stones"
            words += [name, f"{self.stones.least}-{self.stones.most}"]
        words += ["--immediate-wins"] if self.immediate_wins else []
        words += [word for label in self.labels or ("none",) for word in ("--label", label)]
        words += ["--positions", str(self.positions)] if "solver" in self.labels else []
        if "engine" in self.labels:
            words += ["--engine", self.engine, "--simulations", str(self.simulations)]
        words += ["--memory-mb", str(self.memory_mb)] if self.memory_mb != Settings.memory_mb else []
        return join_command(words)

    @property
    def has_database(self) -> bool:
        """Whether the games are in a database, not in a JSON Lines file."""
        return self.games is not None and is_database(Path(self.games))


def is_database(path: Path) -> bool:
    """Whether a file is a SQLite database; DatasetError if it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(16) == b"SQLite format 3\0"
    except OSError as error:
        raise DatasetError(f"{path}: {error.strerror}") from None


def _check_start(text: str) -> str:
    try:
        board = Board.parse(text)
    except ValueError as error:
        raise DatasetError(f"board {text!r}: {error}") from None
    if board.is_over:
        raise DatasetError(f"board {text!r}: the game is over in this position")
    return board.notation
