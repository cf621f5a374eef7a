"""Tests of explanations: the sentences of every kind in both languages, plain data, and bad input."""

import json
import random
import re

import pytest

from fourfall import Board, Engine, IllegalMove, Limit, NotationError, Score
from fourfall.arena.openings import play_random_opening
from fourfall.coach import LANGUAGES, Budget, ColumnScore, Explanation, FactKind, explain
from fourfall.coach.sentences import MAX_SENTENCES, write_sentences
from tests.coach.examples import EXAMPLES, Example
from tests.coach.positions import make_position
from tests.coach.statements import check_explanation


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.kind.value)
def test_kind_is_found_true_and_written(example: Example) -> None:
    """The example has a fact of its kind, all its facts are true, and its sentence has the expected words."""
    explanation = example.explain()
    fact = next(fact for fact in explanation.facts if fact.kind == example.kind)
    assert check_explanation(explanation) == []
    alone = Explanation(explanation.board, explanation.column, (fact,))
    assert example.words in " ".join(alone.write())
    check_text(alone)
    check_text(explanation)


def test_every_kind_has_an_example() -> None:
    """The examples cover all kinds, in the order of the enumeration."""
    assert [example.kind for example in EXAMPLES] == list(FactKind)


def check_text(explanation: Explanation) -> None:
    """Check that there are one to three complete sentences in each language."""
    english, chinese = explanation.write("en"), explanation.write("zh")
    for sentences in (english, chinese, explanation.write("en", text_board=True)):
        assert 1 <= len(sentences) <= MAX_SENTENCES
        assert not any(re.search(r"None|[{}]|  ", text) for text in sentences)
    assert len(english) == len(chinese)
    assert all(re.fullmatch(r"[A-Z0-9].*\.", text) for text in english)
    assert all(text.endswith("。") and not re.search(r"[A-Za-z]{2}|[,;:]", text) for text in chinese)
    assert not any("Blue" in text or "Orange" in text for text in explanation.write("en", text_board=True))


def test_sentences_name_the_same_columns_and_numbers_in_both_languages() -> None:
    """Both languages come from the same facts: the names of columns and the numbers of a sentence agree."""
    rng = random.Random(3)  # noqa: S311 (not for cryptography)
    for _ in range(300):
        board = make_position(rng, is_small=rng.random() < 0.7)
        explanation = explain(board, rng.choice(board.legal_moves), budget=Budget(1000, 1000))
        check_text(explanation)
        for english, chinese in zip(explanation.write("en"), explanation.write("zh"), strict=True):
            numbers = [sorted(re.findall(r"\d+(?!-)", re.sub(r"\b\w(-\w)+", "", text))) for text in (english, chinese)]
            # The columns of the move itself are "here" in one language and named in the other.
            assert set(numbers[0]) ^ set(numbers[1]) <= {str(explanation.column + 1)}, (english, chinese)


def test_rows_count_from_the_bottom_on_the_page_and_from_the_top_in_text() -> None:
    """The same cell has the row of the page or the row of the text board."""
    explanation = explain(Board.parse("6x6@1,5:1134631"), 0)
    assert explanation.write() == ["Orange gets a winning cell in column 2, row 3."]
    assert explanation.write(text_board=True) == ["O gets a winning cell in column 2, row 3."]
    assert explain(Board.parse("6x7:364"), 0).write(text_board=True) == [
        "A stone of X here would make a winning cell in column 2, row 5."
    ]


def test_plain_data() -> None:
    """The data can be written as JSON and has the cells, lines and numbered stones of every fact."""
    value = json.loads(json.dumps(explain(Board.parse("6x7:4426"), 4).to_json_value()))
    assert value["facts"] == [
        {
            "kind": "misses_sequence",
            "player": 0,
            "cells": [[5, 0], [5, 4]],
            "lines": [[[5, 0], [5, 1], [5, 2], [5, 3]], [[5, 1], [5, 2], [5, 3], [5, 4]]],
            "moves": [
                {"row": 5, "col": 2, "player": 0},
                {"row": 5, "col": 0, "player": 1},
                {"row": 5, "col": 4, "player": 0},
            ],
            "column": 2,
        }
    ]
    assert set(value["text"]) == set(LANGUAGES)


def test_analysis_of_an_engine_is_compared() -> None:
    """With an analysis, a weak move is compared with the best one, and the estimates are called estimates."""
    board = Board.parse("9x9@4,4")
    analysis = Engine("fourfall-classic", threads=1).analyse(board, Limit(simulations=300))
    weak = min(analysis.columns, key=lambda entry: entry.score)
    sentences = explain(board, weak.column, analysis=analysis).write()
    assert "The engine prefers column" in sentences[-1]
    assert "it estimates" in sentences[-1]


def test_analysis_of_another_position_is_an_error() -> None:
    """The error names both positions."""
    analysis = Engine("seed-002").analyse(Board.parse("6x7:4"), Limit(simulations=20))
    with pytest.raises(ValueError, match="the analysis is of another position, 6x7:4, not of 6x7:5"):
        explain(Board.parse("6x7:5"), 0, analysis=analysis)


def test_proven_results_of_columns_are_compared() -> None:
    """Given scores are used: a proven draw elsewhere is named after a proven loss."""
    board = Board.parse("6x7:44")
    scores = [ColumnScore(0, Score.loss(20), [0]), ColumnScore(3, Score.draw(40), [3])]
    sentences = explain(board, 0, analysis=scores).write()
    assert sentences[0] == "After this move Orange wins in at most 10 moves with best play (proven)."
    assert "Column 4 would hold a draw (proven)." in sentences


def test_explanation_is_deterministic_and_leaves_the_board() -> None:
    """The same arguments give the same facts; the board keeps its moves."""
    board = Board.parse("6x7:7653424353331367")
    first, second = explain(board, 4), explain(board, 4)
    assert first.facts == second.facts
    assert board.notation == "6x7:7653424353331367"


def test_open_position_says_only_what_is_known() -> None:
    """Without facts there is one sentence that claims nothing."""
    explanation = explain(Board.parse("9x9@2,1:372541889247"), 0)
    assert explanation.facts == ()
    assert explanation.write() == ["Nothing is proved about this move: neither side was found to win by force."]


@pytest.mark.parametrize(
    ("position", "column", "message"),
    [
        ("6x7:1212121", 3, "the game is over"),
        ("4x4:1111", 0, r"column 0 \(named 1\) is full"),
        ("6x7", 7, "column 7 is off the board: columns are 0..6"),
        ("6x7", -1, "column -1 is off the board"),
    ],
)
def test_impossible_moves_are_errors(position: str, column: int, message: str) -> None:
    """A finished game, a full column and a column off the board have an error that says so."""
    with pytest.raises(IllegalMove, match=message):
        explain(Board.parse(position), column)


def test_unknown_language_is_an_error() -> None:
    """The error lists the languages."""
    with pytest.raises(ValueError, match="unknown language 'fr'; choose one of en, zh"):
        write_sentences(Board(6, 7), 3, (), "fr")  # type: ignore[arg-type]


def test_malformed_position_is_an_error() -> None:
    """The notation names the character, before anything is explained."""
    with pytest.raises(NotationError, match="character 5"):
        explain(Board.parse("6x7:z"), 0)


def test_no_other_column_is_preferred_to_the_engines_choice() -> None:
    """A comparison never says that the engine prefers another column to the one that it chose.

    Among these positions are some in which another column has a higher estimate, from fewer simulations.
    """
    engine = Engine("fourfall", seed=1, threads=1)
    has_higher_estimate = False
    for seed in range(30):
        board = play_random_opening(Board.random(seed), 10, seed)
        analysis = engine.analyse(board, Limit(simulations=200))
        chosen = analysis.columns[board.legal_moves.index(analysis.move)].score
        has_higher_estimate = has_higher_estimate or any(entry.score > chosen for entry in analysis.columns)
        for fact in explain(board, analysis.move, analysis=analysis).facts:
            assert fact.kind != FactKind.COMPARISON or fact.player == board.turn
    assert has_higher_estimate
