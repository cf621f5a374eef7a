"""Opponents with fixed moves, and episodes with given columns, for the tests of the environments."""

from typing import Any

from fourfall import Board
from fourfall.environments.gymnasium import GravityFourEnv


def play_first_legal(board: Board) -> int:
    """Play the first column that is not full."""
    return board.legal_moves[0]


def play_last_legal(board: Board) -> int:
    """Play the last column that is not full."""
    return board.legal_moves[-1]


def play_columns(environment: GravityFourEnv, columns: list[int]) -> list[tuple[Any, ...]]:
    """Begin an episode and play columns; return what step returns."""
    environment.reset(seed=1)
    return [environment.step(column) for column in columns]
