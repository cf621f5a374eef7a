"""Tests of the view Review: mistakes, better moves, thresholds, retry."""

from playwright.sync_api import expect

from tests.web.browser.conftest import Visit
from tests.web.browser.page_actions import ENGINE_OFF, click_column, read_position

BLUNDER = "6x7:17171747"
"""Both sides have three stones in a column. Blue plays column 4 instead of winning in column 1, and loses."""


def test_review_finds_the_blunder_and_offers_a_retry(visit: Visit) -> None:
    """The review marks the blunder, names the better move, shows it, and lets the user retry from there."""
    page = visit(f"#{BLUNDER}", settings={"analyse": ENGINE_OFF, "review": {"move_time_s": 0.1}})
    page.locator("[data-action=review]").click()
    expect(page.locator(".accuracy")).to_be_visible()
    blunder = page.locator(".mistakes [data-mark=blunder][data-ply='6']")
    expect(blunder).to_contain_text("column 4")
    blunder.click()
    assert read_position(page) == BLUNDER[:-1]
    expect(page.locator(".move-comment")).to_contain_text("Better: column 1")
    expect(page.locator(".evaluation-graph .mistake-dot.blunder").last).to_be_visible()
    page.get_by_text("Thresholds", exact=True).click()
    page.locator("[data-field=threshold-inaccuracy]").fill("100")
    page.locator("[data-field=threshold-inaccuracy]").blur()
    expect(page.locator(".mistakes li")).to_have_count(1)
    page.locator("[data-action=show-better]").click()
    assert read_position(page) == BLUNDER[:-2] + "1"
    page.locator("[data-ply='7'].move").first.click()
    page.locator("[data-action=retry]").click()
    assert read_position(page) == BLUNDER[:-2]
    click_column(page, 0)
    expect(page.locator(".status.over")).to_contain_text("You win")
