"""The inverted test for the end of the game (seed 004 v1 and v2): a bandit over the moves of the root."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourfall import Board, Engine, Limit, Preset
from fourfall._core import Rollout, TerminalTest, TreeConfig
from fourfall.agents.levels import LEVELS
from tests.kinds import load_tree_config
from tests.random_reference import Random, scramble
from tests.search.rollout_reference import Grid, play_rollout
from tests.strategies import Game, games

VERSIONS = ("seed-004-v1", "seed-004-v2")
LATE = "seed-004-v1-late-test"
WITHOUT_WIN = ("9x9@3,4", "12x12@9,5", "6x7:4452", "10x11@4,7:463334857a51a267bb199548233119b18a55166")
WITH_WIN = ("6x7:112233", "6x7:1223343441", "7x7@5,2:42263246442452", "6x7@4,3:64464346")


def play_bandit(board: Board, seed: int, simulations: int) -> dict[int, tuple[int, float]]:
    """Play rollouts after the moves of a position: each move once in random order, then by upper confidence bound.

    Returns the rollouts of each column and their sum of rewards.
    """
    config = load_tree_config("seed-004-v1")
    random, grid, side = Random(scramble(seed) ^ board.key), Grid.of(board), 1 if board.turn == 0 else -1
    visits, rewards = dict.fromkeys(board.legal_moves, 0), dict.fromkeys(board.legal_moves, 0.0)
    for simulation in range(simulations):
        if simulation < len(visits):
            column = random.below(board.cols)
            while visits.get(column) != 0:
                column = random.below(board.cols)
        else:
            log = math.log(simulation)
            column = max(visits, key=lambda c: rewards[c] / visits[c] + math.sqrt(2 * log / visits[c]))
        moved = grid.copy()
        moved.drop(column, side)
        visits[column] += 1
        rewards[column] += (1 - play_rollout(config, moved, -side, random)) / 2
    return {column: (visits[column], rewards[column]) for column in visits}


@pytest.mark.parametrize("text", WITHOUT_WIN)
@pytest.mark.parametrize("name", VERSIONS)
def test_search_is_a_bandit_over_the_moves_of_the_root(name: str, text: str) -> None:
    """Without an immediate win the tree is one ply deep, and its statistics are those of a bandit."""
    board = Board.parse(text)
    engine = Engine(name, seed=5, memory_mb=4)
    analysis = engine.search(board, Limit(simulations=200))
    assert (analysis.depth, analysis.nodes) == (1, 1)
    children = engine.tree(9).children
    assert not any(child.children for child in children)
    found = {child.column: (child.visits, (child.score.value + 1) / 2 * child.visits) for child in children}
    expected = play_bandit(board, 5, 200)
    assert found.keys() == expected.keys()
    for column, (visits, reward) in expected.items():
        assert found[column][0] == visits
        assert found[column][1] == pytest.approx(reward)


def test_first_version_misses_a_win_that_the_second_plays() -> None:
    """The first version plays on after its winning moves, so it rates them too low; the second plays them by a rule."""
    moves = {
        name: [Engine(name, seed=1).play(Board.parse(text), Limit(simulations=3000)) for text in WITH_WIN]
        for name in VERSIONS
    }
    wins = [Board.parse(text).winning_moves for text in WITH_WIN]
    assert all(move in columns for move, columns in zip(moves["seed-004-v2"], wins, strict=True))
    assert not all(move in columns for move, columns in zip(moves["seed-004-v1"], wins, strict=True))


@pytest.mark.parametrize("level", ["level-4", "level-6", "level-12"])
def test_levels_do_not_depend_on_the_terminal_test(level: str) -> None:
    """With fewer simulations than open columns no position is visited twice, so the levels play as with a late test."""
    preset, simulations, *_ = LEVELS[level]
    board = Board.parse(WITHOUT_WIN[-1])
    assert preset == "seed-004-v1"
    assert simulations <= len(board.legal_moves)
    for seed in range(20):
        moves = {Engine(name, seed=seed).play(board, Limit(simulations=simulations)) for name in (preset, LATE)}
        assert len(moves) == 1


@pytest.mark.parametrize("text", WITH_WIN)
def test_reports_end_with_the_game(text: str) -> None:
    """Below a move that wins the search goes on, but the tree and the variations of its reports do not."""
    board = Board.parse(text)
    engine = Engine("seed-004-v1", seed=1, memory_mb=4)
    analysis = engine.search(board, Limit(simulations=2000))
    assert analysis.depth > 1
    assert analysis.nodes > 1
    assert not any(child.children for child in engine.tree(9).children)
    assert all(len(column.pv) == 1 for column in analysis.columns)


@given(data=st.data(), game=games(max_side=6), rollout=st.sampled_from(list(Rollout)), seed=st.integers(0, 2**64 - 1))
@settings(max_examples=60)
def test_search_is_safe_at_the_end_of_the_game(data: st.DataObject, game: Game, rollout: Rollout, seed: int) -> None:
    """With every rollout policy, the last positions of a game give a legal move and variations that can be played."""
    board = game.board()
    for _ in range(data.draw(st.integers(1 if board.is_over else 0, 3))):
        if board.ply > 0:
            board.pop()
    config = TreeConfig()
    config.terminal_test, config.rollout, config.reuse = TerminalTest.INVERTED, rollout, data.draw(st.booleans())
    engine = Engine(Preset("inverted", "", "", config), seed=seed, memory_mb=1)
    while not board.is_over:
        analysis = engine.search(board, Limit(simulations=400))
        assert sum(column.visits for column in analysis.columns) >= 400
        for column in analysis.columns:
            variation = board.copy()
            for move in column.pv:
                variation.push(move)
        board.push(analysis.move)
