"""Owns what changes during a run: learning rate, simulations and lambda, by the share of the run that is over."""

import itertools
import math

from training.settings import Learning, Points


def stepped(points: Points, share: float) -> float:
    """Return the value of the last point passed.

    >>> stepped(((0.0, 16), (0.5, 32)), 0.49), stepped(((0.0, 16), (0.5, 32)), 0.5)
    (16, 32)
    """
    return [value for start, value in points if start <= share][-1]


def sloped(points: Points, share: float) -> float:
    """Return the value on the straight line between two points.

    >>> sloped(((0.0, 0.9), (0.5, 1.0)), 0.25), sloped(((0.0, 0.9), (0.5, 1.0)), 0.75)
    (0.95, 1.0)
    """
    for (start, before), (end, after) in itertools.pairwise(points):
        if share < end:
            return before + (after - before) * (share - start) / (end - start)
    return points[-1][1]


def learning_rate(learn: Learning, share: float, learned: int) -> float:
    """Rise over the first iterations, hold, then fall along half a cosine to the last share."""
    falling = max(0.0, (min(share, 1.0) - learn.hold) / max(1 - learn.hold, 1e-9))
    level = learn.last + (1 - learn.last) * (1 + math.cos(math.pi * falling)) / 2
    return learn.rate * level * min(1.0, (learned + 1) / max(learn.warm_up, 1))
