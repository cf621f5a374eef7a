"""Chooses the board of an episode: a fixed position, or a random official board."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from fourfall._core import Board, Geometry

BoardSource = str | Board | Geometry | None
"""A position in text such as "6x7" or "9x10@4,7:55", a board, a geometry, or None for random official boards."""


def parse_board(source: object) -> Board | None:
    """Return a new board for a source; None for random official boards. The game must not be over.

    >>> parse_board("9x10@4,7")
    Board.parse('9x10@4,7')
    >>> parse_board("6x7@9,9")
    Traceback (most recent call last):
    ValueError: board = '6x7@9,9': character 5 '9': the hole's row is 0..5
    """
    match source:
        case None:
            return None
        case str():
            board = _parse_notation(source)
        case Board():
            board = source.copy()
        case Geometry():
            board = Board.from_geometry(source)
        case _:
            kinds = 'a position in text such as "6x7" or "9x10@4,7", a Board, a Geometry, or None for random boards'
            raise TypeError(f"board = {source!r}: expected {kinds}, not {type(source).__name__}")
    if board.is_over:
        raise ValueError(f"board = {board.notation!r}: the game is over in this position")
    return board


def _parse_notation(text: str) -> Board:
    try:
        return Board.parse(text)
    except ValueError as error:
        raise ValueError(f"board = {text!r}: {error}") from None


def choose_start(options: Mapping[str, Any], default: Board | None, *, padded: bool) -> Board | None:
    """Return the start position of an episode: the option "board" of the reset, or the default.

    >>> choose_start({"board": "7x7"}, Board(6, 7), padded=False)
    Traceback (most recent call last):
    ValueError: options: board = '7x7': without padding the size of the board is fixed
    """
    if "board" not in options:
        return default
    start = parse_board(options["board"])
    if not padded and (start is None or default is None or (start.rows, start.cols) != (default.rows, default.cols)):
        raise ValueError(f"options: board = {options['board']!r}: without padding the size of the board is fixed")
    return start


def draw_board(generator: np.random.Generator) -> Board:
    """Return a random official board: 9 to 12 rows and columns and a hole, all uniform.

    >>> draw_board(np.random.default_rng(1)) == draw_board(np.random.default_rng(1))
    True
    """
    return Board.random(seed=draw_seed(generator))


def draw_seed(generator: np.random.Generator) -> int:
    """Return a random seed from 0 to 2**63 - 1."""
    return int(generator.integers(2**63))
