"""Tests of the labels of solver and engine."""

from functools import cache

import pytest

from fourfall import Board
from fourfall.datasets import Settings, labels
from fourfall.datasets.labels import BEST, SCORE_BASE, WORST, Label, label_positions, make_task
from fourfall.datasets.schema import describe_label

LATE = ("4x5:13524135242135", "4x5@1,2:1352413524", "4x4:1234123412", "4x6:123456123456165234")
OPEN = ("9x10@4,7:58", "6x7:44")


@cache
def negamax(text: str) -> int:
    """Return the score of a position by brute force; a finished game is lost or drawn in 0 plies."""
    board = Board.parse(text)
    if board.is_over:
        outcome = board.outcome()
        return 0 if outcome is not None and outcome.is_draw else -SCORE_BASE
    return max(score for score in score_columns(board) if score is not None)


def score_columns(board: Board) -> list[int | None]:
    """Return the score of each of twelve columns by brute force."""
    scores: list[int | None] = [None] * 12
    for column in board.legal_moves:
        after = board.copy()
        after.push(column)
        score = -negamax(after.notation)
        scores[column] = score - (score > 0) + (score < 0)
    return scores


@pytest.mark.parametrize("text", LATE)
def test_solver_labels_agree_with_brute_force(text: str) -> None:
    """Result and distance of position and columns are exact; illegal columns have no bounds."""
    [label] = label_positions(make_task(Settings(), [text]))
    expected = score_columns(Board.parse(text))
    assert [None if bounds is None else bounds[0] for bounds in label.column_bounds] == expected
    assert [None if bounds is None else bounds[1] for bounds in label.column_bounds] == expected
    assert label.bounds == (negamax(text), negamax(text))


def test_limit_gives_bounds_that_are_marked() -> None:
    """A position that is too hard has true bounds, is not exact, and has no distance."""
    easy, hard = (label_positions(make_task(Settings(positions=limit), ["4x5:12"]))[0] for limit in (10**9, 30))
    row = describe_label(hard)
    assert hard.bounds[0] <= easy.bounds[0] == easy.bounds[1] <= hard.bounds[1]
    assert (row["exact"], row["distance"], row["outcome"]) == (False, None, None)
    assert describe_label(easy)["exact"] is True
    for found, true in zip(hard.column_bounds, easy.column_bounds, strict=True):
        assert (found is None) == (true is None)
        if found is not None and true is not None:
            assert found[0] <= true[0] == true[1] <= found[1]


def test_large_table_is_used_for_hard_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    """A position that the first, small search does not solve is solved with the full limit, with the same result."""
    text = "4x5:1234"
    [direct] = label_positions(make_task(Settings(), [text]))
    monkeypatch.setattr(labels, "_SMALL_POSITIONS", 10)
    [again] = label_positions(make_task(Settings(), [text]))
    assert again == direct


def test_labels_do_not_depend_on_other_positions() -> None:
    """Each position gets the same label alone and after others, from the solver and from every kind of engine."""
    for settings in (
        Settings(positions=2000),
        Settings(labels=("engine",), simulations=40),
        Settings(labels=("engine",), simulations=40, engine="seed-002"),
    ):
        texts = (*OPEN, LATE[1])
        together = label_positions(make_task(settings, texts))
        assert label_positions(make_task(settings, texts[::-1]))[::-1] == together
        assert label_positions(make_task(settings, texts[2:])) == together[2:]


def test_engine_labels() -> None:
    """The policy is the share of visits, values are within -1 and 1, and nothing is proven here."""
    [label] = label_positions(make_task(Settings(labels=("engine",), simulations=60), OPEN[:1]))
    assert label.policy is not None
    assert label.column_values is not None
    assert label.value is not None
    assert sum(share or 0 for share in label.policy) == pytest.approx(1)
    assert [share is None for share in label.policy] == [False] * 10 + [True] * 2
    assert all(value is None or -1 <= value <= 1 for value in (label.value, *label.column_values))
    assert label.bounds == (WORST, BEST)
    assert (label.simulations, label.solver_positions) == (60, None)
    assert Label.from_json(label.to_json()) == label


def test_proof_of_the_engine() -> None:
    """A proven win within d plies gives bounds; no column was visited, so there is no policy."""
    [label] = label_positions(make_task(Settings(labels=("engine",)), ["6x7:112233"]))
    assert label.bounds == (BEST, BEST)
    assert label.policy is None
    assert describe_label(label)["outcome"] == 1


def test_both_labels_in_one_row() -> None:
    """With both labels a row has the policy of the engine and the exact score of the solver."""
    both = Settings(labels=("engine", "solver"), simulations=40, engine="seed-002")
    [label] = label_positions(make_task(both, LATE[2:3]))
    assert label.bounds == (negamax(LATE[2]), negamax(LATE[2]))
    assert label.policy is not None
    assert label.solver_positions is not None
