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
    "level-2": Level("seed-002", 1, 0, 20),
    "level-4": Level("seed-004-v1", 2, 57, 20),
    "level-6": Level("seed-004-v1", 3, 114, 20),
    "level-8": Level("seed-002", 2, 171, 20),
    "level-10": Level("seed-002", 3, 228, 20),
    "level-12": Level("seed-004-v1", 6, 285, 20),
    "level-14": Level("seed-002", 4, 342, 20),
    "level-16": Level("seed-002", 6, 399, 20),
    "level-18": Level("seed-002", 7, 456, 20),
    "level-20": Level("seed-002", 11, 513, 20),
    "level-22": Level("seed-002", 19, 570, 20),
    "level-24": Level("seed-002", 24, 627, 20),
    "level-26": Level("seed-002", 53, 684, 20),
    "level-28": Level("seed-002", 72, 741, 20),
    "level-30": Level("seed-002", 93, 798, 20),
    "level-32": Level("seed-002", 115, 855, 20),
    "level-34": Level("seed-002", 139, 912, 20),
    "level-36": Level("seed-002", 166, 969, 20),
    "level-38": Level("seed-002", 195, 1_026, 20),
    "level-40": Level("seed-002", 227, 1_083, 20),
    "level-42": Level("seed-002", 264, 1_140, 20),
    "level-44": Level("seed-002", 306, 1_197, 20),
    "level-46": Level("seed-002", 354, 1_254, 20),
    "level-48": Level("seed-002", 412, 1_311, 20),
    "level-50": Level("fourfall-classic", 5, 1_368, 20),
    "level-52": Level("fourfall-classic", 6, 1_425, 20),
    "level-54": Level("fourfall-classic", 8, 1_482, 20),
    "level-56": Level("fourfall-classic", 11, 1_539, 20),
    "level-58": Level("fourfall-classic", 16, 1_596, 20),
    "level-60": Level("fourfall-classic", 22, 1_653, 20),
    "level-62": Level("fourfall-classic", 30, 1_710, 20),
    "level-64": Level("fourfall-classic", 41, 1_767, 20),
    "level-66": Level("fourfall-classic", 58, 1_824, 20),
    "level-68": Level("fourfall-classic", 81, 1_881, 20),
    "level-70": Level("fourfall-classic", 115, 1_938, 20),
    "level-72": Level("fourfall-classic", 163, 1_995, 20),
    "level-74": Level("fourfall-classic", 234, 2_052, 20),
    "level-76": Level("fourfall-classic", 336, 2_109, 20),
    "level-78": Level("fourfall-classic", 488, 2_166, 20),
    "level-80": Level("fourfall-value", 35, 2_223, 20),
    "level-82": Level("fourfall-value", 43, 2_280, 20),
    "level-84": Level("fourfall-value", 53, 2_337, 20),
    "level-86": Level("fourfall-value", 64, 2_394, 20),
    "level-88": Level("fourfall-float32", 1, 2_451, 20),
    "level-90": Level("fourfall-float32", 2, 2_508, 20),
    "level-92": Level("fourfall-float32", 4, 2_565, 20),
    "level-94": Level("fourfall-float32", 8, 2_622, 20),
    "level-96": Level("fourfall-float32", 16, 2_679, 20),
    "level-98": Level("fourfall-float32", 40, 2_736, 20),
    "level-100": Level("fourfall-float32", 222, 2_793, 20),
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
