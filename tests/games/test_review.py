"""Tests reviews of games: marks, turning points, progress, and the drawing."""

import xml.etree.ElementTree as ElementTree

import pytest

from fourfall import Board, Engine, Game, Limit, Review, Score, review_game
from fourfall.arena.game_review import GameReviewer
from fourfall.arena.mistakes import MistakeThresholds
from fourfall.arena.move_review import SearchResult

LIMIT = Limit(simulations=300)
BLUNDER = Game("6x7:1122374", ("ann", "bob"))
"""The second player does not stop three in a row with stone 6; the first player wins with stone 7."""


@pytest.fixture(scope="module")
def review() -> Review:
    """Review a short game with a blunder."""
    return review_game(BLUNDER, "fourfall-classic", LIMIT)


def test_blunder_and_turning_point(review: Review) -> None:
    """The move that allows the win is a blunder and the turning point, with the move that stops the win as the best."""
    turning = review.turning_point
    assert turning is not None
    assert (turning.ply, turning.player, turning.column, turning.best, turning.mark) == (5, 1, 6, 3, "blunder")
    assert turning.score_after == Score.loss(2)
    assert turning in review.mistakes
    assert review.is_complete
    first, second = review.accuracy
    assert first is not None
    assert second is not None
    assert second < first


def test_win_chances_are_those_of_the_first_player(review: Review) -> None:
    """There is one chance for each position, and the winner has all of it at the end."""
    assert len(review.win_chances) == 8
    assert review.win_chances[6:] == [1.0, 1.0]
    assert review.final == Score.loss(0)


def test_game_without_a_loser_has_no_turning_point() -> None:
    """Only the loser of a finished game has a turning point; a resignation counts as a loss."""
    assert review_game("6x7:112237", "fourfall-classic", LIMIT).turning_point is None
    resigned = Game("6x7:112237", ending="resignation", winner=0)
    turning = review_game(resigned, "fourfall-classic", LIMIT).turning_point
    assert turning is not None
    assert turning.ply == 5


def test_opening_is_not_reviewed_and_thresholds_count() -> None:
    """Moves of the opening are left out; with thresholds above 1 only missed wins are marked."""
    game = Game("6x7:112237", opening=4)
    strict = review_game(game, "fourfall-classic", LIMIT)
    lenient = review_game(game, "fourfall-classic", LIMIT, thresholds=MistakeThresholds(2, 2, 2))
    assert [move.ply for move in strict.moves] == [4, 5]
    assert (strict.start, len(strict.win_chances)) == (4, 3)
    assert strict.mistakes
    assert not [move for move in lenient.mistakes if not move.missed_win]


def test_progress_can_stop_the_review() -> None:
    """The review so far is reported from the last move to the first, and ends when the callback returns False."""
    seen: list[list[int]] = []

    def stop_at_two(partial: Review) -> bool:
        seen.append([move.ply for move in partial.moves])
        return len(partial.moves) < 2

    partial = review_game(BLUNDER, "fourfall-classic", LIMIT, on_progress=stop_at_two)
    assert seen == [[], [6], [5, 6]]
    assert not partial.is_complete
    assert "the last 2 of 7 moves" in str(partial)


def test_same_engine_gives_the_same_review() -> None:
    """An engine is cleared before the review, so that its earlier searches make no difference."""
    engine = Engine("fourfall-classic", seed=3)
    engine.search(Board(6, 7), LIMIT)
    again = review_game(Board.parse("6x7:112237"), engine, LIMIT)
    assert again == review_game("6x7:112237", Engine("fourfall-classic", seed=3), LIMIT)


def test_text_names_moves_and_marks(review: Review) -> None:
    """The text has players, accuracy, turning point and marked moves, with columns counted from 1."""
    text = str(review)
    assert text.startswith("ann (blue) against bob (orange): ann won\n7 moves reviewed by fourfall-classic\naccuracy: ")
    assert "turning point: stone 6, orange plays 7??, loses in 1; 4 is better, " in text


def test_html_is_well_formed(review: Review) -> None:
    """The images in the HTML are well-formed; the turning point is shown first, with the better move outlined."""
    html = review._repr_html_()
    for part in html.split("<svg")[1:]:
        ElementTree.fromstring("<svg" + part.partition("</svg>")[0] + "</svg>")  # noqa: S314 (our own output)
    assert html.count("<svg") == 2
    checked = [line for line in html.splitlines() if "checked" in line and "radio" in line]
    assert ['-6"' in line for line in checked] == [True]
    assert "stroke-dasharray" in html


def test_reviewer_refuses_more_results_than_positions() -> None:
    """After the first position there is nothing to add; a start behind the last stone is refused."""
    reviewer = GameReviewer(Board.parse("6x7:4"), 1)
    reviewer.add(SearchResult(Score.estimate(0), 3, [3]))
    assert reviewer.is_complete
    with pytest.raises(ValueError, match="all moves are reviewed"):
        reviewer.add(SearchResult(Score.estimate(0), 3, [3]))
    with pytest.raises(ValueError, match="start must be from 0 to 1"):
        GameReviewer(Board.parse("6x7:4"), 2)
