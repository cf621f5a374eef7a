"""Owns the truth of proofs: whatever a search calls proven agrees with perfect play."""

from functools import cache
from itertools import product
from pathlib import Path

import pytest

from fourfall import Analysis, Board, Engine, Limit, Score, TreeNode
from fourfall._core import Proofs
from tests.kinds import GRAPHS, TREES, tree_config
from tests.reference import ReferenceGame
from tests.search.perfect_play import PerfectPlay, Truth, quiet_positions, reference_of
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
COUNTING = [*GRAPHS, *(name for name in TREES if tree_config(name).proofs == Proofs.DISTANCES)]
PROVING = [*COUNTING, *(name for name in TREES if tree_config(name).proofs == Proofs.RESULTS)]
PLENTY = Limit(simulations=20_000)


@cache
def positions(shape: Shape) -> list[Board]:
    """Return some positions of a board near the end of the game."""
    return [board for free in (6, 7, 8, 9) for board in quiet_positions(shape, free, 2, seed=free)]


@cache
def perfect_play(shape: Shape) -> PerfectPlay:
    """Return the solver of one board, with all that it has solved so far."""
    return PerfectPlay()


def solver_of(board: Board) -> PerfectPlay:
    """Return the solver of a board."""
    return perfect_play(Shape(board.rows, board.cols, board.hole))


def result_of(score: Score) -> int:
    """Return the result that an exact score stands for."""
    assert score.is_exact
    return int(score.value)


def assert_sound(score: Score, truth: Truth) -> None:
    """Check a proven result and its distance.

    The search settles a position by the first winning move it proves, so a shorter win may have escaped it: the
    distance of a win is one within which the win can be forced, and that of a loss one within which it comes. Both
    have the right side make the last move. A draw fills the board.
    """
    assert result_of(score) == truth.result
    assert score.distance is not None
    assert score.distance >= truth.distance
    assert score.distance % 2 == truth.distance % 2
    if truth.result == 0:
        assert score.distance == truth.distance


def assert_tree_sound(solver: PerfectPlay, tree: TreeNode, game: ReferenceGame) -> int:
    """Check every proof in a tree below a position, and count them."""
    proven = 0
    for child in tree.children:
        if child.score.is_exact:
            assert_sound(child.score, solver.after(game, child.column))
            proven += 1
        if child.children:
            game.push(child.column)
            proven += assert_tree_sound(solver, child, game)
            game.pop()
    return proven


def searched(engine: Engine, board: Board) -> Analysis:
    """Search a position, check all that is proven about it, and return the analysis."""
    analysis = engine.analyse(board, PLENTY)
    solver, game = solver_of(board), reference_of(board)
    for column in analysis.columns:
        if column.score.is_exact:
            assert_sound(column.score, solver.after(game, column.column))
    tree = engine.tree(3)
    if tree.score.is_exact:
        assert_sound(tree.score, solver.solve(game))
    assert_tree_sound(solver, tree, game)
    return analysis


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", PROVING)
def test_a_proof_is_the_truth(name: str, shape: Shape) -> None:
    """Results and distances of the root, of every column and of the tree below agree with perfect play.

    Most of the positions are proven in the end, so that this says something.
    """
    stops = [searched(Engine(name, seed=1, memory_mb=16), board).stopped_by for board in positions(shape)]
    assert stops.count("proof") >= 0.85 * len(stops)


def test_version_11_proves_right_but_counts_wrong() -> None:
    """The slip that version 12 corrects makes some losses shorter than they are and no result wrong."""
    short = 0
    for board in positions(SHAPES[-1]):
        engine, solver, game = Engine("seed-004-v11", seed=1, memory_mb=16), solver_of(board), reference_of(board)
        for column in engine.analyse(board, PLENTY).columns:
            if column.score.is_exact:
                truth = solver.after(game, column.column)
                assert result_of(column.score) == truth.result
                assert column.distance is not None
                short += column.distance < truth.distance
    assert short > 0


@pytest.mark.parametrize("name", PROVING)
def test_a_proven_position_is_played_right(name: str) -> None:
    """Once the root is proven the chosen move keeps its result, and has the analysis say so."""
    results = set()
    for board in (board for shape in SHAPES for board in positions(shape)):
        analysis = Engine(name, seed=2, memory_mb=16).analyse(board, PLENTY)
        if analysis.stopped_by == "proof":
            truth = solver_of(board).solve(reference_of(board))
            assert solver_of(board).after(reference_of(board), analysis.move).result == truth.result
            assert result_of(analysis.score) == truth.result
            results.add(truth.result)
    assert results == {1, 0, -1}


@pytest.mark.parametrize("name", COUNTING)
def test_a_lost_position_is_lost_as_late_as_known(name: str) -> None:
    """A preset that counts distances chooses the loss that it expects to take longest."""
    lost = 0
    for board in (board for shape in SHAPES for board in positions(shape)):
        analysis = Engine(name, seed=3, memory_mb=16).analyse(board, PLENTY)
        if analysis.stopped_by == "proof" and analysis.score.is_loss:
            known = [column.score for column in analysis.columns if column.visits > 0 or column.score.is_exact]
            assert analysis.score == max(known)
            lost += 1
    assert lost > 3


@pytest.mark.parametrize("name", PROVING)
def test_a_whole_endgame_stays_proven(name: str) -> None:
    """One engine, kept through a game with itself, proves nothing false and keeps the result that it proved."""
    board = quiet_positions(Shape(5, 5, (2, 2)), 12, 1, seed=4)[0]
    engine = Engine(name, seed=1, memory_mb=16)
    proven: int | None = None
    while not board.is_over:
        analysis = searched(engine, board)
        if proven is not None:
            assert result_of(analysis.score) == proven
        if analysis.score.is_exact:
            proven = -result_of(analysis.score)
        board.push(analysis.move)
    assert proven is not None


@pytest.mark.parametrize(("ends", "forced", "graph"), list(product((False, True), repeat=3)))
def test_no_combination_of_switches_proves_falsely(tmp_path: Path, ends: bool, forced: bool, graph: bool) -> None:
    """Proofs stay true without the root's rules, and whichever of the switches around them a preset sets."""
    path = tmp_path / "switches.toml"
    switches = {"end_on_win": ends, "forced_replies": forced}
    lines = "".join(f"{key} = {str(value).lower()}\n" for key, value in switches.items())
    path.write_text(
        f'[expansion]\n{lines}[proof]\npropagate = "distances"\n[memory]\ngraph = {str(graph).lower()}\n',
        encoding="utf-8",
    )
    for board in (board for shape in SHAPES for board in positions(shape)):
        searched(Engine(path, seed=1, memory_mb=16), board)
