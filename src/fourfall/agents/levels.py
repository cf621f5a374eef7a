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
    "level-2": Level("seed-002", 1, 0, 92),
    "level-4": Level("seed-004-v1", 2, 54, 85),
    "level-6": Level("seed-004-v1", 3, 131, 79),
    "level-8": Level("seed-002", 2, 135, 77),
    "level-10": Level("seed-002", 3, 228, 73),
    "level-12": Level("seed-004-v1", 6, 229, 73),
    "level-14": Level("seed-002", 4, 286, 70),
    "level-16": Level("seed-002", 6, 350, 70),
    "level-18": Level("seed-002", 7, 376, 67),
    "level-20": Level("seed-002", 11, 412, 67),
    "level-22": Level("seed-002", 19, 531, 64),
    "level-24": Level("seed-002", 24, 586, 61),
    "level-26": Level("seed-002", 53, 597, 62),
    "level-28": Level("seed-002", 72, 658, 61),
    "level-30": Level("seed-002", 93, 714, 57),
    "level-32": Level("seed-002", 115, 806, 57),
    "level-34": Level("seed-002", 139, 868, 57),
    "level-36": Level("seed-002", 166, 891, 58),
    "level-38": Level("seed-002", 195, 922, 54),
    "level-40": Level("seed-002", 227, 999, 52),
    "level-42": Level("seed-002", 264, 1049, 52),
    "level-44": Level("seed-002", 306, 1069, 52),
    "level-46": Level("seed-002", 354, 1095, 52),
    "level-48": Level("seed-002", 412, 1156, 53),
    "level-50": Level("fourfall-classic", 5, 1218, 51),
    "level-52": Level("fourfall-classic", 6, 1283, 52),
    "level-54": Level("fourfall-classic", 8, 1287, 52),
    "level-56": Level("fourfall-classic", 11, 1338, 51),
    "level-58": Level("fourfall-classic", 16, 1377, 53),
    "level-60": Level("fourfall-classic", 22, 1400, 54),
    "level-62": Level("fourfall-classic", 30, 1471, 54),
    "level-64": Level("fourfall-classic", 41, 1537, 55),
    "level-66": Level("fourfall-classic", 58, 1574, 58),
    "level-68": Level("fourfall-classic", 81, 1611, 62),
    "level-70": Level("fourfall-classic", 115, 1671, 63),
    "level-72": Level("fourfall-classic", 163, 1717, 64),
    "level-74": Level("fourfall-classic", 234, 1838, 70),
    "level-76": Level("fourfall-classic", 336, 1875, 80),
    "level-78": Level("fourfall-classic", 488, 1948, 84),
    "level-80": Level("fourfall-value", 35, 2081, 94),
    "level-82": Level("fourfall-value", 43, 2143, 98),
    "level-84": Level("fourfall-value", 53, 2095, 104),
    "level-86": Level("fourfall-value", 64, 2147, 101),
    "level-88": Level("fourfall-float32", 1, 2177, 89),
    "level-90": Level("fourfall-float32", 2, 2191, 89),
    "level-92": Level("fourfall-float32", 4, 2218, 94),
    "level-94": Level("fourfall-float32", 8, 2263, 102),
    "level-96": Level("fourfall-float32", 16, 2256, 100),
    "level-98": Level("fourfall-float32", 40, 2294, 107),
    "level-100": Level("fourfall-float32", 222, 2317, 136),
}

FIRST_ADVANTAGE_ELO = 69
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
