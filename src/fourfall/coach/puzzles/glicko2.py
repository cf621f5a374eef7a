"""Glicko-2 ratings, with the formulas of Mark E. Glickman, "Example of the Glicko-2 system" (revised 2022).

https://www.glicko.net/glicko/glicko2.pdf. The comments name the steps of that paper.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

SYSTEM_CONSTANT = 0.5
"""The paper's tau: how much volatilities change over time."""
MAX_DEVIATION = 350.0
_SCALE = 173.7178
_TOLERANCE = 1e-6


@dataclass(frozen=True)
class Rating:
    """A rating with its uncertainty.

    Attributes:
        rating: strength; a new player has 1500.
        deviation: standard deviation of the rating.
        volatility: expected fluctuation of the rating.
    """

    rating: float = 1500.0
    deviation: float = MAX_DEVIATION
    volatility: float = 0.06


class Game(NamedTuple):
    """Rating and deviation of an opponent, and the score against it: 1 for a win, 0.5 for a draw, 0 for a loss."""

    rating: float
    deviation: float
    score: float


def update_rating(player: Rating, games: Sequence[Game], system_constant: float = SYSTEM_CONSTANT) -> Rating:
    """Return the rating after one rating period with these games; without games only the deviation grows.

    The example of the paper:

    >>> games = [Game(1400, 30, 1), Game(1550, 100, 0), Game(1700, 300, 0)]
    >>> new = update_rating(Rating(1500, 200, 0.06), games)
    >>> round(new.rating, 2), round(new.deviation, 2), round(new.volatility, 5)
    (1464.05, 151.52, 0.06)
    """
    # Step 2: convert to the Glicko-2 scale.
    mu, phi = (player.rating - 1500) / _SCALE, player.deviation / _SCALE
    if not games:
        return Rating(player.rating, _limit_deviation(math.hypot(phi, player.volatility)), player.volatility)
    # Steps 3 and 4: estimated variance and improvement.
    information = improvement = 0.0
    for game in games:
        weight = _weigh(game.deviation / _SCALE)
        expected = 1 / (1 + math.exp(-weight * (mu - (game.rating - 1500) / _SCALE)))
        information += weight**2 * expected * (1 - expected)
        improvement += weight * (game.score - expected)
    variance = 1 / information
    volatility = _update_volatility(phi, player.volatility, variance, variance * improvement, system_constant)
    # Steps 6 and 7: new deviation and rating; step 8: convert back.
    new_phi = 1 / math.sqrt(1 / (phi**2 + volatility**2) + information)
    return Rating(1500 + _SCALE * (mu + new_phi**2 * improvement), _limit_deviation(new_phi), volatility)


def _weigh(phi: float) -> float:
    """Return the weight of a game against an opponent with this deviation, g in the paper."""
    return 1 / math.sqrt(1 + 3 * phi**2 / math.pi**2)


def _limit_deviation(phi: float) -> float:
    return min(MAX_DEVIATION, _SCALE * phi)


def _update_volatility(phi: float, sigma: float, variance: float, delta: float, tau: float) -> float:
    """Step 5: new volatility, with the Illinois algorithm."""
    start = math.log(sigma**2)

    def f(x: float) -> float:
        total = phi**2 + variance + math.exp(x)
        return math.exp(x) * (delta**2 - total) / (2 * total**2) - (x - start) / tau**2

    left = start
    if delta**2 > phi**2 + variance:
        right = math.log(delta**2 - phi**2 - variance)
    else:
        right = start - tau
        while f(right) < 0:
            right -= tau
    f_left, f_right = f(left), f(right)
    while abs(right - left) > _TOLERANCE:
        middle = left + (left - right) * f_left / (f_right - f_left)
        f_middle = f(middle)
        if f_middle * f_right <= 0:
            left, f_left = right, f_right
        else:
            f_left /= 2
        right, f_right = middle, f_middle
    return math.exp(left / 2)
