"""Tests that no fact is false: random positions, checked with the reference rules and the exact solver."""

import random

import pytest

from fourfall import Board
from fourfall.coach import Budget, FactKind, explain
from tests.coach.positions import make_position, make_scores, play_random_game
from tests.coach.statements import check_explanation
from tests.search.perfect_play import make_reference

BUDGET = Budget(sequence_positions=2000, solver_positions=4000)
LOSES_AT_ONCE = {FactKind.MISSES_BLOCK, FactKind.CANNOT_BLOCK, FactKind.OPENS_WIN}


@pytest.mark.parametrize("seed", range(4))
def test_facts_on_small_boards_are_true(seed: int) -> None:
    """The solver or brute force confirms every fact; none is left unproven."""
    rng = random.Random(seed)  # noqa: S311 (not for cryptography)
    found: set[FactKind] = set()
    for _ in range(200):
        board = make_position(rng, is_small=True)
        explanation = explain(board, rng.choice(board.legal_moves), budget=BUDGET)
        assert check_explanation(explanation) == [], board.notation
        found |= {fact.kind for fact in explanation.facts}
    assert len(found) > 20


@pytest.mark.parametrize("seed", range(4))
def test_facts_on_official_boards_are_true(seed: int) -> None:
    """Facts about the next stones and about sequences are confirmed on all sizes."""
    rng = random.Random(100 + seed)  # noqa: S311 (not for cryptography)
    for _ in range(200):
        board = make_position(rng, is_small=False)
        check_explanation(explain(board, rng.choice(board.legal_moves), budget=Budget(2000, 0)))


def test_facts_that_need_scores_are_true() -> None:
    """Facts about better columns and expected moves are true whatever the scores say."""
    rng = random.Random(200)  # noqa: S311 (not for cryptography)
    found: set[FactKind] = set()
    for _ in range(300):
        board = make_position(rng, is_small=rng.random() < 0.3)
        scores = make_scores(board, rng)
        explanation = explain(board, rng.choice(board.legal_moves), analysis=scores, budget=Budget(2000, 0))
        check_explanation(explanation)
        found |= {fact.kind for fact in explanation.facts}
    assert found >= {
        FactKind.ALLOWS_CELL,
        FactKind.MISSES_CELL,
        FactKind.EXPECTED_CELL,
        FactKind.MISSES_EXPECTED_CELL,
        FactKind.FEWER_LINES,
        FactKind.COMPARISON,
    }


def test_immediate_wins_and_losses_are_always_named() -> None:
    """A move that wins, misses a win or lets the opponent win at once has a fact that says so."""
    rng = random.Random(7)  # noqa: S311 (not for cryptography)
    for _ in range(400):
        board = make_position(rng, is_small=rng.random() < 0.5)
        column = rng.choice(board.legal_moves)
        kinds = {fact.kind for fact in explain(board, column, budget=Budget(0, 0)).facts}
        game = make_reference(board)
        wins = game.winning_moves()
        assert (FactKind.WINS in kinds) == (column in wins)
        assert (FactKind.MISSES_WIN in kinds) == (bool(wins) and column not in wins)
        game.push(column)
        if not wins:
            assert bool(kinds & LOSES_AT_ONCE) == bool(game.winning_moves())


def test_every_fact_about_two_stones_is_found() -> None:
    """A move after which every reply loses at once is a double threat, a stacked threat or has no safe reply."""
    rng = random.Random(8)  # noqa: S311 (not for cryptography)
    expected = {FactKind.DOUBLE_THREAT, FactKind.STACKED_THREAT, FactKind.NO_SAFE_REPLY}
    count = 0
    for _ in range(400):
        board = make_position(rng, is_small=True)
        for column in board.legal_moves:
            after = board.copy()
            after.push(column)
            if board.winning_moves or after.is_over or after.winning_moves or after.safe_moves:
                continue
            count += 1
            assert expected & {fact.kind for fact in explain(board, column, budget=Budget(0, 0)).facts}
    assert count > 20


def test_forced_sequence_is_the_shortest() -> None:
    """The solver needs at least as many stones as a forced sequence for the same win, and agrees that it wins."""
    board = Board.parse("6x7:7653424353331367")
    (fact,) = explain(board, 4).facts
    assert fact.kind == FactKind.FORCED_SEQUENCE
    assert fact.count == 4
    assert [stone.col + 1 for stone in fact.moves] == [5, 5, 4, 4, 6, 7, 7]


def test_facts_of_follow_up_play_in_late_positions() -> None:
    """Late positions with winning cells, in which parity decides most games: all facts are true, many are parity."""
    rng = random.Random(9)  # noqa: S311 (not for cryptography)
    count = 0
    for _ in range(150):
        board = Board(6, 7, (rng.randrange(6), rng.randrange(7)))
        play_random_game(board, rng, rng.randrange(20, 32))
        explanation = explain(board, rng.choice(board.legal_moves), budget=BUDGET)
        assert check_explanation(explanation) == [], board.notation
        count += any("parity" in fact.kind for fact in explanation.facts)
    assert count > 5
