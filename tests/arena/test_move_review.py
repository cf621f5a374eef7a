"""Tests the comparison of moves and the definition of the turning point."""

import pytest

from fourfall import Board, Score
from fourfall.arena.move_review import MoveLoss, SearchResult, compare_move, find_turning_ply, score_for_mover


def test_score_for_mover() -> None:
    """A loss in 4 of the next player is a win in 5 of the mover."""
    assert score_for_mover(Score.loss(4)) == Score.win(5)
    assert score_for_mover(Score.win(4)) == Score.loss(5)
    assert score_for_mover(Score.draw(4)) == Score.draw(5)
    assert score_for_mover(Score.estimate(0.25)) == Score.estimate(-0.25)


def test_winning_move_is_better_than_any_other() -> None:
    """A move that does not win at once is compared with the one that does, whatever the search preferred."""
    board = Board.parse("6x7:112233")
    best, played = compare_move(board, SearchResult(Score.estimate(0.1), 6, [6]), 6, Score.estimate(0.1))
    assert (best.score, best.move, best.pv, played) == (Score.win(1), 3, [3], Score.estimate(0.1))


@pytest.mark.parametrize(
    ("moves", "ply"),
    [
        ([], None),
        ([MoveLoss(8, 0.09, 0.09), MoveLoss(6, 0.18, 0.09)], None),  # no single move
        ([MoveLoss(8, 0.1, 0.1), MoveLoss(6, 0.7, 0.6)], 6),
        ([MoveLoss(8, 0.5, 0.5), MoveLoss(6, 1.0, 1.0)], 8),  # the loser had recovered from the worse mistake
        ([MoveLoss(8, 0.4, 0.4), MoveLoss(6, 0.4, 0.4)], 6),  # of equal losses the earliest
        ([MoveLoss(8, 0.2, 0.2), MoveLoss(6, 0.6, 0.05), MoveLoss(4, 0.9, 0.9)], 8),
    ],
)
def test_turning_point_is_the_largest_loss_since_the_position_was_even(moves: list[MoveLoss], ply: int | None) -> None:
    """Mistakes before the loser's win chance was last 50 % do not count."""
    assert find_turning_ply(moves) == ply


def test_turning_point_reads_only_as_many_moves_as_necessary() -> None:
    """The earlier moves need no search once the loser's position was even."""
    moves = iter([MoveLoss(8, 0.2, 0.2), MoveLoss(6, 0.5, 0.3), MoveLoss(4, 0.9, 0.0)])
    assert find_turning_ply(moves) == 6
    assert [move.ply for move in moves] == [4]
