"""Names the mistakes of a game by the win chance that a move loses, and computes the accuracy of a player.

The page and the library use these definitions.
"""

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

from fourfall._core import Score

MistakeKind = Literal["", "inaccuracy", "mistake", "blunder"]

_ACCURACY_DECAY = 4.5
_NEAR_WIN = 0.95  # from this win chance on a win is nearly certain
_NEAR_WIN_KEPT = 0.9  # a nearly certain win is given away below this win chance
_PROVEN_WIN_KEPT = 0.98  # a proven win is given away below this win chance, if it is no longer proven


class MistakeThresholds(NamedTuple):
    """Smallest loss of win chance of a move that is called an inaccuracy, a mistake or a blunder."""

    inaccuracy: float = 0.08
    mistake: float = 0.16
    blunder: float = 0.3


DEFAULT_THRESHOLDS = MistakeThresholds()


def classify_loss(
    loss: float, thresholds: MistakeThresholds = DEFAULT_THRESHOLDS, *, missed_win: bool = False
) -> MistakeKind:
    """Name the loss of win chance of a move; a missed win is at least an inaccuracy.

    >>> classify_loss(0.2), classify_loss(0.05)
    ('mistake', '')
    >>> classify_loss(0.0, missed_win=True)
    'inaccuracy'
    """
    if loss >= thresholds.blunder:
        return "blunder"
    if loss >= thresholds.mistake:
        return "mistake"
    return "inaccuracy" if missed_win or loss >= thresholds.inaccuracy else ""


def misses_win(best: Score, played: Score) -> bool:
    """Decide whether a move misses a win that another move keeps.

    A move misses an immediate win if it does not win at once, even if it still wins later. It misses a proven win if
    the win is no longer proven and its chance is below 98 %. It misses a nearly certain win (at least 95 %) if the
    chance falls below 90 %.

    >>> misses_win(Score.win(1), Score.win(3)), misses_win(Score.win(3), Score.win(5))
    (True, False)
    >>> misses_win(Score.win(7), Score.estimate(0.9)), misses_win(Score.win(7), Score.estimate(0.98))
    (True, False)
    >>> misses_win(Score.estimate(0.92), Score.estimate(0.78))
    True
    """
    if best.is_win and played.is_win:
        return best.distance == 1 and played.distance != 1
    if best.is_win:
        return played.win_chance < _PROVEN_WIN_KEPT
    return best.win_chance >= _NEAR_WIN and played.win_chance < _NEAR_WIN_KEPT


def compute_accuracy(losses: Sequence[float]) -> float | None:
    """Return the mean of 100 exp(-4.5 loss) over a player's moves: 100 if no move lost win chance.

    >>> compute_accuracy([0.0, 0.2])
    70.3
    """
    if not losses:
        return None
    return round(sum(100 * math.exp(-_ACCURACY_DECAY * loss) for loss in losses) / len(losses), 1)
