"""Owns the levels: ten fixed strengths from a beginner to the flagship, each a preset with a number of simulations.

Simulations, not seconds: a level plays the same on every machine, and the same seed repeats its games.
"""

from typing import NamedTuple


class Level(NamedTuple):
    """A strength: the preset that plays and the simulations it gets for a move."""

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
