"""Tests the names of mistakes and the accuracy."""

from fourfall import Score
from fourfall.arena.mistakes import MistakeThresholds, classify_loss, compute_accuracy, misses_win


def test_misses_win() -> None:
    """Immediate wins must be played; other wins must stay proven or nearly certain."""
    assert misses_win(Score.win(1), Score.win(3))
    assert not misses_win(Score.win(3), Score.win(9))
    assert misses_win(Score.win(3), Score.estimate(0.95))
    assert not misses_win(Score.win(3), Score.estimate(0.97))
    assert misses_win(Score.win(3), Score.draw(8))
    assert misses_win(Score.estimate(0.9), Score.estimate(0.79))
    assert not misses_win(Score.estimate(0.9), Score.estimate(0.81))
    assert not misses_win(Score.estimate(0.8), Score.estimate(0.3))


def test_classify_loss() -> None:
    """A loss gets the name of the highest threshold that it reaches."""
    thresholds = MistakeThresholds(inaccuracy=0.01, mistake=0.02, blunder=0.03)
    names = [classify_loss(loss, thresholds) for loss in (0.0, 0.01, 0.02, 0.5)]
    assert names == ["", "inaccuracy", "mistake", "blunder"]


def test_compute_accuracy() -> None:
    """100 without losses, None without moves, smaller for larger losses."""
    assert compute_accuracy([]) is None
    assert compute_accuracy([0.0, 0.0]) == 100
    assert (compute_accuracy([0.1]) or 0) > (compute_accuracy([0.2]) or 0) > 0
