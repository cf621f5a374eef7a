"""Tests of the puzzles of the package."""

from collections import Counter

from fourfall.coach.puzzles import THEMES, describe_theme, load_puzzles, make_puzzle, prove_only_move
from fourfall.coach.puzzles.mining import is_trivial


def test_set_is_large_and_varied() -> None:
    """The set has 500 puzzles of many themes, sizes and ratings, and few trivial ones; reading checks the format."""
    puzzles = load_puzzles()
    assert len(puzzles) == 500
    assert len({puzzle.id for puzzle in puzzles}) == len(puzzles)
    assert sum(is_trivial(puzzle.board) for puzzle in puzzles) <= 0.05 * len(puzzles)
    assert sum(puzzle.board.hole is not None for puzzle in puzzles) >= 0.75 * len(puzzles)
    assert len({(puzzle.board.rows, puzzle.board.cols) for puzzle in puzzles}) == 17
    assert puzzles[0].rating < 1100
    assert puzzles[-1].rating > 2000
    themes = Counter(theme for puzzle in puzzles for theme in puzzle.themes)
    assert sum(count >= 10 for count in themes.values()) >= 8
    assert set(themes) <= set(THEMES)


def test_all_are_proved_again() -> None:
    """Every puzzle has the stored solution, and no other column is as good."""
    for puzzle in load_puzzles():
        proof = prove_only_move(puzzle.board)
        assert proof is not None, puzzle.to_line()
        assert (proof.columns, proof.result, proof.distance) == (puzzle.solution, puzzle.result, puzzle.distance)


def test_difficulty_is_measured_again() -> None:
    """Level, rating and themes of puzzles are those that the levels and the coach give now."""
    for puzzle in load_puzzles()[:300:60]:
        assert make_puzzle(puzzle.board) == puzzle


def test_themes_have_names_in_both_languages() -> None:
    """Every theme has a name in English and in Chinese."""
    names = {(describe_theme(kind), describe_theme(kind, "zh")) for kind in THEMES}
    assert len(names) == len(THEMES)
    assert all(english.isascii() and not chinese.isascii() for english, chinese in names)
