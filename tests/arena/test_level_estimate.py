"""Tests of the estimate of a level: coverage of its interval by simulation, choice of opponents, limits."""

import math
import random

import pytest

from fourfall.agents.levels import FIRST_ADVANTAGE_ELO, LEVELS
from fourfall.arena.level_estimate import LevelEstimate, LevelPosterior


def simulate_quick_gauntlet(elo: float, pairs: int, rng: random.Random) -> tuple[LevelEstimate, list[str]]:
    """Play pairs of games of an agent with this rating against the chosen levels; results follow the logistic model."""
    posterior, chosen = LevelPosterior(), []
    for _ in range(pairs):
        level = posterior.choose_opponent()
        chosen.append(level)
        for is_first in (True, False):
            advantage = FIRST_ADVANTAGE_ELO / 2 if is_first else -FIRST_ADVANTAGE_ELO / 2
            win = 1 / (1 + 10 ** ((LEVELS[level].elo - elo - advantage) / 400))
            posterior.add(level, is_first=is_first, points=float(rng.random() < win))
    return posterior.estimate(), chosen


def test_interval_of_the_quick_mode_covers_the_rating() -> None:
    """In simulated quick gauntlets of 60 games, at least 93 % of the intervals contain the rating; it is unbiased."""
    rng = random.Random(7)  # noqa: S311 (not for security)
    errors, widths, covered = [], [], 0
    ratings = [LEVELS[f"level-{number}"].elo for number in (6, 20, 40, 60, 80, 96)] * 25
    for elo in ratings:
        estimate, _ = simulate_quick_gauntlet(elo, 30, rng)
        covered += estimate.elo.low <= elo <= estimate.elo.high
        errors.append(estimate.elo.value - elo)
        widths.append(estimate.elo.high - estimate.elo.low)
    assert covered >= 0.93 * len(ratings)
    assert abs(sum(errors) / len(errors)) < 15
    assert sorted(widths)[len(widths) // 2] < 260


def test_opponents_are_near_the_agent_and_vary() -> None:
    """After the first pairs, the chosen levels are within 400 Elo of the agent; no level is chosen all the time."""
    elo = LEVELS["level-50"].elo
    _, chosen = simulate_quick_gauntlet(elo, 30, random.Random(1))  # noqa: S311 (not for security)
    assert all(abs(LEVELS[level].elo - elo) < 400 for level in chosen[10:])
    assert max(chosen.count(level) for level in set(chosen)) <= 8


@pytest.mark.parametrize(("points", "level"), [(1.0, 102), (0.0, 0)], ids=["wins all", "loses all"])
def test_agent_outside_the_levels(points: float, level: int) -> None:
    """An agent that wins every game against the top has no upper bound; one that loses every game no lower bound."""
    posterior = LevelPosterior()
    for _ in range(20):
        opponent = posterior.choose_opponent()
        for is_first in (True, False):
            posterior.add(opponent, is_first=is_first, points=points)
    estimate = posterior.estimate()
    assert (estimate.level, estimate.high if points else estimate.low) == (level, level)
    assert math.isinf(estimate.elo.high if points else estimate.elo.low)
    assert math.isfinite(estimate.elo.low if points else estimate.elo.high)


def test_one_failure_against_a_weak_level_changes_little() -> None:
    """A loss against level-2, for example by a timeout, moves the estimate by less than an interval's half width."""
    posteriors = [LevelPosterior(), LevelPosterior()]
    for posterior in posteriors:
        for _ in range(15):
            for is_first in (True, False):
                posterior.add("level-60", is_first=is_first, points=1.0)
                posterior.add("level-70", is_first=is_first, points=0.0)
    posteriors[1].add("level-2", is_first=True, points=0.0)
    before, after = (posterior.estimate().elo for posterior in posteriors)
    assert before.value - 60 < after.value < before.value
