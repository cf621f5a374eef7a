"""Integers out of range raise the library's own errors, which name the value, however large it is."""

import re
from collections.abc import Callable

import numpy as np
import pytest

from fourfall import (
    Board,
    BoardBatch,
    ColumnAnalysis,
    ColumnSolution,
    Engine,
    EngineError,
    Geometry,
    IllegalMove,
    InvalidBoard,
    Limit,
    Score,
    Solver,
    perft,
    rollouts,
    solve,
    solve_many,
)

BOARD = Board(6, 7)
SMALL = Board.parse("4x5:11223")
HUGE = [2**31, 2**40, -(2**40), 2**63, 2**64, 2**70, -(2**70)]
# Every value of HUGE is out of range.
REFUSED: dict[str, tuple[Callable[[int], object], type[Exception]]] = {
    "push": (lambda value: Board(6, 7).push(value), IllegalMove),
    "landing_row": (BOARD.landing_row, IndexError),
    "stone_at row": (lambda value: BOARD.stone_at(value, 0), IndexError),
    "stone_at column": (lambda value: BOARD.stone_at(0, value), IndexError),
    "threats": (BOARD.threats, ValueError),
    "Board rows": (lambda value: Board(value, 7), InvalidBoard),
    "Board columns": (lambda value: Board(6, value), InvalidBoard),
    "Board hole": (lambda value: Board(6, 7, (value, 1)), InvalidBoard),
    "Geometry rows": (lambda value: Geometry(value, 7), InvalidBoard),
    "Geometry hole": (lambda value: Geometry(6, 7, (1, value)), InvalidBoard),
    "from_stones": (lambda value: Board.from_stones(Geometry(6, 7), [(value, 0)], []), InvalidBoard),
    "from_stones last": (lambda value: Board.from_stones(Geometry(6, 7), [(5, 0)], [], (5, value)), InvalidBoard),
    "Score.win": (Score.win, ValueError),
    "Score.draw": (Score.draw, ValueError),
    "Score.loss": (Score.loss, ValueError),
    "ColumnSolution": (lambda value: ColumnSolution(value, Score.win(1)), ValueError),
    "ColumnAnalysis": (lambda value: ColumnAnalysis(value, Score.win(1), []), ValueError),
    "BoardBatch count": (lambda value: BoardBatch(value, 6, 7), ValueError),
    "BoardBatch rows": (lambda value: BoardBatch(1, value, 7), InvalidBoard),
    "BoardBatch hole": (lambda value: BoardBatch(1, 6, 7, (value, 0)), InvalidBoard),
    "BoardBatch threads": (lambda value: BoardBatch(1, 6, 7, threads=value), ValueError),
    "BoardBatch buffers": (lambda value: BoardBatch(1, 6, 7, buffers=value), ValueError),
    "BoardBatch.random": (lambda value: BoardBatch.random(value), ValueError),
    "BoardBatch index": (lambda value: BoardBatch(1, 6, 7)[value], IndexError),
    "step": (lambda value: BoardBatch(3, 6, 7).step([0, value, 1]), IllegalMove),
    "Solver threads": (lambda value: Solver(threads=value), ValueError),
    "solve threads": (lambda value: solve(SMALL, threads=value), ValueError),
    "solve_many threads": (lambda value: solve_many([SMALL], threads=value), ValueError),
    "Engine threads": (lambda value: Engine("fourfall-classic", threads=value), EngineError),
}
# Only integers that do not fit 64 bits are out of range.
COUNTS: dict[str, Callable[[int], object]] = {
    "Limit": lambda value: Limit(simulations=value),
    "solve positions": lambda value: solve(SMALL, positions=value),
    "solve_many positions": lambda value: solve_many([SMALL], positions=value),
    "rollouts": lambda value: rollouts(BOARD, value),
    "solve memory": lambda value: solve(SMALL, memory_mb=value),
}
SEEDS: dict[str, Callable[[int], object]] = {
    "Board.random": Board.random,
    "rollouts": lambda value: rollouts(SMALL, 1, value),
    "BoardBatch": lambda value: BoardBatch(1, 6, 7, seed=value),
    "BoardBatch.random": lambda value: BoardBatch.random(1, seed=value),
}


@pytest.mark.parametrize("value", HUGE)
@pytest.mark.parametrize("name", REFUSED)
def test_error_names_the_value(name: str, value: int) -> None:
    """The error is that of a small value out of range, and its message contains the number."""
    call, error = REFUSED[name]
    with pytest.raises(error, match=rf"(?<!\d){re.escape(str(value))}(?!\d)"):
        call(value)


@pytest.mark.parametrize("name", COUNTS)
def test_count_beyond_64_bits_is_refused(name: str) -> None:
    """The largest signed number of 64 bits is the limit, or less."""
    for value in (2**63, 2**70):
        with pytest.raises(ValueError, match=f"must be .* to .*, not {value}$"):
            COUNTS[name](value)


@pytest.mark.parametrize("name", ["Limit", "solve positions", "solve_many positions", "rollouts"])
def test_negative_count_is_refused(name: str) -> None:
    """A negative count is refused with its value."""
    for value in (-1, -(2**40), -(2**70)):
        with pytest.raises(ValueError, match=f", not {value}$"):
            COUNTS[name](value)


@pytest.mark.parametrize("name", SEEDS)
def test_seed_has_64_bits(name: str) -> None:
    """Seeds are 0 to 2**64 - 1."""
    SEEDS[name](2**64 - 1)
    for value in (-1, -(2**70), 2**64):
        with pytest.raises(ValueError, match=f"seed must be 0 to 18446744073709551615, not {value}$"):
            SEEDS[name](value)


def test_depth_of_perft() -> None:
    """A depth that does not fit an int is refused."""
    for value in (2**31, 2**70):
        with pytest.raises(ValueError, match=f"the depth must be 0 to 2147483647, not {value}$"):
            perft(BOARD, value)


@pytest.mark.parametrize("value", HUGE)
def test_no_huge_column_is_legal(value: int) -> None:
    """is_legal() answers False as for any other column off the board."""
    assert BOARD.is_legal(value) is False


def test_unsigned_actions_beyond_63_bits_are_named() -> None:
    """An array of unsigned integers is not read as negative numbers."""
    with pytest.raises(IllegalMove, match="board 1: column 18446744073709551615 is off the board"):
        BoardBatch(2, 6, 7).step(np.array([0, 2**64 - 1], np.uint64))


def test_integer_with_thousands_of_digits() -> None:
    """Python does not write such a number; the error says that it is one."""
    with pytest.raises(IllegalMove, match="column an integer with thousands of digits is off the board"):
        Board(6, 7).push(10**5000)
