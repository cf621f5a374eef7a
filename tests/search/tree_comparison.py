"""Compares search results and trees: of two engines, or of an engine and the reference implementation."""

import pytest

from fourfall import Analysis, Score, TreeNode
from tests.search.simulation_reference import DRAW, LOSS, WIN
from tests.search.tree_reference import ReferenceTree


def summarise_search(analysis: Analysis) -> tuple[object, ...]:
    """Return everything in an analysis that does not depend on time."""
    columns = [(column.column, column.visits, column.score) for column in analysis.columns]
    counts = (analysis.simulations, analysis.reused_visits, analysis.nodes, analysis.memory_bytes)
    return analysis.move, analysis.score, columns, analysis.pv, counts, analysis.stopped_by


def flatten(tree: TreeNode) -> tuple[object, ...]:
    """Convert a tree to nested tuples, which are comparable and hashable."""
    return tree.column, tree.visits, tree.score, tuple(flatten(child) for child in tree.children)


def get_proof_number(score: Score) -> int | None:
    """Return a proven result as 1, 0 or -1, or None for an estimate."""
    return WIN if score.is_win else DRAW if score.is_draw else LOSS if score.is_loss else None


def assert_same_tree(native: TreeNode, reference: ReferenceTree, path: tuple[int, ...] = ()) -> None:
    """Compare two trees from the root down; a failure names the moves that lead to the difference."""
    found = (native.column, native.visits, get_proof_number(native.score), native.score.distance)
    expected = (reference.column, reference.visits, reference.proof, reference.distance)
    assert found == expected, f"after {path}"
    assert native.score.value == pytest.approx(reference.value, abs=1e-12), f"after {path}"
    assert [child.column for child in native.children] == [child.column for child in reference.children], path
    for child, expected_child in zip(native.children, reference.children, strict=True):
        assert_same_tree(child, expected_child, (*path, child.column))
