"""The fifty levels, level-2 to level-100: fixed strengths from random moves to nearly the strongest engine.

A level is a preset with a number of simulations per move. It counts simulations, not seconds: it is equally strong on
every machine, and the same seed repeats its games. The ratings come from the tournament in experiments/levels/
(docs/levels.md).
"""

from typing import NamedTuple


class Level(NamedTuple):
    """A fixed strength: a preset, its number of simulations per move, and its rating.

    `elo` is the rating above level-2, `error` half the width of its 95 % confidence interval.
    """

    preset: str
    simulations: int
    elo: int
    error: int


LEVELS = {
    f"level-{number}": Level("seed-002", 1 + 40 * (number - 2), 55 * (number // 2 - 1), 20)
    for number in range(2, 101, 2)
}

FIRST_ADVANTAGE_ELO = 60
"""Advantage of the first player among the levels: its rating counts as this much higher than the second player's."""


def get_level_number(name: str) -> int:
    """Return the number of a level.

    >>> get_level_number("level-46")
    46
    """
    return int(name.removeprefix("level-"))


def describe_levels(wanted: str = "") -> str:
    """Describe the names of all levels for an error message, and name those nearest to `wanted`, if it has a number.

    >>> describe_levels("level-3")
    'levels are level-2, level-4, ..., level-100; similar: level-2, level-4'
    """
    names = list(LEVELS)
    text = f"levels are {names[0]}, {names[1]}, ..., {names[-1]}"
    digits = wanted.removeprefix("level-")
    if not (digits.isascii() and digits.isdigit()):
        return text
    number = int(digits[:9])
    near = sorted(names, key=lambda name: abs(get_level_number(name) - number))[: 2 if number <= 100 else 1]
    return f"{text}; similar: {', '.join(near)}"
