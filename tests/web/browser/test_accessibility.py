"""Tests of accessibility: axe rules in both themes, narrow screens, themes."""

import json
import re

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Visit
from tests.web.browser.page_actions import (
    BEGINNER,
    TWO_PERSONS,
    click_column,
    close_dialog,
    play_columns,
    wait_for_turn,
)

VIEWS = {
    "play": "",
    "analyse": "#9x10@5,4:6446447888",
    "edit": "#9x10@5,4:6446447888",
    "review": "#review=6x7:17171747",
    "learn": "#learn",
    "lesson": "#lesson=3",
    "watch": "#watch",
    "games": "#games",
}
SETTINGS = {"setup": BEGINNER, "review": {"move_time_s": 0.1}, "display_options_open": True, "explorer_open": True}
LATIN_WORDS_IN_CHINESE = {
    "Fourfall",
    "English",
    "SVG",
    "PNG",
    "GIF",
    "JSON",
    "Ctrl",
    "Elo",
    "fourfall",
    "classic",
    "value",
    "float",
    "seed",
    "make",
    "run",
}


def fill_view(page: Page, view: str) -> None:
    """Bring a view to the state in which it shows most elements."""
    if view == "play":
        click_column(page, 3)
        assert wait_for_turn(page)
    elif view == "analyse":
        page.locator(".column-value.best").wait_for()
        page.get_by_role("button", name="Show threats").click()
    elif view == "edit":
        page.get_by_role("button", name="New board").click()
        page.get_by_label("Rows", exact=True).fill("13")
        page.locator(".editor-status[data-state=legal]").wait_for()
    elif view == "review":
        page.locator("[data-action=start-review]").click()
        page.locator(".accuracy").wait_for()
        page.locator(".mistakes button").first.click()
        page.locator(".reason-fact").first.wait_for()
    elif view == "lesson":
        page.locator("[role=gridcell]").first.wait_for()
        page.keyboard.press("1")
        page.locator(".reason-fact").first.wait_for()
    else:
        expect(page.get_by_text("Loading …")).to_have_count(0)


@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_no_violation(visit: Visit, view: str) -> None:
    """Axe finds no accessibility violation in any view, the setup and the shortcut dialog, in both themes."""
    page = visit(VIEWS[view], settings=SETTINGS)
    if view == "play":
        _assert_no_violation(page)
    fill_view(page, view)
    _assert_no_violation(page)
    if view == "games":
        page.keyboard.press("?")
        _assert_no_violation(page)


def test_axe_finds_no_violation_in_dialogs_clocks_and_results(visit: Visit) -> None:
    """Axe finds no violation in the rules, a running clock, the question before leaving and the result card."""
    setup = {**TWO_PERSONS, "clock_minutes": 5}
    page = visit(settings={"setup": setup, "rules_seen": False})
    page.locator("dialog .rules").wait_for()
    _assert_no_violation(page)
    page.locator("dialog [data-action=close]").click()
    play_columns(page, "112233")
    _assert_no_violation(page)
    page.keyboard.press("n")
    page.locator("dialog [data-action=confirm]:enabled").wait_for()
    _assert_no_violation(page)
    close_dialog(page)
    play_columns(page, "4")
    page.locator("[data-action=turning-point]").wait_for()
    _assert_no_violation(page)


def _assert_no_violation(page: Page) -> None:
    """Apply all rules in the light theme, and those about colours again in the dark theme."""
    for theme, rules in (("light", {}), ("dark", {"runOnly": ["cat.color"]})):
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        # Without `resultTypes`, axe also describes every element that passed a rule, which takes most of its time.
        found = Axe().run(page, options={"resultTypes": ["violations"], **rules}).response["violations"]
        report = [[rule["id"], [node["html"] for node in rule["nodes"]]] for rule in found]
        assert found == [], json.dumps([theme, *report], indent=1)
        page.evaluate("() => window.switchTheme()")


@pytest.mark.parametrize("view", VIEWS)
def test_narrow_screen_has_no_horizontal_scrolling(visit: Visit, view: str) -> None:
    """At 360 pixels no view is wider than the screen in either language, and the Chinese page has no English words."""
    page = visit(VIEWS[view], width=360, height=740, settings=SETTINGS)
    fill_view(page, view)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.locator("#language").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    words = set(re.findall(r"[A-Za-z]{2,}", page.locator("body").inner_text()))
    assert words <= LATIN_WORDS_IN_CHINESE


def test_theme_is_switched_and_stored(visit: Visit) -> None:
    """The page starts with the system's theme; the button changes it, and a reload keeps the change."""
    page = visit(color_scheme="dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.locator("#theme").click()
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
