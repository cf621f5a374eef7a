"""Tests of a ladder in the view Watch: table, chart, suspended agents, live changes, accessibility."""

import re
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, expect

from fourfall.arena.ladder.registry import Ladder
from fourfall.arena.ladder.suspension import RepeatedFailure
from fourfall.arena.spec import Entrant
from fourfall.arena.store import Store
from tests.arena.ladders import add_pairs
from tests.web.browser.conftest import Visit
from tests.web.browser.server import Server

HOSTILE = "<img src=x onerror=alert(1)>"
HAS_NO_SCROLLBAR = "document.documentElement.scrollWidth <= innerWidth"


@pytest.fixture(scope="module")
def ladder(server: Server) -> Iterator[Ladder]:
    """Store a ladder of three rated agents, one of them suspended, and a new one in the server's database."""
    with Store(server.database) as store:
        ladder = Ladder.create(store)
        ladder.add_agents([Entrant(name, "level-2") for name in ("left", "right", HOSTILE, "new")])
        add_pairs(ladder, 20)
        add_pairs(ladder, 20, ("left", HOSTILE), first_pair=20)
        [game] = store.find_games(ladder.event, latest=1)
        ladder.suspend_agent(HOSTILE, RepeatedFailure(4, 4, game.id))
        yield ladder


def test_ladder_is_shown_and_changes(visit: Visit, ladder: Ladder) -> None:
    """Table, chart and suspended agents are shown; arrow keys select a time; names select lines; changes arrive."""
    page = visit(f"#watch={ladder.event}")
    rows = page.locator(".ladder-table tbody tr")
    expect(rows).to_have_count(4)
    expect(rows.nth(0)).to_contain_text("left")
    expect(rows.nth(2)).to_contain_text("new")
    expect(rows.nth(2)).to_contain_text("not rated yet")
    expect(rows.nth(3)).to_contain_text(HOSTILE)
    expect(rows.nth(3)).to_contain_text("suspended")
    expect(page.locator(".suspended-agents")).to_contain_text("lost its last 4 games by failures")
    chart = page.locator(".rating-chart")
    expect(chart.locator("path.line-style-0")).to_have_count(1)
    chart.focus()
    page.keyboard.press("Home")
    expect(chart).to_have_attribute("aria-valuetext", re.compile("After 10 games, .*: .*left"))
    expect(page.locator(".rating-chart .graph-tooltip")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(chart).to_have_attribute("aria-valuetext", re.compile("After 20 games"))
    page.get_by_role("button", name="left", exact=True).click()
    expect(chart.locator(".line-label")).to_have_count(2)
    ladder.resume_agent(HOSTILE)
    expect(page.locator(".suspended-agents")).to_be_hidden()
    add_pairs(ladder, 5, ("left", "new"), first_pair=40)
    expect(rows.filter(has_text="new").first).not_to_contain_text("not rated yet")
    page.locator("#language").click()
    expect(page.get_by_role("heading", name="等级分变化")).to_be_visible()


@pytest.mark.parametrize(("theme", "width"), [("light", 1200), ("dark", 360)])
def test_ladder_is_accessible(visit: Visit, ladder: Ladder, theme: str, width: int) -> None:
    """Axe finds no violation in either theme, and the page does not scroll sideways on a phone."""
    page: Page = visit(f"#watch={ladder.event}", color_scheme=theme, width=width)
    page.locator(".rating-chart path").first.wait_for()
    violations = Axe().run(page).response["violations"]
    assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in violations] == []
    assert page.evaluate(HAS_NO_SCROLLBAR)
