"""Tests of the reasons for moves: with the hint in Play, for a column in Analyse, for a mistake in Review."""

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Visit
from tests.web.browser.page_actions import ONE_SECOND, TWO_PERSONS, play_columns


@pytest.mark.both_pages
def test_hint_has_a_reason(visit: Visit) -> None:
    """The reason appears below the hint, is announced, and its line is drawn until the next move."""
    page = visit(settings={"setup": TWO_PERSONS})
    play_columns(page, "112233")
    page.keyboard.press("h")
    reason = page.locator(".reason")
    expect(reason).to_have_text("Blue wins at once: the stone in column 4 completes four in a row.")
    expect(page.locator("#announcements")).to_contain_text("Blue wins at once")
    expect(page.locator(".board-frame .fact-line.player-0-line")).to_have_count(1)
    page.locator("#language").click()
    expect(reason).to_contain_text("当即连成四子获胜")
    page.keyboard.press("7")
    expect(reason).to_be_hidden()
    expect(page.locator(".board-frame .fact-line")).to_have_count(0)


@pytest.mark.both_pages
def test_columns_are_explained_in_analyse(visit: Visit) -> None:
    """The best column has a reason that the user can draw; a selected column has its own, drawn with numbers."""
    page = visit("#6x7:4455", settings={"analyse": ONE_SECOND})
    reason, cells = page.locator(".reason"), page.locator(".board-frame .fact-cell")
    expect(reason).to_contain_text("Orange can block only one.")
    expect(cells).to_have_count(0)
    page.locator(".reason-fact").click()
    expect(page.locator(".reason-fact")).to_have_attribute("aria-pressed", "true")
    expect(cells).to_have_count(2)
    page.locator(".reason-fact").click()
    expect(cells).to_have_count(0)
    page.locator(".column-value").nth(6).click()
    expect(reason.get_by_role("heading")).to_have_text("Why column 7")
    expect(reason).to_contain_text("Blue could win by force in 2 moves with column")
    expect(page.locator(".board-frame .preview-stone").first).to_have_text("1")
    expect(page.locator("#announcements")).to_contain_text("Blue could win by force")
    page.locator(".display-options summary").click()
    page.get_by_label("Reason for the move").uncheck()
    expect(reason).to_be_hidden()


def test_mistakes_are_explained_in_review(visit: Visit) -> None:
    """Each mistake has its reason below the comment, drawn on the board; a retry does not show it."""
    page = visit("#review=6x7:17171747", settings={"review": {"move_time_s": 0.05}})
    page.locator("[data-action=start-review]").click()
    page.locator(".accuracy").wait_for()
    page.locator(".mistakes button").last.click()
    reason = page.locator(".move-comment .reason")
    expect(reason).to_contain_text("Blue could win at once in column 1.")
    expect(page.locator(".board-frame .fact-line")).not_to_have_count(0)
    page.keyboard.press("r")
    expect(reason).to_have_count(0)
    expect(page.locator(".board-frame .fact-line")).to_have_count(0)
