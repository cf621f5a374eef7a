"""Owns the comparison of search trees."""

import pytest

from fourfall import Score, TreeNode
from tests.search.phases_reference import DRAW, LOSS, WIN
from tests.search.uct_reference import Report


def flat(tree: TreeNode) -> tuple[object, ...]:
    """Return a tree as something to compare and to put into a set."""
    return tree.column, tree.visits, tree.score, tuple(flat(child) for child in tree.children)


def proof_of(score: Score) -> int | None:
    """Return a proven result as a number, None where nothing is proven."""
    return WIN if score.is_win else DRAW if score.is_draw else LOSS if score.is_loss else None


def assert_same(native: TreeNode, reference: Report, path: tuple[int, ...] = ()) -> None:
    """Compare two trees from the root down; a failure names the moves that lead to the difference."""
    found = (native.column, native.visits, proof_of(native.score), native.score.distance)
    wanted = (reference.column, reference.visits, reference.proof, reference.distance)
    assert found == wanted, f"after {path}"
    assert native.score.value == pytest.approx(reference.value, abs=1e-12), f"after {path}"
    assert [child.column for child in native.children] == [child.column for child in reference.children], path
    for below, expected in zip(native.children, reference.children, strict=True):
        assert_same(below, expected, (*path, below.column))
