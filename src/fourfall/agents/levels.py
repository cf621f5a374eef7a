"""The ten levels: fixed strengths from a beginner to the strongest engine, each a preset with a number of simulations.

A level counts simulations, not seconds: it is equally strong on every machine, and the same seed repeats its games.
"""

from typing import NamedTuple


class Level(NamedTuple):
    """A fixed strength: a preset and its number of simulations per move."""

    preset: str
    simulations: int


LEVELS = {
    "level-1": Level("seed-001", 8),
    "level-2": Level("seed-001", 25),
    "level-3": Level("seed-001", 70),
    "level-4": Level("seed-002", 120),
    "level-5": Level("seed-002", 350),
    "level-6": Level("seed-002", 1_000),
    "level-7": Level("seed-002", 4_000),
    "level-8": Level("fourfall-classic", 100),
    "level-9": Level("fourfall-classic", 600),
    "level-10": Level("fourfall", 800),
}
