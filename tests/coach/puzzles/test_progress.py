"""Tests of Glicko-2 and of a person's progress."""

from pathlib import Path

import pytest

from fourfall.coach.puzzles import Game, Progress, ProgressError, Puzzle, Rating, load_puzzles, update_rating

PUZZLE = Puzzle.parse("6x7:4455 326 win 3 level-20 1500 double_threat")


def test_example_of_the_paper() -> None:
    """The worked example of Glickman's paper gives the published figures."""
    games = [Game(1400, 30, 1), Game(1550, 100, 0), Game(1700, 300, 0)]
    new = update_rating(Rating(1500, 200, 0.06), games, system_constant=0.5)
    assert new.rating == pytest.approx(1464.06, abs=0.02)
    assert new.deviation == pytest.approx(151.52, abs=0.01)
    assert new.volatility == pytest.approx(0.05999, abs=0.00001)


def test_period_without_games_only_raises_the_deviation() -> None:
    """Without games rating and volatility stay; the deviation grows up to that of a new player."""
    new = update_rating(Rating(1500, 200, 0.06), [])
    assert (new.rating, new.volatility) == (1500, 0.06)
    assert new.deviation == pytest.approx(200.2714, abs=0.0001)
    assert update_rating(Rating(1500, 350, 0.06), []).deviation == 350


def test_surprising_results_raise_the_volatility() -> None:
    """An unexpected series raises the volatility; expected results lower it."""
    steady = Rating(1500, 50, 0.06)
    assert update_rating(steady, [Game(2400, 30, 1)] * 5).volatility > 0.06
    assert update_rating(steady, [Game(1500, 30, 1), Game(1500, 30, 0)]).volatility < 0.06


def test_rating_and_streak_follow_the_results() -> None:
    """Solving raises rating and streak; a hint or a mistake ends the streak; the best one is kept."""
    once = Progress().add(PUZZLE, 1)
    twice = once.add(PUZZLE, 1)
    assert 1500 < once.rating < twice.rating
    assert (twice.streak, twice.best_streak) == (2, 2)
    wrong = twice.add(PUZZLE, 0)
    assert wrong.rating < twice.rating
    assert (wrong.streak, wrong.best_streak, wrong.scores) == (0, 2, {PUZZLE.id: 0})
    assert twice.add(PUZZLE, 0.5).streak == 0
    settled = Progress()
    for number in range(100):
        settled = settled.add(PUZZLE, number % 2)
    assert settled.deviation < 70
    assert abs(settled.rating - 1500) < 100


def test_next_puzzle_is_new_and_near_the_rating() -> None:
    """Puzzles near the rating come first, tried ones only when all were tried, and then those that were not solved."""
    puzzles = load_puzzles()[::10]
    progress = Progress(rating=1400.0)
    distances = sorted(abs(puzzle.rating - 1400) for puzzle in puzzles)
    assert abs(progress.choose_puzzle(puzzles, seed=1).rating - 1400) <= distances[11]
    assert abs(progress.choose_puzzle(puzzles, 2000, seed=1).rating - 2000) < 500
    tried = progress
    seen = set()
    for number in range(len(puzzles)):
        puzzle = tried.choose_puzzle(puzzles, seed=number)
        seen.add(puzzle.id)
        tried = tried.add(puzzle, 0 if number == 5 else 1)
    assert len(seen) == len(puzzles)
    failed = tried.choose_puzzle(puzzles, seed=1)
    assert tried.scores[failed.id] == 0
    oldest = tried.add(failed, 1).choose_puzzle(puzzles, seed=1)
    assert list(tried.scores).index(oldest.id) < 13


def test_progress_is_saved_and_loaded(tmp_path: Path) -> None:
    """The file holds everything; its folder is created; a missing file is a new person."""
    path = tmp_path / "new" / "puzzles.json"
    assert Progress.load(path) == Progress()
    progress = Progress().add(PUZZLE, 0.5)
    progress.save(path)
    assert Progress.load(path) == progress
    assert [file.name for file in path.parent.iterdir()] == ["puzzles.json"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ('{"rating": "high"}', "rating must be"),
        ('{"ratings": 1}', "ratings"),
        ('{"streak": -1}', "streak must be"),
    ],
)
def test_damaged_progress_is_an_error_with_a_way_out(tmp_path: Path, text: str, message: str) -> None:
    """The error names the file and what is wrong, and says what to do."""
    path = tmp_path / "puzzles.json"
    path.write_text(text)
    with pytest.raises(ProgressError) as error:
        Progress.load(path)
    assert str(error.value).startswith(f"{path}: ")
    assert message in str(error.value)
    assert str(error.value).endswith("correct the file, or delete it to begin anew")
