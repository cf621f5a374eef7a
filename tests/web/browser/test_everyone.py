"""Owns the proof that the page is for everyone: both languages, both themes, small screens, screen readers."""

import json
import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, expect

import fourfall
from tests.web.browser.conftest import Opener
from tests.web.browser.steps import BEGINNER, click_column, wait_for_turn

STATIC = Path(fourfall.__file__).parent / "web" / "static"
VIEWS = {
    "play": "",
    "analyse": "#9x10@5,4:6446447888",
    "review": "#review=6x7:17171747",
    "watch": "#watch",
    "games": "#games",
}
REMEMBERED = {"setup": BEGINNER, "review": {"time_s": 0.1}, "shown": True}


def settled(page: Page, view: str) -> None:
    """Bring a view into the state that has most to show."""
    if view == "play":
        click_column(page, 3)
        assert wait_for_turn(page)
    elif view == "analyse":
        page.locator(".value.best").wait_for()
    elif view == "review":
        page.locator("[data-action=start-review]").click()
        page.locator(".mistakes button").first.click()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing(visit: Opener, view: str, theme: str) -> None:
    """No view has an accessibility violation in either theme."""
    page = visit(VIEWS[view], color_scheme=theme, remembered=REMEMBERED)
    if view == "play":
        _without_violations(page)
    settled(page, view)
    _without_violations(page)
    if view == "games":
        page.keyboard.press("?")
        _without_violations(page)


def _without_violations(page: Page) -> None:
    found = Axe().run(page).response["violations"]
    assert found == [], json.dumps([[rule["id"], [node["html"] for node in rule["nodes"]]] for rule in found], indent=1)


@pytest.mark.parametrize("view", VIEWS)
def test_a_narrow_screen_scrolls_one_way_in_both_languages(visit: Opener, view: str) -> None:
    """At 360 pixels nothing sticks out at the side, and in Chinese no English is left but names and formats."""
    page = visit(VIEWS[view], width=360, height=740, remembered=REMEMBERED)
    settled(page, view)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.locator("#language").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    words = set(re.findall(r"[A-Za-z]{2,}", page.locator("body").inner_text()))
    assert words <= {"Fourfall", "English", "SVG", "PNG", "JSON", "Elo", "fourfall", "classic", "seed"}


def test_the_language_is_switched_and_remembered(visit: Opener) -> None:
    """One click turns every word Chinese, and the page comes back that way."""
    page = visit()
    page.locator("#language").click()
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    expect(page.locator("#nav")).to_contain_text("复盘")
    expect(page.locator(".status")).to_have_text("点一列开始对局")
    page.reload()
    expect(page.locator(".status")).to_have_text("点一列开始对局")


def test_both_languages_have_the_same_words() -> None:
    """Every English key has a Chinese one, and every key the page asks for exists."""
    assert _keys("en") == _keys("zh")
    asked = {key for file in STATIC.glob("*.js") for key in re.findall(r'\bt\("([^"]+)"', file.read_text())}
    assert asked
    assert asked - _keys("en") == set()


def _keys(language: str) -> set[str]:
    words = (STATIC / f"words_{language}.js").read_text(encoding="utf-8")
    return set(re.findall(r'^  "?([a-z][\w. ]*?)"?:\s', words, re.M))


def test_the_theme_is_switched_and_remembered(visit: Opener) -> None:
    """The system's preference is the default, the button overrides it, and the choice lasts."""
    page = visit(color_scheme="dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.locator("#theme").click()
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")


def test_every_file_says_what_it_owns() -> None:
    """Scripts and styles open with one sentence about what they own, and none is long."""
    for file in [*STATIC.glob("*.js"), *STATIC.glob("*.css")]:
        text = file.read_text(encoding="utf-8")
        assert re.match(r"(// |/\* )Owns .*\.( \*/)?\n", text), file.name
        assert len(text.splitlines()) < 400, file.name


def test_the_page_is_small() -> None:
    """All files of the page together stay under 250 KB."""
    assert sum(file.stat().st_size for file in STATIC.rglob("*") if file.is_file()) < 250_000
