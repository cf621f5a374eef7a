"""Tests of the view Analyse: column values, display options, graph, variations, queue."""

import re

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Visit
from tests.web.browser.page_actions import ONE_SECOND, click_column, expect_fragment, expect_position, read_boxes


def test_analysis_is_visible_without_a_click(visit: Visit) -> None:
    """A linked position shows column values, expected moves and statistics."""
    page = visit("#10x11@4,7:6655")
    page.locator(".column-value.best").wait_for()
    expect(page.locator(".column-value")).to_have_count(11)
    expect(page.locator(".board-frame .preview-stone").first).to_contain_text("1")
    expect(page.locator(".statistics")).to_contain_text("simulations/s")


@pytest.mark.both_pages
def test_proven_win_is_shown_with_distance(visit: Visit) -> None:
    """The column value, its label for screen readers and the evaluation give the distance of a proven win."""
    page = visit("#6x7:112233", settings={"analyse": ONE_SECOND})
    best = page.locator(".column-value.best")
    expect(best).to_contain_text("win")
    expect(best).to_have_attribute("aria-label", "Column 4: Blue wins in 1 (best)")
    expect(page.locator(".evaluation")).to_have_text("Blue wins in 1")


@pytest.mark.both_pages
def test_known_board_shows_the_exact_result(visit: Visit) -> None:
    """An empty board of the census has exact column values, a headline and its source, without a search."""
    page = visit("#4x6@3,1")
    expect(page.locator(".evaluation")).to_have_text("Blue wins in 11")
    expect(page.locator(".engine-output .source")).to_have_text(
        "Exact result from the census of solved boards, without a search."
    )
    expect(page.locator(".column-value.best")).to_have_attribute("aria-label", "Column 2: Blue wins in 11 (best)")
    expect(page.locator(".column-value")).to_have_count(6)
    expect(page.locator(".statistics")).to_have_count(0)
    click_column(page, 0)
    expect(page.locator(".engine-output .source")).to_have_count(0)
    expect(page.locator(".statistics")).to_be_visible()


def test_display_options_hide_parts_and_show_threats(visit: Visit) -> None:
    """Each part of the analysis can be hidden, and the threats of each side can be shown."""
    page = visit("#6x7:112233", settings={"analyse": ONE_SECOND})
    page.locator(".column-value.best").wait_for()
    page.locator(".display-options summary").click()
    for label, part in [
        ("Values below the columns", ".column-value.best"),
        ("Evaluation bar", ".evaluation-bar"),
        ("Expected moves", ".preview-stone"),
    ]:
        page.get_by_label(label, exact=True).uncheck()
        expect(page.locator(part)).not_to_be_visible()
    page.get_by_label("Threats of Blue").check()
    expect(page.locator(".board-frame .threat.player-0")).to_have_count(1)
    page.get_by_label("Threats of Orange").check()
    expect(page.locator(".board-frame .threat.player-1")).to_have_count(1)
    page.keyboard.press("e")
    expect(page.locator("[data-action=engine]")).to_have_text("Off")


def test_graph_selects_positions_by_click_and_arrow_keys(visit: Visit) -> None:
    """A click in the graph selects the position; arrow keys move the selection."""
    page = visit("#6x7:4433556", settings={"analyse": ONE_SECOND})
    graph = page.get_by_role("slider", name="Evaluation graph of the game")
    page.locator(".graph-plot .axis-label").first.wait_for(state="attached")
    (box,) = read_boxes(page, ".graph-plot")
    graph.click(position={"x": 28, "y": 60})
    expect_position(page, "6x7")
    graph.click(position={"x": box["width"] - 10, "y": 60})
    expect_position(page, "6x7:4433556")
    graph.press("ArrowLeft")
    graph.press("ArrowLeft")
    expect_position(page, "6x7:44335")
    expect(graph).to_have_attribute("aria-valuenow", "5")


def test_graph_of_an_opened_game_is_filled_without_a_click(visit: Visit) -> None:
    """A quick review gives every position of an opened game a score."""
    page = visit("#6x7:4433556", settings={"analyse": ONE_SECOND})
    page.locator(".evaluation-graph .curve").wait_for(state="attached")
    graph = page.get_by_role("slider", name="Evaluation graph of the game")
    graph.press("Home")
    expect(graph).to_have_attribute("aria-valuetext", re.compile(r"Start\. Blue: \d+% win chance"))


def test_variations_are_added_linked_and_deleted(visit: Visit) -> None:
    """Other moves start a variation with its own link; deleting it leaves the main line unchanged."""
    page = visit("#6x7:4433&ply=2", settings={"analyse": ONE_SECOND})
    click_column(page, 0)
    click_column(page, 1)
    expect_position(page, "6x7:4412")
    expect(page.locator(".variation .move")).to_have_count(2)
    expect_fragment(page, "6x7:4412")
    page.locator("body").press(",")
    expect_position(page, "6x7:441")
    page.get_by_text("Delete variation").click()
    expect(page.locator(".variation")).to_have_count(0)
    page.keyboard.press(">")
    expect_position(page, "6x7:4433")


def test_place_in_queue_is_shown_in_both_languages(visit: Visit) -> None:
    """While an analysis waits, the page shows its place in the queue."""
    page = visit("#6x7:44", settings={"analyse": {**ONE_SECOND, "budget": "unlimited"}})
    page.locator(".column-value.best").wait_for()
    page.evaluate(
        "() => { const { connection, views } = window.fourfall; connection.listeners.get('analysis').clear();"
        " const key = String(views.analyse.requestCounter);"
        " connection.receive({ type: 'queued', what: 'analysis', place: 3, key }); }"
    )
    output = page.locator(".engine-output")
    expect(output).to_contain_text("The engine is busy. Your analysis is number 3 in the queue.")
    page.locator("#language").click()
    expect(output).to_contain_text("你的分析排在第 3 位")
