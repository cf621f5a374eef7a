"""Tests that the bitboards of a Kaggle submission follow the same rules as the board of the package."""

import random

import pytest

from fourfall import Board
from fourfall.exports.kaggle.rules import Rules, split_cells
from tests.kaggle import make_rules, read_stones

BOARDS = ("6x7", "4x4@1,1", "9x12@0,4", "12x9@11,8", "5x4@4,0", "10x11@4,7")


@pytest.mark.parametrize("start", BOARDS)
def test_random_games_agree_with_the_board(start: str) -> None:
    """Legal, winning and safe moves, landing cells and the end of the game are those of the board."""
    generator = random.Random(start)  # noqa: S311
    for _ in range(20):
        board = Board.parse(start)
        rules = make_rules(board)
        while not board.is_over:
            own, opponent = read_stones(board)
            landing = rules.landing_cells(own | opponent)
            free = rules.playable & ~(own | opponent)
            safe = rules.safe_moves(landing, rules.completing_cells(opponent) & free)
            assert [rules.column(cell) for cell in split_cells(landing)] == board.legal_moves
            wins = rules.completing_cells(own) & landing
            assert [rules.column(cell) for cell in split_cells(wins)] == board.winning_moves
            assert not rules.has_line(own)
            if not wins:
                assert [rules.column(cell) for cell in split_cells(safe)] == board.safe_moves
            board.push(generator.choice(board.legal_moves))
            stones = read_stones(board)[1]
            outcome = board.outcome()
            assert rules.has_line(stones) == (outcome is not None and not outcome.is_draw)
            assert stones & ~own in split_cells(landing)


@pytest.mark.parametrize("inarow", [1, 2, 3, 4, 5, 7])
def test_lines_of_any_length(inarow: int) -> None:
    """A free cell completes a line if and only if a stone there makes one."""
    generator = random.Random(inarow)  # noqa: S311
    rules = Rules(5, 8, inarow)
    for _ in range(300):
        stones = occupied = 0
        for cell in split_cells(rules.playable):
            if cell & rules.bottom or (occupied & cell >> 1 and generator.random() < 0.8):
                occupied |= cell
                stones |= cell * generator.randrange(2)
        if rules.has_line(stones):
            continue
        free = rules.playable & ~occupied
        expected = [cell for cell in split_cells(free) if rules.has_line(stones | cell)]
        assert split_cells(rules.completing_cells(stones) & free) == expected
    assert (rules.completing_cells(0) & rules.playable == rules.playable) == (inarow == 1)
