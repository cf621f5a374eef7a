"""Estimates an agent's rating on the scale of the levels, and chooses the level whose games tell most about it.

The ratings of the levels are known (`agents/levels.py`), so the agent's rating is one number. Its posterior
distribution is kept on a grid, from a flat prior. The probability that the agent wins a game is logistic in the
difference of the ratings, with the first-move advantage added for the first player; a draw counts as half a win and
half a loss. One game in fifty is assumed to be decided by chance, so that one loss against a weak level, for example by
a timeout, does not move the estimate far.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from fourfall.agents.levels import FIRST_ADVANTAGE_ELO, LEVELS, get_level_number
from fourfall.arena.ratings import ELO_PER_UNIT, Interval
from fourfall.arena.record import GameRecord

Array = npt.NDArray[np.float64]

_MARGIN_ELO, _STEP_ELO = 800.0, 4.0  # the grid extends beyond the weakest and the strongest level
_LAPSE = 0.02
_TAIL = 0.025  # of a 95 % interval
_SPREAD_GAMES = 16
_LEVEL_ERROR_ELO = 30.0  # half width of the 95 % interval of the mean rating of the levels near an agent
_INDEX = {name: at for at, name in enumerate(LEVELS)}


@dataclass(frozen=True)
class LevelEstimate:
    """An agent's rating, in Elo above level-2, with its 95 % interval, and the numbers of the nearest levels.

    A level is 0 if the rating is below the lowest level by more than half a step, and 102 if it is above the highest.
    An agent without a loss has no upper bound, an agent without a win no lower bound.
    """

    elo: Interval
    level: int
    low: int
    high: int


class LevelPosterior:
    """Posterior distribution of an agent's rating given its games against levels.

    >>> posterior = LevelPosterior()
    >>> for _ in range(20):
    ...     posterior.add("level-40", is_first=True, points=1)
    ...     posterior.add("level-60", is_first=False, points=0)
    >>> posterior.estimate().level
    50
    """

    def __init__(self) -> None:
        self._grid, self._win_probabilities = _compute_win_probabilities()
        self._log_likelihood = np.zeros(len(self._grid))
        self._points = self._games = 0.0
        self._played = np.zeros(len(LEVELS))

    def add(self, level: str, *, is_first: bool, points: float) -> None:
        """Add a game against a level; `points` of the agent are 1, 0.5 or 0."""
        win = self._win_probabilities[_INDEX[level], 0 if is_first else 1]
        self._log_likelihood += points * np.log(win) + (1 - points) * np.log1p(-win)
        self._points, self._games = self._points + points, self._games + 1
        self._played[_INDEX[level]] += 1

    def add_records(self, records: Iterable[GameRecord], agent: str) -> None:
        """Add the games of an agent against levels; other games are ignored."""
        for record in records:
            seat = record.names.index(agent) if agent in record.names else None
            if seat is not None and (level := record.addresses[1 - seat]) in LEVELS:
                self.add(level, is_first=seat == 0, points=record.get_points(seat))

    def choose_opponent(self) -> str:
        """Return the level from whose next pair of games the most information is expected.

        The Fisher information of a game is p (1 - p), averaged over the posterior. It is divided by 1 + n / 16 after n
        games against the level, which spreads the games over several levels near the estimate: the result then depends
        less on how the agent's style suits one opponent.
        """
        win = self._win_probabilities
        information = (win * (1 - win)).sum(axis=1) @ self._weights
        return list(LEVELS)[int(np.argmax(information / (1 + self._played / _SPREAD_GAMES)))]

    def estimate(self) -> LevelEstimate:
        """Return the median of the posterior, and its 2.5 % and 97.5 % quantiles widened by the error of the levels."""
        cumulative = np.cumsum(self._weights)
        low, median, high = (float(np.interp(share, cumulative, self._grid)) for share in (_TAIL, 0.5, 1 - _TAIL))
        elo = Interval(
            median,
            -math.inf if self._points == 0 else median - math.hypot(median - low, _LEVEL_ERROR_ELO),
            math.inf if self._points == self._games else median + math.hypot(high - median, _LEVEL_ERROR_ELO),
        )
        return LevelEstimate(elo, *(_find_level_number(value) for value in (elo.value, elo.low, elo.high)))

    @property
    def _weights(self) -> Array:
        weights = np.exp(self._log_likelihood - self._log_likelihood.max())
        result: Array = weights / weights.sum()
        return result


@cache
def _compute_win_probabilities() -> tuple[Array, Array]:
    """Return the grid of ratings and the probabilities that an agent with each rating wins: [level][side][rating]."""
    elos = np.array([level.elo for level in LEVELS.values()], dtype=np.float64)
    grid = np.arange(elos.min() - _MARGIN_ELO, elos.max() + _MARGIN_ELO, _STEP_ELO)
    advantages = np.array([FIRST_ADVANTAGE_ELO / 2, -FIRST_ADVANTAGE_ELO / 2])
    differences = grid[None, None, :] + advantages[None, :, None] - elos[:, None, None]
    return grid, _LAPSE / 2 + (1 - _LAPSE) / (1 + np.exp(-differences / ELO_PER_UNIT))


def _find_level_number(elo: float) -> int:
    """Return the number of the level with the nearest rating, or 0 or 102 beyond the levels by more than half a step.

    The ratings of neighbouring levels may be out of order by less than their error, so they are sorted first.

    >>> _find_level_number(-math.inf), _find_level_number(math.inf)
    (0, 102)
    """
    elos = sorted(level.elo for level in LEVELS.values())
    half_step = (elos[-1] - elos[0]) / (len(elos) - 1) / 2
    numbers = [get_level_number(name) for name in LEVELS]
    if elo < elos[0] - half_step:
        return numbers[0] - 2
    if elo > elos[-1] + half_step:
        return numbers[-1] + 2
    return min(zip(elos, numbers, strict=True), key=lambda each: abs(each[0] - elo))[1]
