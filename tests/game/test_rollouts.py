"""Owns the random games: their bookkeeping, their reproducibility and their distribution."""

from math import sqrt
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourfall import Board, RolloutCounts, rollouts
from tests.reference import ReferenceGame
from tests.strategies import Game, games


class Tally(NamedTuple):
    """Shares of the three results and the mean number of moves played."""

    first: float
    draws: float
    second: float
    plies: float


def tallied(counts: RolloutCounts) -> tuple[int, int, int, int]:
    """Return the counts as values that compare."""
    return counts.first, counts.draws, counts.second, counts.plies


def shares(counts: RolloutCounts) -> Tally:
    """Divide the counts by the number of games."""
    total = counts.first + counts.draws + counts.second
    return Tally(*(count / total for count in tallied(counts)))


class SplitMix:
    """The random numbers that cpp/game/random.hpp promises to be the same on every machine."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def next(self) -> int:
        """Return 64 random bits."""
        self.state = (self.state + 0x9E3779B97F4A7C15) % 2**64
        mixed = (self.state ^ (self.state >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB % 2**64
        return mixed ^ (mixed >> 31)

    def below(self, bound: int) -> int:
        """Return a number in 0..bound-1, drawing again in the sliver that would make some likelier."""
        while (product := (self.next() >> 32) * bound) % 2**32 < 2**32 % bound:
            pass
        return product // 2**32


def replayed(game: ReferenceGame, n: int, seed: int) -> tuple[int, int, int, int]:
    """Count the same random games played by the reference: columns are drawn until one is open."""
    chance = SplitMix(seed)
    first = draws = second = plies = 0
    for _ in range(n):
        start = len(game.history)
        while columns := game.legal_moves():
            while (col := chance.below(game.cols)) not in columns:
                pass
            game.push(col)
        winner = game.winner()
        first, draws, second = first + (winner == 0), draws + (winner is None), second + (winner == 1)
        plies += len(game.history) - start
        while len(game.history) > start:
            game.pop()
    return first, draws, second, plies


def exact_tally(game: ReferenceGame) -> Tally:
    """Work out the shares of all games from here by going through every one of them."""
    columns = game.legal_moves()
    if not columns:
        winner = game.winner()
        return Tally(first=winner == 0, draws=winner is None, second=winner == 1, plies=0)
    sums = np.zeros(4)
    for col in columns:
        game.push(col)
        sums += exact_tally(game)
        game.pop()
    first, draws, second, plies = (sums / len(columns)).tolist()
    return Tally(first, draws, second, plies + 1)


def sampled_tally(rows: int, cols: int, n: int) -> Tally:
    """Play random games with the reference and take the shares."""
    chance = np.random.default_rng(1)
    sums = np.zeros(4)
    for _ in range(n):
        game = ReferenceGame(rows, cols)
        while columns := game.legal_moves():
            game.push(int(chance.choice(columns)))
        winner = game.winner()
        sums += (winner == 0, winner is None, winner == 1, len(game.history))
    return Tally(*(sums / n).tolist())


def assert_close(counts: RolloutCounts, wanted: Tally, n: int, ply_spread: float) -> None:
    """Allow five standard errors of n games in each share and in the mean length."""
    for got, share in zip(shares(counts)[:3], wanted[:3], strict=True):
        assert abs(got - share) <= 5 * sqrt(share * (1 - share) / n)
    assert abs(shares(counts).plies - wanted.plies) <= 5 * ply_spread / sqrt(n)


@settings(max_examples=50)
@given(games(), st.integers(0, 200), st.integers(0, 2**64 - 1))
def test_the_results_add_up(game: Game, n: int, seed: int) -> None:
    """Every game is won, lost or drawn, takes no more moves than there are cells left, and the board stays put."""
    board = game.board()
    counts = rollouts(board, n, seed)
    assert counts.first + counts.draws + counts.second == n
    assert n * (not board.is_over) <= counts.plies <= n * (game.shape.cells - board.ply)
    assert board.moves == game.moves


def test_more_games_than_fit_between_two_polls_are_all_played() -> None:
    """The count is right on either side of the point where the loop asks whether to go on."""
    for n in (4095, 4096, 4097, 3 * 4096 + 1):
        counts = rollouts(Board(4, 4), n)
        assert counts.first + counts.draws + counts.second == n


@pytest.mark.parametrize("position", ["4x4", "6x7:4", "9x12@8,3", "10x11@4,7:66", "12x12@0,0"])
def test_the_same_seed_gives_the_same_games(position: str) -> None:
    """Counts repeat with the seed and change with it."""
    board = Board.parse(position)
    assert tallied(rollouts(board, 2000, seed=5)) == tallied(rollouts(board, 2000, seed=5))
    assert len({tallied(rollouts(board, 2000, seed=seed)) for seed in range(10)}) == 10


@given(games(), st.integers(0, 2**64 - 1))
def test_every_layout_plays_the_games_of_the_reference(game: Game, seed: int) -> None:
    """On every size and hole, drawing the same random numbers, the reference plays games with the same results."""
    assert tallied(rollouts(game.board(), 3, seed)) == replayed(game.reference(), 3, seed)


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        ("6x7:1212121", (30, 0, 0, 0)),
        ("6x7:31212121", (0, 0, 30, 0)),
        ("4x4:4433334222211114", (0, 30, 0, 0)),
        ("4x4:443333422221111", (0, 30, 0, 30)),
    ],
)
def test_a_decided_game_always_ends_the_same_way(position: str, expected: tuple[int, int, int, int]) -> None:
    """From a finished board no stone is dropped, and a single last cell leaves nothing to chance."""
    assert tallied(rollouts(Board.parse(position), 30)) == expected


@pytest.mark.parametrize("position", ["4x4:112243344", "4x4:11114224", "4x4@3,1:3414123", "4x5@1,2:11224355413"])
def test_the_shares_are_those_of_all_games(position: str) -> None:
    """From a late position the shares come within five standard errors of the exact ones."""
    board = Board.parse(position)
    assert not board.is_over
    game = ReferenceGame(board.rows, board.cols, board.hole)
    for col in board.moves:
        game.push(col)
    n = 100_000
    assert_close(rollouts(board, n, seed=3), exact_tally(game), n, ply_spread=3)


def test_the_shares_are_those_of_the_reference() -> None:
    """From the empty 4x4 board the shares come within five standard errors of the reference's own random games."""
    n = 4000
    assert_close(rollouts(Board(4, 4), 400_000, seed=4), sampled_tally(4, 4, n), n, ply_spread=3)


@pytest.mark.parametrize("n", [-1, -(2**63)])
def test_a_negative_number_of_games_is_refused(n: int) -> None:
    """Fewer than no games is a ValueError."""
    with pytest.raises(ValueError, match="negative"):
        rollouts(Board(6, 7), n)
