"""Owns what happens at the root of a search: rules before and after it, what it takes over, and the choice."""

from itertools import product
from pathlib import Path

import pytest

from fourfall import Board, Engine, Limit
from fourfall._core import Choice
from tests.kinds import NAMES, TREES, tree_config
from tests.search.perfect_play import reference_of
from tests.search.test_tactics import winning_cells

MODEST = Limit(simulations=3000)
SHORT = Limit(simulations=300)


def variant(folder: Path, base: str, lines: str) -> Path:
    """Write a preset file that changes some lines of another preset."""
    path = folder / "variant.toml"
    path.write_text(f'base = "{base}"\n{lines}', encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "rules"), [*product(NAMES, ["its own rules"]), *product(TREES, ["no rules"])], ids=str
)
def test_a_win_goes_before_a_block(tmp_path: Path, name: str, rules: str) -> None:
    """With a win at hand nobody blocks instead, with rules before the search or without."""
    board = Board.parse("6x7:121212")
    game = reference_of(board)
    assert len(game.winning_moves()) == 1
    assert winning_cells(game, 1 - game.turn)
    preset = name if rules == "its own rules" else variant(tmp_path, name, "[root]\nbefore = []\n")
    assert Engine(preset, seed=1, memory_mb=16).play(board, MODEST) in game.winning_moves()


@pytest.mark.parametrize("name", [name for name in TREES if tree_config(name).reuse])
def test_a_win_that_was_kept_is_played(tmp_path: Path, name: str) -> None:
    """Where the last search saw a win at hand below the played moves, this one plays a win, without a rule's help."""
    preset = variant(tmp_path, name, "[root]\nbefore = []\n")
    for second in range(7):
        board = Board.parse("6x7:4152")
        engine = Engine(preset, seed=1, memory_mb=4)
        engine.play(board, Limit(simulations=500))
        board.push(5)
        board.push(second)
        game = reference_of(board)
        if game.winning_moves() and not winning_cells(game, 1 - game.turn):
            assert engine.analyse(board, MODEST).score.is_win, board.notation


@pytest.mark.parametrize("nodes", [1, 2, 3, 5, 8])
def test_rules_after_the_search_choose_among_what_it_visited(nodes: int) -> None:
    """The best of the harmless moves is one that the search has looked at, however short it was."""
    for seed in range(5):
        analysis = Engine("seed-003", seed=seed, memory_mb=4).analyse(Board(9, 9), Limit(simulations=nodes))
        assert {column.column: column.visits for column in analysis.columns}[analysis.move] > 0


def test_rules_after_the_search_keep_a_proven_win(tmp_path: Path) -> None:
    """A move that is proven to win is played, however well another one looks."""
    preset = variant(tmp_path, "seed-004-v12", '[root]\nafter = ["avoid-gifts"]\n')
    for text in ("5x5@2,2:412341313515", "5x5@2,2:355132231251"):
        analysis = Engine(preset, seed=1, memory_mb=4).analyse(Board.parse(text), Limit(simulations=5000))
        assert any(column.score.is_win for column in analysis.columns)
        assert analysis.score.is_win


@pytest.mark.parametrize("choice", ["visits", "value"])
@pytest.mark.parametrize("after", [[], ["avoid-gifts"]], ids=["no rules", "rules"])
def test_the_choice_is_the_configured_one(tmp_path: Path, choice: str, after: list[str]) -> None:
    """The most visited or the most valued move is played, also where rules after the search leave all moves in."""
    preset = variant(tmp_path, "seed-003", f'[root]\nbefore = []\nafter = {after}\nchoice = "{choice}"\n')
    assert tree_config(preset).choice == (Choice.VISITS if choice == "visits" else Choice.VALUE)
    for seed in range(20):
        analysis = Engine(preset, seed=seed, memory_mb=4).analyse(Board(9, 9), SHORT)
        best = max(getattr(column, choice) for column in analysis.columns)
        assert getattr(analysis.columns[analysis.move], choice) == best


@pytest.mark.parametrize("name", TREES)
def test_a_rule_answers_without_a_search(name: str) -> None:
    """A rule before the search names itself, takes no simulation and expects no more than its own move."""
    board = Board.parse("6x7:112233")
    analysis = Engine(name, seed=1, memory_mb=4).analyse(board, SHORT)
    assert analysis.move == 3
    if tree_config(name).root_win:
        assert (analysis.stopped_by, analysis.simulations, analysis.pv) == ("win", 0, [3])
        assert str(analysis.score) == "wins in 1"
    else:
        assert analysis.stopped_by in ("simulations", "proof")
