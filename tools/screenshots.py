"""Takes screenshots of the web page for docs/images: `make screenshots`. The system needs a Chinese font."""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests.web.browser.page_actions import ENGINE_OFF, drop_stone, wait_for_turn
from tests.web.browser.server import CHROMIUM, Server, create_context, launch_browser, open_page

IMAGES = Path(__file__).parents[1] / "docs" / "images"
GAME = "9x10@5,4:64464478886686348668484461111733773991575"
DESKTOP: dict[str, Any] = {"width": 1200, "height": 780}
DARK: dict[str, Any] = {**DESKTOP, "color_scheme": "dark"}
PHONE: dict[str, Any] = {"width": 360, "height": 740, "device_scale_factor": 2}
ANIMATION_MS = 700
SEARCH_TIMEOUT_MS = 20_000
EVENT_TIMEOUT_MS = 60_000


def show_play(page: Page) -> None:
    """Continue a game after its sixth stone and play one move."""
    page.locator("[data-action=play-from-here]").click()
    drop_stone(page, 5)
    if not wait_for_turn(page):
        raise RuntimeError("the game of the screenshot is over after the first move")


def show_analyse(page: Page) -> None:
    """Wait until the analysis and the graph are complete."""
    page.locator(".column-value.best").wait_for()
    page.locator(".evaluation-graph .curve").wait_for(state="attached", timeout=SEARCH_TIMEOUT_MS)
    page.locator(".engine-output[aria-busy=false]").wait_for(timeout=SEARCH_TIMEOUT_MS)


def show_review(page: Page) -> None:
    """Review the whole game and select the last mistake."""
    page.locator("[data-action=start-review]").click()
    expect(page.locator(".accuracy")).to_be_visible(timeout=EVENT_TIMEOUT_MS)
    page.locator(".mistakes button").last.click()


def show_watch(page: Page) -> None:
    """Start a match and wait until eight games are over."""
    page.locator("[data-field=a]").select_option("level-80")
    page.locator("[data-field=b]").select_option("level-60")
    page.locator("[data-field=games]").fill("20")
    page.locator("[data-action=match]").click()
    page.locator(".games li").nth(7).wait_for(timeout=EVENT_TIMEOUT_MS)
    page.locator(".live-board").wait_for()


PLAY_SETTINGS = {"analyse": ENGINE_OFF, "setup": {"levelNumber": 20}}
ANALYSE_SETTINGS = {"analyse": {"budget": "5s"}}
SCREENSHOTS: list[tuple[str, str, Callable[[Page], None], dict[str, Any]]] = [
    ("page-play", f"#{GAME[:15]}", show_play, {**DESKTOP, "settings": PLAY_SETTINGS}),
    ("page-play-phone", f"#{GAME[:15]}", show_play, {**PHONE, "settings": PLAY_SETTINGS}),
    ("page-analyse", f"#{GAME[:30]}", show_analyse, {**DESKTOP, "settings": ANALYSE_SETTINGS}),
    ("page-analyse-dark", f"#{GAME[:30]}", show_analyse, {**DARK, "settings": ANALYSE_SETTINGS}),
    ("page-review", f"#review={GAME}", show_review, {**DESKTOP, "settings": {"review": {"move_time_s": 0.2}}}),
    ("page-watch", "#watch", show_watch, DESKTOP),
]


def take_screenshots(browser: Browser, server: Server, folder: Path) -> None:
    """Write one PNG file for each entry of SCREENSHOTS."""
    for name, fragment, show, options in SCREENSHOTS:
        context = create_context(browser, **options)
        page = context.new_page()
        open_page(page, f"{server.address}/{fragment}")
        show(page)
        page.mouse.move(0, 0)
        page.wait_for_timeout(ANIMATION_MS)
        page.screenshot(path=folder / f"{name}.png")
        context.close()
        print(folder / f"{name}.png")


def main() -> None:
    """Start a server with an empty database and take all screenshots."""
    if CHROMIUM is None:
        sys.exit("no Chromium: sudo apt-get install chromium")
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        server.start()
        try:
            with launch_browser() as browser:
                take_screenshots(browser, server, IMAGES)
        finally:
            server.stop()


if __name__ == "__main__":
    main()
