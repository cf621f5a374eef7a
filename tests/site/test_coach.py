"""Tests of the coach in JavaScript: the same facts, sentences and limits as the coach in Python."""

from collections import Counter
from dataclasses import asdict
from typing import Any

import pytest

from fourfall import Board, Engine, Limit
from fourfall.coach import Budget, FactKind, attacks, evaluation, follow_up, forced_win, sentences, winning_cells
from fourfall.web.analysis import explain_job
from fourfall.web.errors import RequestError
from fourfall.web.positions import parse_unfinished_position, require_legal_move
from tests.coach.examples import EXAMPLES
from tests.site.coach_cases import Case, Expected, compare, describe_fact, explain_case, make_cases, run_program

THREE_BESIDE_HOLE = ["6x7@5,0:2737", "6x7@5,0:2735"]
"""Column 4 makes three stones beside the hole; the cell on the other side is free, or the opponent's."""
ERRORS = [("6x7:1212121", 3), ("6x7:444444", 3), ("6x7", 7), ("6x7", 11)]

Results = list[tuple[Case, Expected, dict[str, Any]]]


@pytest.fixture(scope="module")
def output() -> tuple[Results, dict[str, Any]]:
    """Explain all moves in Python and in one process of Node: the examples, analysed moves and random ones."""
    examples = [
        Case(Board.parse(example.position), int(example.column) - 1, example.scores, Budget()) for example in EXAMPLES
    ]
    beside_hole = [Case(Board.parse(text), 3, (), Budget()) for text in THREE_BESIDE_HOLE]
    # A small budget ends many searches in the middle.
    random_moves = [*make_cases(1600, 11, Budget(1500, 1000)), *make_cases(1200, 12, Budget(40, 200))]
    cases = [*examples, *beside_hole, *_make_analysed_cases(), *random_moves]
    explained = [(case, explain_case(case)) for case in cases]
    found = run_program(explained, ERRORS)
    results = [(case, expected, entry) for (case, expected), entry in zip(explained, found["cases"], strict=True)]
    return results, found


def _make_analysed_cases() -> list[Case]:
    """Return moves with an engine's analysis, some of whose columns have few visits or none."""
    engine = Engine("seed-002")
    cases = []
    for text in ("6x7:4", "9x9@4,4:5566", "6x7:4444", "10x11@3,2:66", "5x6@3,3:3344", "12x12@0,0:7788"):
        board = Board.parse(text)
        for simulations in (4, 100):
            analysis = engine.analyse(board, Limit(simulations=simulations))
            cases += [Case(board, column, analysis, Budget(1500, 1000)) for column in board.legal_moves[:4]]
    return cases


def test_facts_sentences_and_calls_of_the_solver_agree(output: tuple[Results, dict[str, Any]]) -> None:
    """All fields of all facts, the sentences of both languages and the requests to the solver are equal."""
    results, _ = output
    for case, expected, found in results:
        compare(case, expected, found)
    assert sum(bool(expected.requests) for _, expected, _ in results) > 100


def test_every_kind_of_fact_occurs(output: tuple[Results, dict[str, Any]]) -> None:
    """The compared explanations contain all kinds, most of them often, and moves about which nothing is known."""
    results, _ = output
    kinds = Counter(fact["kind"] for _, _, found in results for fact in found["facts"])
    assert set(kinds) == {kind.value for kind in FactKind}
    assert sum(count >= 5 for count in kinds.values()) > 30
    assert any(not found["facts"] for _, _, found in results)


def test_a_line_beside_the_hole_is_broken_only_if_the_other_side_is_closed(
    output: tuple[Results, dict[str, Any]],
) -> None:
    """The fact about the hole depends on the other lines through the three stones."""
    kinds = {case.board.notation: {fact["kind"] for fact in found["facts"]} for case, _, found in output[0]}
    assert ["hole_line" in kinds[text] for text in THREE_BESIDE_HOLE] == [False, True]


def test_boards_have_all_sizes_with_and_without_a_hole(output: tuple[Results, dict[str, Any]]) -> None:
    """The compared boards have 4 to 12 rows and columns; stones are below, beside and above the hole."""
    boards = [case.board for case, _, _ in output[0]]
    assert {board.rows for board in boards} == {board.cols for board in boards} == set(range(4, 13))
    assert {board.hole is None for board in boards} == {True, False}


def test_search_for_scores_is_needed_for_the_same_facts(output: tuple[Results, dict[str, Any]]) -> None:
    """`needsScores` agrees with the server, which searches unless the most important fact is about the next stones."""
    without_scores = vars(explain_job)["_NEEDS_NO_SCORES"]
    for case, expected, found in output[0]:
        facts = expected.explanation.facts
        is_needed = not facts or facts[0].kind not in without_scores
        assert found["needsScores"] == is_needed, case.board.notation


def test_limits_are_those_of_python(output: tuple[Results, dict[str, Any]]) -> None:
    """Both languages have the same kinds, limits and thresholds."""
    budget = asdict(Budget())
    assert output[1]["constants"] == {
        "FACT_KINDS": [kind.value for kind in FactKind],
        "KINDS_WITHOUT_SCORES": [kind.value for kind in FactKind if kind in vars(explain_job)["_NEEDS_NO_SCORES"]],
        "DEFAULT_BUDGET": {
            "sequencePositions": budget.pop("sequence_positions"),
            "solverPositions": budget.pop("solver_positions"),
        },
        "MAX_STONES": forced_win.MAX_STONES,
        "MAX_REPLIES": attacks.MAX_REPLIES,
        "MIN_REFUTED": vars(attacks)["_MIN_REFUTED"],
        "MAX_CHOICES": vars(follow_up)["_MAX_CHOICES"],
        "MAX_EXPECTED_MOVES": winning_cells.MAX_EXPECTED_MOVES,
        "MAX_SOLVER_CELLS": evaluation.MAX_SOLVER_CELLS,
        "CLEAR_LOSS": evaluation.CLEAR_LOSS,
        "MEMORY_MB": vars(evaluation)["_MEMORY_MB"],
        "MAX_SHOWN_MOVES": vars(evaluation)["_MAX_STONES"],
        "MAX_SENTENCES": sentences.MAX_SENTENCES,
    }
    assert budget == {}


def test_explain_without_scores_and_solver(output: tuple[Results, dict[str, Any]]) -> None:
    """`explain` parses the position and uses the default budget; without options it needs neither scores nor solver."""
    results, found = output
    for (case, _, _), reply in zip(results, found["explained"], strict=False):
        expected = explain_case(Case(case.board, case.column, (), Budget(solver_positions=0))).explanation
        assert reply == explain_job.describe_explanation(expected).model_dump(mode="json", exclude={"ref"})
    assert len(found["explained"]) == 20


def test_a_move_that_cannot_be_explained_gets_the_error_of_the_server(output: tuple[Results, dict[str, Any]]) -> None:
    """The game is over, the column is full, or the column is off the board."""
    for (position, column), error in zip(ERRORS, output[1]["errors"], strict=True):
        with pytest.raises(RequestError) as caught:
            require_legal_move(parse_unfinished_position(position), column)
        assert (error["code"], error["params"]) == (caught.value.code, caught.value.params)


def test_a_difference_is_found(output: tuple[Results, dict[str, Any]]) -> None:
    """The comparison fails if one field of one fact differs."""
    case, expected, found = next(entry for entry in output[0] if entry[2]["facts"])
    fact = describe_fact(expected.explanation.facts[0])
    for field in fact:
        changed = [{**found["facts"][0], field: "other"}, *found["facts"][1:]]
        with pytest.raises(AssertionError):
            compare(case, expected, {**found, "facts": changed})
