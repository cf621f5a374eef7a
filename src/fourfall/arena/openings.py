"""Plays random opening moves that leave neither player an immediate win."""

import random

from fourfall._core import Board

_ATTEMPTS = 1000


class OpeningError(ValueError):
    """A board on which no opening of the requested length was found."""


def play_random_opening(board: Board, moves: int, seed: int) -> Board:
    """Return the board after random moves; the game is not over and the player to move has no immediate win.

    The same seed gives the same moves.

    >>> first, second = (play_random_opening(Board.parse("6x7"), 4, seed=1) for _ in range(2))
    >>> first.notation == second.notation
    True
    >>> play_random_opening(Board.parse("4x4"), 16, seed=1)
    Traceback (most recent call last):
    fourfall.arena.openings.OpeningError: opening = 16: no opening of that length without an immediate win on 4x4
    """
    source = random.Random(seed)  # noqa: S311 (a schedule must be repeatable, not secret)
    for _ in range(_ATTEMPTS if moves else 1):
        trial = board.copy()
        for _ in range(moves):
            quiet = [column for column in range(board.cols) if _is_quiet(trial, column)]
            if not quiet:
                break
            trial.push(source.choice(quiet))
        else:
            return trial
    raise OpeningError(f"opening = {moves}: no opening of that length without an immediate win on {board.notation}")


def _is_quiet(board: Board, column: int) -> bool:
    """Whether a move is legal, does not end the game and gives the opponent no immediate win."""
    if not board.is_legal(column):
        return False
    board.push(column)
    try:
        threats = board.threats(board.turn)
        return not board.is_over and not any(board.landing_row(col) == row for row, col in threats)
    finally:
        board.pop()
