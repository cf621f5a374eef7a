"""Tests explanations over the websocket: facts, sentences, the values of the shown analysis, errors, limits."""

import re
from pathlib import Path

import pytest

from fourfall import Board
from fourfall.coach import explain
from fourfall.web.app import Settings
from fourfall.web.limits import Limits
from tests.web.analysis.test_analysis_job import receive_last
from tests.web.conftest import Page, run_in_thread


def test_facts_and_sentences_are_those_of_the_coach(page: Page) -> None:
    """The reply has all facts of the coach, and the sentences of the facts together are the explanation."""
    position = "10x11@4,7:1389b794b9849"
    reply = page.request("explanation", type="explain", position=position, column=10)
    expected = explain(Board.parse(position), 10).to_json_value()
    assert (reply["position"], reply["column"], reply["text"]) == (position, 10, expected["text"])
    assert [{**fact, "text": None} for fact in reply["facts"]] == [{**fact, "text": None} for fact in expected["facts"]]
    assert len(reply["facts"]) > 1
    for language in ("en", "zh"):
        sentences = [sentence for fact in reply["facts"] for sentence in fact["text"][language]]
        assert sentences == reply["text"][language]
        assert reply["facts"][0]["text"][language]


def test_explanation_uses_the_analysis_of_the_position(page: Page) -> None:
    """A comparison has the same values as the analysis that the page shows, and prefers the same column."""
    page.send(type="analyse", position="9x9@4,4:55", simulations=300, engine="seed-002")
    analysis = receive_last(page)
    columns = sorted(analysis["columns"], key=lambda column: column["win_chance"])
    best = next(column for column in columns if column["column"] == analysis["move"])
    reply = page.request("explanation", type="explain", position="9x9@4,4:55", column=columns[0]["column"])
    [comparison] = [fact for fact in reply["facts"] if fact["kind"] == "comparison"]
    assert comparison["column"] == best["column"]
    values = [int(percent) for percent in re.findall(r"(\d+) %", comparison["text"]["en"][0])]
    assert values == [pytest.approx(100 * each["win_chance"], abs=0.51) for each in (best, columns[0])]


def test_explanation_without_analysis_compares_columns(page: Page) -> None:
    """Where no fact decides, the server searches for a short time."""
    reply = page.request("explanation", type="explain", position="9x9@4,4:55", column=0)
    assert "comparison" in [fact["kind"] for fact in reply["facts"]]


@pytest.mark.parametrize(
    ("position", "column", "code"),
    [
        ("6x7:8", 0, "bad_position"),
        ("6x7:1212121", 3, "game_over"),
        ("6x7", 7, "illegal_move"),
        ("6x7:111111", 0, "column_full"),
        ("6x7", 12, "bad_message"),
        ("6x7", -1, "bad_message"),
    ],
)
def test_errors(page: Page, position: str, column: int, code: str) -> None:
    """A position or move that cannot be explained is refused with the usual codes."""
    assert page.request("explanation", type="explain", position=position, column=column)["code"] == code


def test_full_queue_refuses_an_explanation(tmp_path: Path) -> None:
    """An explanation counts among the analyses of a client."""
    limits = Limits(queued_analyses=1)
    with run_in_thread(Settings(tmp_path / "page.db", limits=limits)) as server, server.open_page() as page:
        page.send(type="analyse", position="9x9@4,4:5", key="k")
        page.receive("analysis")
        reply = page.request("explanation", type="explain", position="6x7:44", column=3)
        assert (reply["code"], reply["params"]) == ("busy", {"limit": 1})
