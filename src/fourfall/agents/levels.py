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
    "level-2": Level("seed-002", 1, 0, 91),
    "level-4": Level("seed-004-v1", 2, 54, 85),
    "level-6": Level("seed-004-v1", 3, 131, 78),
    "level-8": Level("seed-002", 2, 135, 76),
    "level-10": Level("seed-002", 3, 228, 72),
    "level-12": Level("seed-004-v1", 6, 229, 72),
    "level-14": Level("seed-002", 4, 286, 69),
    "level-16": Level("seed-002", 6, 349, 69),
    "level-18": Level("seed-002", 7, 376, 66),
    "level-20": Level("seed-002", 11, 411, 66),
    "level-22": Level("seed-002", 19, 531, 63),
    "level-24": Level("seed-002", 24, 585, 61),
    "level-26": Level("seed-002", 53, 596, 61),
    "level-28": Level("seed-002", 72, 657, 60),
    "level-30": Level("seed-002", 93, 713, 56),
    "level-32": Level("seed-002", 115, 805, 56),
    "level-34": Level("seed-002", 139, 867, 56),
    "level-36": Level("seed-002", 166, 890, 57),
    "level-38": Level("seed-002", 195, 921, 54),
    "level-40": Level("seed-002", 227, 998, 51),
    "level-42": Level("seed-002", 264, 1047, 51),
    "level-44": Level("seed-002", 306, 1068, 51),
    "level-46": Level("seed-002", 354, 1093, 52),
    "level-48": Level("seed-002", 412, 1155, 52),
    "level-50": Level("fourfall-classic", 5, 1216, 51),
    "level-52": Level("fourfall-classic", 6, 1282, 51),
    "level-54": Level("fourfall-classic", 8, 1285, 51),
    "level-56": Level("fourfall-classic", 11, 1336, 50),
    "level-58": Level("fourfall-classic", 16, 1375, 52),
    "level-60": Level("fourfall-classic", 22, 1399, 53),
    "level-62": Level("fourfall-classic", 30, 1469, 54),
    "level-64": Level("fourfall-classic", 41, 1536, 55),
    "level-66": Level("fourfall-classic", 58, 1571, 57),
    "level-68": Level("fourfall-classic", 81, 1610, 61),
    "level-70": Level("fourfall-classic", 115, 1667, 62),
    "level-72": Level("fourfall-classic", 163, 1716, 64),
    "level-74": Level("fourfall-classic", 234, 1830, 68),
    "level-76": Level("fourfall-classic", 336, 1884, 75),
    "level-78": Level("fourfall-classic", 488, 1946, 75),
    "level-80": Level("fourfall-value", 35, 2076, 78),
    "level-82": Level("fourfall-value", 43, 2145, 81),
    "level-84": Level("fourfall-value", 53, 2095, 84),
    "level-86": Level("fourfall-value", 64, 2105, 82),
    "level-88": Level("fourfall-float32", 1, 2197, 78),
    "level-90": Level("fourfall-float32", 2, 2222, 79),
    "level-92": Level("fourfall-float32", 4, 2262, 82),
    "level-94": Level("fourfall-float32", 8, 2296, 86),
    "level-96": Level("fourfall-float32", 16, 2276, 85),
    "level-98": Level("fourfall-float32", 40, 2336, 91),
    "level-100": Level("fourfall-float32", 222, 2338, 102),
}

FIRST_ADVANTAGE_ELO = 76
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
