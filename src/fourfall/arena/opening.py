"""Owns random opening moves: seeded, and quiet, so that the agents and not the dice decide the game."""

import random

from fourfall._core import Board
from fourfall.arena.judge import landing_row
from fourfall.arena.reading import SpecError

_ATTEMPTS = 1000


def opened(board: Board, moves: int, seed: int) -> Board:
    """Return the board after random moves that neither end the game nor leave a win at once to whoever is next.

    >>> opened(Board.parse("6x7"), 4, seed=1).notation == opened(Board.parse("6x7"), 4, seed=1).notation
    True
    >>> opened(Board.parse("4x4"), 16, seed=1)
    Traceback (most recent call last):
    fourfall.arena.reading.SpecError: opening = 16: no quiet opening of that length on 4x4
    """
    source = random.Random(seed)  # noqa: S311 (a schedule must be repeatable, not secret)
    for _ in range(_ATTEMPTS if moves else 1):
        trial = board.copy()
        for _ in range(moves):
            quiet = [column for column in range(board.cols) if _stays_quiet(trial, column)]
            if not quiet:
                break
            trial.push(source.choice(quiet))
        else:
            return trial
    raise SpecError(f"opening = {moves}: no quiet opening of that length on {board.notation}")


def _stays_quiet(board: Board, column: int) -> bool:
    if not board.is_legal(column):
        return False
    board.push(column)
    try:
        threats = board.threats(board.turn)
        return not board.is_over and not any(landing_row(board, col) == row for row, col in threats)
    finally:
        board.pop()
