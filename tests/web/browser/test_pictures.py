"""Owns the pictures of the page for README and docs: FOURFALL_SCREENSHOTS=1 takes them again."""

import os
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Opener
from tests.web.browser.steps import drop, wait_for_turn

pytestmark = pytest.mark.skipif(
    "FOURFALL_SCREENSHOTS" not in os.environ, reason="takes pictures: FOURFALL_SCREENSHOTS=1"
)

IMAGES = Path(__file__).parents[3] / "docs" / "images"
GAME = "9x10@5,4:64464478886686348668484461111733773991575"
LOOKS: dict[str, dict[str, Any]] = {
    "": {"width": 1200, "height": 780},
    "-dark": {"width": 1200, "height": 780, "color_scheme": "dark"},
}
PHONE: dict[str, Any] = {"width": 360, "height": 740, "device_scale_factor": 2}


def test_play(visit: Opener) -> None:
    """Takes Play in the middle of a game, on a desk and on a phone."""
    for name, look in [("page-play", LOOKS[""]), ("page-play-phone", PHONE)]:
        page = visit(f"#{GAME[:15]}", remembered={"analyse": {"on": False}, "setup": {"level": 2}}, **look)
        page.locator("[data-action=play-on]").click()
        drop(page, 5)
        assert wait_for_turn(page)
        _take(page, name)


@pytest.mark.parametrize("theme", LOOKS)
def test_analyse(visit: Opener, theme: str) -> None:
    """Takes Analyse after a few seconds of thinking."""
    page = visit(f"#{GAME[:30]}", remembered={"analyse": {"budget": "5s"}}, **LOOKS[theme])
    page.locator(".value.best").wait_for()
    page.locator(".graph .curve").wait_for(state="attached", timeout=20_000)
    page.locator(".said[aria-busy=false]").wait_for(timeout=20_000)
    _take(page, f"page-analyse{theme}")


def test_review(visit: Opener) -> None:
    """Takes Review of a whole game, standing on its worst mistake."""
    page = visit(f"#review={GAME}", remembered={"review": {"time_s": 0.2}}, **LOOKS[""])
    page.locator("[data-action=start-review]").click()
    expect(page.locator(".accuracy")).to_be_visible(timeout=60_000)
    page.locator(".mistakes button").last.click()
    _take(page, "page-review")


def test_watch(visit: Opener) -> None:
    """Takes Watch in the middle of a match."""
    page = visit("#watch", **LOOKS[""])
    page.locator("[data-field=a]").select_option("level-8")
    page.locator("[data-field=b]").select_option("level-6")
    page.locator("[data-field=games]").fill("20")
    page.locator("[data-action=match]").click()
    page.locator(".games li").nth(7).wait_for(timeout=60_000)
    page.locator(".live-game").first.wait_for()
    _take(page, "page-watch")


def _take(page: Page, name: str) -> None:
    page.mouse.move(0, 0)
    page.wait_for_timeout(700)
    page.screenshot(path=IMAGES / f"{name}.png")
