"""Tests the counts, the reproducibility and the distribution of random games."""

from math import sqrt
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourfall import Board, RolloutCounts, rollouts
from tests.random_reference import Random
from tests.reference import ReferenceGame
from tests.strategies import Game, games


class Tally(NamedTuple):
    """Shares of the three results and the mean number of moves."""

    first: float
    draws: float
    second: float
    plies: float


def get_counts(counts: RolloutCounts) -> tuple[int, int, int, int]:
    """Return the counts as a tuple, which can be compared."""
    return counts.first, counts.draws, counts.second, counts.plies


def compute_shares(counts: RolloutCounts) -> Tally:
    """Divide the counts by the number of games."""
    total = counts.first + counts.draws + counts.second
    return Tally(*(count / total for count in get_counts(counts)))


def count_reference_games(game: ReferenceGame, n: int, seed: int) -> tuple[int, int, int, int]:
    """Play the same random games with the reference: draw columns until one is legal."""
    generator = Random(seed)
    first = draws = second = plies = 0
    for _ in range(n):
        start = len(game.history)
        while columns := game.legal_moves():
            while (col := generator.below(game.cols)) not in columns:
                pass
            game.push(col)
        winner = game.winner()
        first, draws, second = first + (winner == 0), draws + (winner is None), second + (winner == 1)
        plies += len(game.history) - start
        while len(game.history) > start:
            game.pop()
    return first, draws, second, plies


def compute_exact_tally(game: ReferenceGame) -> Tally:
    """Compute the exact shares by enumerating all games from the position."""
    columns = game.legal_moves()
    if not columns:
        winner = game.winner()
        return Tally(first=winner == 0, draws=winner is None, second=winner == 1, plies=0)
    sums = np.zeros(4)
    for col in columns:
        game.push(col)
        sums += compute_exact_tally(game)
        game.pop()
    first, draws, second, plies = (sums / len(columns)).tolist()
    return Tally(first, draws, second, plies + 1)


def sample_tally(rows: int, cols: int, n: int) -> Tally:
    """Estimate the shares by random games of the reference."""
    generator = np.random.default_rng(1)
    sums = np.zeros(4)
    for _ in range(n):
        game = ReferenceGame(rows, cols)
        while columns := game.legal_moves():
            game.push(int(generator.choice(columns)))
        winner = game.winner()
        sums += (winner == 0, winner is None, winner == 1, len(game.history))
    return Tally(*(sums / n).tolist())


def assert_close(counts: RolloutCounts, expected: Tally, n: int, ply_spread: float) -> None:
    """Check each share and the mean length within five standard errors of n games."""
    for got, share in zip(compute_shares(counts)[:3], expected[:3], strict=True):
        assert abs(got - share) <= 5 * sqrt(share * (1 - share) / n)
    assert abs(compute_shares(counts).plies - expected.plies) <= 5 * ply_spread / sqrt(n)


@settings(max_examples=50)
@given(games(), st.integers(0, 200), st.integers(0, 2**64 - 1))
def test_results_add_up(game: Game, n: int, seed: int) -> None:
    """Each game has one result and at most as many moves as free cells; the board is unchanged."""
    board = game.board()
    counts = rollouts(board, n, seed)
    assert counts.first + counts.draws + counts.second == n
    assert n * (not board.is_over) <= counts.plies <= n * (game.shape.cells - board.ply)
    assert board.moves == game.moves


def test_number_of_games_around_the_poll_interval() -> None:
    """The number of games is right just below and above multiples of the poll interval."""
    for n in (4095, 4096, 4097, 3 * 4096 + 1):
        counts = rollouts(Board(4, 4), n)
        assert counts.first + counts.draws + counts.second == n


@pytest.mark.parametrize("position", ["4x4", "6x7:4", "9x12@8,3", "10x11@4,7:66", "12x12@0,0"])
def test_same_seed_gives_the_same_games(position: str) -> None:
    """Equal seeds give equal counts, different seeds different counts."""
    board = Board.parse(position)
    assert get_counts(rollouts(board, 2000, seed=5)) == get_counts(rollouts(board, 2000, seed=5))
    assert len({get_counts(rollouts(board, 2000, seed=seed)) for seed in range(10)}) == 10


@given(games(), st.integers(0, 2**64 - 1))
def test_games_agree_with_the_reference(game: Game, seed: int) -> None:
    """For every size and hole the reference with the same random numbers gets the same results."""
    assert get_counts(rollouts(game.board(), 3, seed)) == count_reference_games(game.reference(), 3, seed)


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        ("6x7:1212121", (30, 0, 0, 0)),
        ("6x7:31212121", (0, 0, 30, 0)),
        ("4x4:4433334222211114", (0, 30, 0, 0)),
        ("4x4:443333422221111", (0, 30, 0, 30)),
    ],
)
def test_forced_results(position: str, expected: tuple[int, int, int, int]) -> None:
    """A finished game and a game with one free cell always have the same result."""
    assert get_counts(rollouts(Board.parse(position), 30)) == expected


@pytest.mark.parametrize("position", ["4x4:112243344", "4x4:11114224", "4x4@3,1:3414123", "4x5@1,2:11224355413"])
def test_shares_agree_with_the_exact_shares(position: str) -> None:
    """For late positions the shares are within five standard errors of the exact shares."""
    board = Board.parse(position)
    assert not board.is_over
    game = ReferenceGame(board.rows, board.cols, board.hole)
    for col in board.moves:
        game.push(col)
    n = 100_000
    assert_close(rollouts(board, n, seed=3), compute_exact_tally(game), n, ply_spread=3)


def test_shares_agree_with_the_reference() -> None:
    """For the empty 4x4 board the shares are within five standard errors of those of the reference."""
    n = 4000
    assert_close(rollouts(Board(4, 4), 400_000, seed=4), sample_tally(4, 4, n), n, ply_spread=3)


@pytest.mark.parametrize("n", [-1, -(2**63)])
def test_negative_number_of_games_is_refused(n: int) -> None:
    """A negative number raises ValueError."""
    with pytest.raises(ValueError, match="negative"):
        rollouts(Board(6, 7), n)
