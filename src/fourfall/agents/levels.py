"""The fifty levels, level-2 to level-100: fixed strengths from random moves to nearly the strongest engine.

A level is a preset with a number of simulations per move. It counts simulations, not seconds: it is equally strong on
every machine, and the same seed repeats its games. The ratings come from the tournament in experiments/levels/
(docs/levels.md).
"""

from typing import NamedTuple


class Level(NamedTuple):
    """A fixed strength: a preset, its number of simulations per move, and its rating.

    `elo` is the fitted rating above level-2; `error` is half the width of the 95 % confidence interval of the rating
    relative to the mean of all levels.
    """

    preset: str
    simulations: int
    elo: int
    error: int


LEVELS = {
    "level-2": Level("seed-002", 1, 0, 94),
    "level-4": Level("seed-004-v1", 2, 53, 88),
    "level-6": Level("seed-004-v1", 3, 131, 82),
    "level-8": Level("seed-002", 2, 135, 80),
    "level-10": Level("seed-002", 3, 227, 76),
    "level-12": Level("seed-004-v1", 6, 228, 76),
    "level-14": Level("seed-002", 4, 285, 73),
    "level-16": Level("seed-002", 6, 349, 73),
    "level-18": Level("seed-002", 7, 375, 70),
    "level-20": Level("seed-002", 11, 410, 71),
    "level-22": Level("seed-002", 19, 529, 68),
    "level-24": Level("seed-002", 24, 584, 65),
    "level-26": Level("seed-002", 53, 594, 65),
    "level-28": Level("seed-002", 72, 655, 64),
    "level-30": Level("seed-002", 93, 711, 60),
    "level-32": Level("seed-002", 115, 802, 60),
    "level-34": Level("seed-002", 139, 864, 60),
    "level-36": Level("seed-002", 166, 887, 60),
    "level-38": Level("seed-002", 195, 917, 57),
    "level-40": Level("seed-002", 227, 995, 54),
    "level-42": Level("seed-002", 264, 1043, 54),
    "level-44": Level("seed-002", 306, 1064, 53),
    "level-46": Level("seed-002", 354, 1089, 53),
    "level-48": Level("seed-002", 412, 1151, 53),
    "level-50": Level("fourfall-classic", 5, 1211, 51),
    "level-52": Level("fourfall-classic", 6, 1278, 52),
    "level-54": Level("fourfall-classic", 8, 1281, 52),
    "level-56": Level("fourfall-classic", 11, 1332, 50),
    "level-58": Level("fourfall-classic", 16, 1369, 51),
    "level-60": Level("fourfall-classic", 22, 1394, 53),
    "level-62": Level("fourfall-classic", 30, 1464, 52),
    "level-64": Level("fourfall-classic", 41, 1532, 53),
    "level-66": Level("fourfall-classic", 58, 1554, 50),
    "level-68": Level("fourfall-classic", 81, 1611, 51),
    "level-70": Level("fourfall-classic", 115, 1672, 51),
    "level-72": Level("fourfall-classic", 163, 1722, 51),
    "level-74": Level("fourfall-classic", 234, 1810, 50),
    "level-76": Level("fourfall-classic", 336, 1873, 53),
    "level-78": Level("fourfall-classic", 488, 1957, 54),
    "level-80": Level("fourfall-classic", 1000, 2007, 67),
    "level-82": Level("fourfall-value", 30, 2052, 67),
    "level-84": Level("fourfall-value", 45, 2107, 66),
    "level-86": Level("fourfall-value", 80, 2195, 67),
    "level-88": Level("fourfall-float32", 1, 2231, 55),
    "level-90": Level("fourfall-float32", 3, 2271, 68),
    "level-92": Level("fourfall-float32", 6, 2290, 69),
    "level-94": Level("fourfall-float32", 25, 2360, 75),
    "level-96": Level("fourfall-float32", 100, 2405, 76),
    "level-98": Level("fourfall-float32", 400, 2448, 84),
    "level-100": Level("fourfall-float32", 1500, 2487, 94),
}

FIRST_ADVANTAGE_ELO = 92
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
