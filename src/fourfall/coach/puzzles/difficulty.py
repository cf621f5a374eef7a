"""Measures how difficult a puzzle is: the first level that solves it reliably, and the wrong moves of weaker levels."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from fourfall._core import Board, Limit
from fourfall.agents.levels import LEVELS, Level
from fourfall.engine import Engine

TESTED_LEVELS = (
    *("level-2", "level-10", "level-16", "level-22", "level-28", "level-34", "level-40", "level-46", "level-52"),
    *("level-58", "level-64", "level-70", "level-76", "level-80", "level-86", "level-92", "level-96", "level-100"),
)
TRIES = 6
"""Tries of each level: half of them on the mirror image, each with its own seed."""
RELIABLE = 5
"""Number of tries that a level must solve."""

_ELO_IF_UNSOLVED = 2600
_BASE_RATING = 800
_RATING_PER_ELO = 0.6
_RATING_PER_MOVE = 20
_MAX_MOVES = 10
_RATING_PER_WRONG_MOVE = 30
_MAX_WRONG_MOVES = 5


@dataclass(frozen=True)
class Difficulty:
    """How well the levels solve a position.

    Attributes:
        level: the weakest level that solves it reliably; None if none does.
        wrong_moves: columns that weaker levels chose at least twice, the most frequent first.
    """

    level: str | None
    wrong_moves: tuple[int, ...]


def measure_difficulty(board: Board, move: int) -> Difficulty:
    """Let the levels, from the weakest on, choose a move until one of them solves the position reliably.

    >>> measure_difficulty(Board.parse("6x7:11223"), 3).level
    'level-34'
    """
    wrong: Counter[int] = Counter()
    for name in TESTED_LEVELS:
        chosen = Counter(_choose_moves(board, LEVELS[name]))
        if chosen[move] >= RELIABLE:
            break
        wrong.update(column for column in chosen.elements() if column != move)
    else:
        name = ""
    return Difficulty(name or None, tuple(column for column, count in wrong.most_common() if count > 1))


def rate_difficulty(difficulty: Difficulty, winner_moves: int) -> int:
    """Return the difficulty as a rating on the scale of Glicko, a multiple of 10.

    Args:
        difficulty: how well the levels solve the position.
        winner_moves: number of stones that the winner needs; for a draw, that the longest refutation needs.

    >>> rate_difficulty(Difficulty("level-2", ()), 1), rate_difficulty(Difficulty("level-46", (2, 3)), 4)
    (800, 1570)
    """
    elo = _ELO_IF_UNSOLVED if difficulty.level is None else LEVELS[difficulty.level].elo
    rating = (
        _BASE_RATING
        + _RATING_PER_ELO * elo
        + _RATING_PER_MOVE * (min(winner_moves, _MAX_MOVES) - 1)
        + _RATING_PER_WRONG_MOVE * min(len(difficulty.wrong_moves), _MAX_WRONG_MOVES)
    )
    return 10 * round(rating / 10)


def _choose_moves(board: Board, level: Level) -> Iterator[int]:
    """Yield the move of each try; moves on the mirror image are reflected back."""
    limit = Limit(simulations=level.simulations)
    mirror = board.mirror()
    for seed in range(TRIES // 2):
        engine = _get_engine(level.preset, seed)
        engine.clear()
        yield engine.play(board, limit)
        engine.clear()
        yield board.cols - 1 - engine.play(mirror, limit)


@lru_cache(maxsize=64)
def _get_engine(preset: str, seed: int) -> Engine:
    return Engine(preset, seed=seed)
