"""Settings of a ladder: boards, opening and random seed, stored as JSON with its event."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fourfall.arena.spec import SpecError, check_boards

FORMAT = "ladder"
"""The value of the key `format` that distinguishes the settings of a ladder from the spec of a tournament."""


@dataclass(frozen=True)
class LadderSettings:
    """What all games of a ladder have in common; validated when it is created.

    `boards` are starting positions, used in turn; without them boards are drawn from the official distribution.
    `opening` is the number of random moves before the agents play. `seed` determines pairings, boards and the agents'
    seeds. Whether third-party code is isolated is not a setting: only the caller of a run can disable the sandbox.

    >>> LadderSettings(boards=("6x8x",))
    Traceback (most recent call last):
    fourfall.arena.spec.SpecError: boards.list: '6x8x': character 4 'x': expected '@', ':' or the end
    """

    boards: tuple[str, ...] = ()
    opening: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        check_boards(self.boards, self.opening)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON; `parse_ladder_settings` reads them."""
        return {"format": FORMAT, "boards": list(self.boards), "opening": self.opening, "seed": self.seed}


def is_ladder_settings(values: object) -> bool:
    """Whether the JSON of an event is the settings of a ladder.

    >>> is_ladder_settings(LadderSettings().to_dict()), is_ladder_settings({"format": "gauntlet"})
    (True, False)
    """
    return isinstance(values, Mapping) and values.get("format") == FORMAT


def parse_ladder_settings(values: Mapping[str, Any]) -> LadderSettings:
    """Make settings from plain values; SpecError describes the first mistake.

    >>> parse_ladder_settings(LadderSettings(("6x7",), 2, 7).to_dict())
    LadderSettings(boards=('6x7',), opening=2, seed=7)
    >>> parse_ladder_settings({"format": "ladder", "opening": -1})
    Traceback (most recent call last):
    fourfall.arena.spec.SpecError: the settings of the ladder: opening must be a whole number from 0 to 40, not -1
    """
    from fourfall.arena.ladder.settings_schema import SettingsTable
    from fourfall.validation import InputError, validate

    try:
        table = validate(SettingsTable, values, "the settings of the ladder")
    except InputError as error:
        raise SpecError(str(error)) from None
    return LadderSettings(table.boards, table.opening, table.seed)
