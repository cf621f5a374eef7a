"""Schedules over a run: learning rate, simulations and lambda as functions of the fraction of the run that is done."""

import itertools
import math

from training.config import LearnerConfig, Schedule


def look_up_schedule(schedule: Schedule, fraction: float) -> float:
    """Return the value of the last point at or before `fraction`.

    >>> look_up_schedule(((0.0, 16), (0.5, 32)), 0.49), look_up_schedule(((0.0, 16), (0.5, 32)), 0.5)
    (16, 32)
    """
    return [value for start, value in schedule if start <= fraction][-1]


def interpolate_schedule(schedule: Schedule, fraction: float) -> float:
    """Interpolate linearly between the points; the last value holds until the end.

    >>> interpolate_schedule(((0.0, 0.9), (0.5, 1.0)), 0.25), interpolate_schedule(((0.0, 0.9), (0.5, 1.0)), 0.75)
    (0.95, 1.0)
    """
    for (start, before), (end, after) in itertools.pairwise(schedule):
        if fraction < end:
            return before + (after - before) * (fraction - start) / (end - start)
    return schedule[-1][1]


def compute_learning_rate(config: LearnerConfig, fraction: float, learning_iterations: int) -> float:
    """Return the learning rate: linear warm-up, constant, then half a cosine down to the final fraction."""
    decay = max(0.0, (min(fraction, 1.0) - config.constant_until) / max(1 - config.constant_until, 1e-9))
    last = config.final_rate_fraction
    level = last + (1 - last) * (1 + math.cos(math.pi * decay)) / 2
    return config.learning_rate * level * min(1.0, (learning_iterations + 1) / max(config.warm_up_iterations, 1))
