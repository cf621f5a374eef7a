"""The root of a search: rules before and after it, reuse of the previous search, and the choice of the move."""

import math
from itertools import product
from pathlib import Path

import pytest

from fourfall import Board, Engine, Limit
from fourfall._core import Choice
from tests.kinds import NAMES, TREES, load_tree_config
from tests.search.perfect_play import make_reference
from tests.search.test_tactics import winning_cells

MEDIUM = Limit(simulations=3000)
SHORT = Limit(simulations=300)


def write_variant(folder: Path, base: str, lines: str) -> Path:
    """Write a preset file that changes some keys of another preset."""
    path = folder / "variant.toml"
    path.write_text(f'base = "{base}"\n{lines}', encoding="utf-8")
    return path


@pytest.mark.parametrize(("name", "rules"), [*product(NAMES, ["preset rules"]), *product(TREES, ["no rules"])], ids=str)
def test_win_is_preferred_to_block(tmp_path: Path, name: str, rules: str) -> None:
    """An engine plays an immediate win rather than a block, with and without rules before the search."""
    board = Board.parse("6x7:121212")
    game = make_reference(board)
    assert len(game.winning_moves()) == 1
    assert winning_cells(game, 1 - game.turn)
    preset = name if rules == "preset rules" else write_variant(tmp_path, name, "[root]\nbefore = []\n")
    assert Engine(preset, seed=1, memory_mb=16).play(board, MEDIUM) in game.winning_moves()


@pytest.mark.parametrize("name", [name for name in TREES if load_tree_config(name).reuse])
def test_win_in_reused_tree_is_played(tmp_path: Path, name: str) -> None:
    """If the reused tree contains an immediate win for the new root, the search finds it without a root rule."""
    preset = write_variant(tmp_path, name, "[root]\nbefore = []\n")
    for reply in range(7):
        board = Board.parse("6x7:4152")
        engine = Engine(preset, seed=1, memory_mb=4)
        engine.play(board, Limit(simulations=500))
        board.push(5)
        board.push(reply)
        game = make_reference(board)
        if game.winning_moves() and not winning_cells(game, 1 - game.turn):
            assert engine.search(board, MEDIUM).score.is_win, board.notation


@pytest.mark.parametrize("simulations", [1, 2, 3, 5, 8])
def test_rules_after_the_search_choose_a_visited_move(simulations: int) -> None:
    """The rules after the search choose a move that the search has visited, even if the search was short."""
    for seed in range(5):
        analysis = Engine("seed-003", seed=seed, memory_mb=4).search(Board(9, 9), Limit(simulations=simulations))
        assert {column.column: column.visits for column in analysis.columns}[analysis.move] > 0


def test_rules_after_the_search_keep_a_proven_win(tmp_path: Path) -> None:
    """A proven win is played even if another move has a better estimate."""
    preset = write_variant(tmp_path, "seed-004-v12", '[root]\nafter = ["avoid-gifts"]\n')
    for text in ("5x5@2,2:412341313515", "5x5@2,2:355132231251"):
        analysis = Engine(preset, seed=1, memory_mb=4).search(Board.parse(text), Limit(simulations=5000))
        assert any(column.score.is_win for column in analysis.columns)
        assert analysis.score.is_win


@pytest.mark.parametrize("choice", ["visits", "value"])
@pytest.mark.parametrize("after", [[], ["avoid-gifts"]], ids=["no rules", "rules"])
def test_choice_follows_the_configuration(tmp_path: Path, choice: str, after: list[str]) -> None:
    """The engine plays the move with most visits or the highest value, also if the rules exclude no move."""
    preset = write_variant(tmp_path, "seed-003", f'[root]\nbefore = []\nafter = {after}\nchoice = "{choice}"\n')
    assert load_tree_config(preset).choice == (Choice.VISITS if choice == "visits" else Choice.VALUE)
    for seed in range(20):
        analysis = Engine(preset, seed=seed, memory_mb=4).search(Board(9, 9), SHORT)
        best = max(getattr(column, choice) for column in analysis.columns)
        assert getattr(analysis.columns[analysis.move], choice) == best


def test_choice_by_sum_of_rewards_or_upper_bound(tmp_path: Path) -> None:
    """The sum of rewards and the upper bound are those of the shown visits and values."""
    for choice in ("reward-sum", "upper-bound"):
        preset = write_variant(tmp_path, "seed-002", f'[root]\nchoice = "{choice}"\n')
        moves = set()
        for seed in range(10):
            analysis = Engine(preset, seed=seed, memory_mb=4).search(Board.parse("9x9:515"), SHORT)
            total = sum(column.visits for column in analysis.columns)
            means = [column.value for column in analysis.columns]
            visits = [column.visits for column in analysis.columns]
            scores = [
                mean * count if choice == "reward-sum" else mean + math.sqrt(math.log(total) / count)
                for mean, count in zip(means, visits, strict=True)
            ]
            assert scores[analysis.move] == pytest.approx(max(scores))
            moves.add(visits[analysis.move] == max(visits))
        assert False in moves, f"the choice by {choice} is always the most visited move"


@pytest.mark.parametrize("name", TREES)
def test_root_rule_plays_without_a_search(name: str) -> None:
    """A rule before the search is named in `stopped_by`, runs no simulation, and its pv is the move alone."""
    board = Board.parse("6x7:112233")
    analysis = Engine(name, seed=1, memory_mb=4).search(board, SHORT)
    assert analysis.move == 3
    if load_tree_config(name).root_win:
        assert (analysis.stopped_by, analysis.simulations, analysis.pv) == ("win", 0, [3])
        assert str(analysis.score) == "wins in 1"
    else:
        assert analysis.stopped_by in ("simulations", "proof")
