"""Tests of the view Watch: start a match, watch it, open its games."""

from playwright.sync_api import expect

from tests.web.browser.conftest import Visit


def test_match_is_started_watched_and_its_games_opened(visit: Visit) -> None:
    """A match between two levels fills standings and cross table, and its games can be opened."""
    page = visit("#watch")
    page.locator("[data-field=a]").select_option("level-1")
    page.locator("[data-field=b]").select_option("level-2")
    page.locator("[data-field=games]").fill("4")
    page.locator("[data-action=match]").click()
    expect(page.locator(".state")).to_have_text("complete", timeout=30_000)
    expect(page.locator("tbody tr").first.locator("td").nth(2)).to_have_text("4")
    expect(page.locator(".cross-table tbody tr")).to_have_count(2)
    page.locator(".games a").first.click()
    expect(page.locator(".move-list .move").nth(7)).to_be_visible()
    page.go_back()
    page.get_by_text("All games of this event").click()
    expect(page.locator(".games li")).to_have_count(4)
