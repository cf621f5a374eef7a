"""Simulated results of agents with known strengths, for tests of the rating model."""

from collections.abc import Sequence

import numpy as np

from fourfall.arena.rating_input import RatingInput

Pairings = Sequence[tuple[int, int]]


def make_round_robin(agents: int) -> list[tuple[int, int]]:
    """List the pairings of all agents."""
    return [(one, other) for one in range(agents) for other in range(one)]


def simulate_results(
    strengths: Sequence[float],
    pairings: Pairings,
    pairs: int,
    source: np.random.Generator,
    *,
    advantage: float = 0.4,
    draws: float = 0.2,
    boards: float = 0.0,
) -> RatingInput:
    """Simulate pairs of games of agents named a0, a1, … by the model.

    `advantage` is the first-move advantage in units of the strengths, `draws` the draw parameter, and `boards` the
    standard deviation of the first-move advantage between the boards of pairs, which makes the games of a pair
    dependent.
    """
    results = RatingInput(f"a{at}" for at in range(len(strengths)))
    for number, (one, other) in enumerate(pairings):
        difference = strengths[one] - strengths[other]
        shift = advantage + boards * source.standard_normal(pairs)
        margins = np.stack([difference + shift, -difference + shift], axis=1)
        wins, losses = np.exp(margins / 2), np.exp(-margins / 2)
        luck = source.random((pairs, 2)) * (wins + losses + draws)
        winners = np.where(luck < wins, 0, np.where(luck < wins + draws, -1, 1))
        for pair, games in enumerate(winners.tolist()):
            for (first, second), winner in zip(((one, other), (other, one)), games, strict=True):
                results.add(f"a{first}", f"a{second}", None if winner < 0 else winner, (number, pair))
    return results
