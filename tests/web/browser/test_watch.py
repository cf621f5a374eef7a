"""Owns the proof that games can be watched and found again: a match from the page, stored games, pasted ones."""

from playwright.sync_api import expect

from tests.web.browser.conftest import Opener
from tests.web.browser.steps import BEGINNER, click_column, position, wait_for_turn

PRINTOUT = """
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. . . O . . .
. . . X X . .
"""


def test_a_match_is_started_watched_and_its_games_opened(visit: Opener) -> None:
    """A match between two levels fills standings and cross table by itself, and its games are one click away."""
    page = visit("#watch")
    page.locator("[data-field=a]").select_option("level-1")
    page.locator("[data-field=b]").select_option("level-2")
    page.locator("[data-field=games]").fill("4")
    page.locator("[data-action=match]").click()
    expect(page.locator(".state")).to_have_text("complete", timeout=30_000)
    expect(page.locator("tbody tr").first.locator("td").nth(2)).to_have_text("4")
    expect(page.locator(".cross tbody tr")).to_have_count(2)
    page.locator(".games a").first.click()
    expect(page.locator(".moves .move").nth(7)).to_be_visible()
    page.go_back()
    page.get_by_text("All games of this event").click()
    expect(page.locator(".games li")).to_have_count(4)


def test_a_played_game_is_kept(visit: Opener) -> None:
    """A game of the page is in the list, unfinished, and goes on from there."""
    page = visit(remembered={"setup": BEGINNER})
    click_column(page, 3)
    assert wait_for_turn(page)
    held, name = position(page), page.url.split("=")[-1]
    page.keyboard.press("n")
    page.keyboard.press("Shift+G")
    page.locator(f".games [data-game={name}] .who").click()
    expect(page.locator(".frame .stone")).to_have_count(2)
    assert position(page) == held


def test_anything_pasted_opens(visit: Opener) -> None:
    """A position, a string of moves, a JSON record and a printed board open; nonsense is refused in words."""
    page = visit("#games", remembered={"analyse": {"on": False}})
    for text, found in [
        ("10x11@4,7:6655", "10x11@4,7:6655"),
        ("4 4 3", "6x7:443"),
        ('{"position": "6x7:5"}', "6x7:5"),
        (PRINTOUT, "6x7:445"),
    ]:
        page.goto(page.url.split("#")[0] + "#games")
        page.locator("[data-field=paste]").fill(text)
        page.locator("[data-action=open-pasted]").click()
        page.locator("main[data-view=analyse]").wait_for()
        assert sorted(position(page)) == sorted(found)
    page.goto(page.url.split("#")[0] + "#games")
    page.locator("[data-field=paste]").fill("hello")
    page.locator("[data-action=open-pasted]").click()
    expect(page.locator(".trouble")).to_contain_text("This cannot be read")
