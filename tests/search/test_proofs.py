"""Proven results of the searches agree with perfect play."""

from functools import cache
from itertools import product
from pathlib import Path

import pytest

from fourfall import Analysis, Board, Engine, Limit, Score, TreeNode
from fourfall._core import Proofs
from tests.kinds import GRAPHS, TREES, load_tree_config
from tests.reference import ReferenceGame
from tests.search.perfect_play import PerfectPlay, PerfectResult, make_reference, sample_quiet_positions
from tests.strategies import Shape

SHAPES = [
    Shape(4, 4),
    Shape(4, 4, (2, 1)),
    Shape(4, 5),
    Shape(4, 5, (3, 2)),
    Shape(5, 4),
    Shape(5, 4, (2, 1)),
    Shape(5, 5, (2, 2)),
]
WITH_DISTANCES = [*GRAPHS, *(name for name in TREES if load_tree_config(name).proofs == Proofs.DISTANCES)]
PROVING = [*WITH_DISTANCES, *(name for name in TREES if load_tree_config(name).proofs == Proofs.RESULTS)]
LONG = Limit(simulations=20_000)


@cache
def positions(shape: Shape) -> list[Board]:
    """Return positions of a board near the end of the game."""
    return [board for free in (6, 7, 8, 9) for board in sample_quiet_positions(shape, free, 2, seed=free)]


@cache
def perfect_play(shape: Shape) -> PerfectPlay:
    """Return the solver of a shape; later calls return the same one with its cache."""
    return PerfectPlay()


def get_solver(board: Board) -> PerfectPlay:
    """Return the solver of a board."""
    return perfect_play(Shape(board.rows, board.cols, board.hole))


def get_result(score: Score) -> int:
    """Return the result of an exact score as 1, 0 or -1."""
    assert score.is_exact
    return int(score.value)


def assert_sound(score: Score, expected: PerfectResult) -> None:
    """Check a proven result and its distance.

    The search proves a position with the first winning move that it proves, so there may be a shorter win. The distance
    is an upper bound, both of a win and of a loss, and its parity must be right. A draw fills the board.
    """
    assert get_result(score) == expected.result
    assert score.distance is not None
    assert score.distance >= expected.distance
    assert score.distance % 2 == expected.distance % 2
    if expected.result == 0:
        assert score.distance == expected.distance


def assert_tree_sound(solver: PerfectPlay, tree: TreeNode, game: ReferenceGame) -> int:
    """Check every proof in the tree below a position, and return their number."""
    proven = 0
    for child in tree.children:
        if child.score.is_exact:
            assert_sound(child.score, solver.solve_move(game, child.column))
            proven += 1
        if child.children:
            game.push(child.column)
            proven += assert_tree_sound(solver, child, game)
            game.pop()
    return proven


def search_and_check(engine: Engine, board: Board) -> Analysis:
    """Search a position, check every proof, and return the analysis."""
    analysis = engine.search(board, LONG)
    solver, game = get_solver(board), make_reference(board)
    for column in analysis.columns:
        if column.score.is_exact:
            assert_sound(column.score, solver.solve_move(game, column.column))
    tree = engine.tree(3)
    if tree.score.is_exact:
        assert_sound(tree.score, solver.solve(game))
    assert_tree_sound(solver, tree, game)
    return analysis


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", PROVING)
def test_proofs_agree_with_perfect_play(name: str, shape: Shape) -> None:
    """Proofs of the root, of every column and of the tree below agree with perfect play.

    At least 85 % of the positions must be proven, so that the comparison covers most of them.
    """
    stops = [search_and_check(Engine(name, seed=1, memory_mb=16), board).stopped_by for board in positions(shape)]
    assert stops.count("proof") >= 0.85 * len(stops)


def test_version_11_has_right_results_and_wrong_distances() -> None:
    """The bug that version 12 fixes reports some losses as too short; all results are right."""
    too_short = 0
    for board in positions(SHAPES[-1]):
        engine, solver, game = Engine("seed-004-v11", seed=1, memory_mb=16), get_solver(board), make_reference(board)
        for column in engine.search(board, LONG).columns:
            if column.score.is_exact:
                expected = solver.solve_move(game, column.column)
                assert get_result(column.score) == expected.result
                assert column.distance is not None
                too_short += column.distance < expected.distance
    assert too_short > 0


@pytest.mark.parametrize("name", PROVING)
def test_move_of_a_proven_position_keeps_the_result(name: str) -> None:
    """If the root is proven, the chosen move keeps its result, and so does the score of the analysis."""
    results = set()
    for board in (board for shape in SHAPES for board in positions(shape)):
        analysis = Engine(name, seed=2, memory_mb=16).search(board, LONG)
        if analysis.stopped_by == "proof":
            expected = get_solver(board).solve(make_reference(board))
            assert get_solver(board).solve_move(make_reference(board), analysis.move).result == expected.result
            assert get_result(analysis.score) == expected.result
            results.add(expected.result)
    assert results == {1, 0, -1}


@pytest.mark.parametrize("name", WITH_DISTANCES)
def test_longest_known_loss_is_chosen(name: str) -> None:
    """In a lost position, a preset with distances chooses the longest loss that it knows."""
    lost = 0
    for board in (board for shape in SHAPES for board in positions(shape)):
        analysis = Engine(name, seed=3, memory_mb=16).search(board, LONG)
        if analysis.stopped_by == "proof" and analysis.score.is_loss:
            known = [column.score for column in analysis.columns if column.visits > 0 or column.score.is_exact]
            assert analysis.score == max(known)
            lost += 1
    assert lost > 3


@pytest.mark.parametrize("name", PROVING)
def test_proven_result_holds_to_the_end_of_the_game(name: str) -> None:
    """An engine that plays an endgame against itself has only right proofs and keeps a proven result."""
    board = sample_quiet_positions(Shape(5, 5, (2, 2)), 12, 1, seed=4)[0]
    engine = Engine(name, seed=1, memory_mb=16)
    proven: int | None = None
    while not board.is_over:
        analysis = search_and_check(engine, board)
        if proven is not None:
            assert get_result(analysis.score) == proven
        if analysis.score.is_exact:
            proven = -get_result(analysis.score)
        board.push(analysis.move)
    assert proven is not None


@pytest.mark.parametrize(("end_on_win", "forced_replies", "graph"), list(product((False, True), repeat=3)))
def test_proofs_are_right_with_all_options(tmp_path: Path, end_on_win: bool, forced_replies: bool, graph: bool) -> None:
    """Proofs are right without root rules and with every combination of the options that affect them."""
    path = tmp_path / "options.toml"
    options = {"end_on_win": end_on_win, "forced_replies": forced_replies}
    lines = "".join(f"{key} = {str(value).lower()}\n" for key, value in options.items())
    path.write_text(
        f'[expansion]\n{lines}[proof]\npropagate = "distances"\n[memory]\ngraph = {str(graph).lower()}\n',
        encoding="utf-8",
    )
    for board in (board for shape in SHAPES for board in positions(shape)):
        search_and_check(Engine(path, seed=1, memory_mb=16), board)
