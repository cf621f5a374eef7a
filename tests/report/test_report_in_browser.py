"""Tests of the HTML file in Chromium: opened from a file, without requests, in both themes and languages."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, expect

from tests.report.generated_event import HOSTILE, make_spec, store_event
from tests.report.test_page import make_page
from tests.web.browser.server import CHROMIUM, launch_browser

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: sudo apt-get install chromium")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start the system's Chromium."""
    with launch_browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the report about an event with hostile names in both languages."""
    folder = tmp_path_factory.mktemp("report")
    store_event(folder / "arena.db", make_spec(("mine", HOSTILE[0], HOSTILE[4]), pairs=2))
    for language in ("en", "zh"):
        text = make_page(folder / "arena.db", language)
        (folder / f"{language}.html").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize(("language", "theme", "width"), [("en", "light", 1366), ("zh", "dark", 360)])
def test_report_works_from_a_file(browser: Browser, folder: Path, language: str, theme: str, width: int) -> None:
    """The page requests nothing, reports no error, fits the screen, passes axe, and a link selects a game."""
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=theme)  # type: ignore[arg-type]
    page = context.new_page()
    requests: list[str] = []
    problems: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("console", lambda message: problems.append(message.text))
    page.on("pageerror", lambda error: problems.append(str(error)))
    address = (folder / f"{language}.html").as_uri()
    page.goto(address)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    found = Axe().run(page).response["violations"]
    assert found == [], json.dumps([[rule["id"], [node["html"] for node in rule["nodes"]]] for rule in found], indent=1)
    link = page.locator("#turning-points a").first
    number = link.inner_text()
    link.click()
    expect(page.locator("#replay h3")).to_contain_text(number)
    assert requests == [address]
    assert problems == []
    context.close()


def test_print_shows_everything(browser: Browser, folder: Path) -> None:
    """On paper no table is cut off, every game has its figure, and the controls of the board are hidden."""
    page = browser.new_page(viewport={"width": 700, "height": 1000})
    page.goto((folder / "en.html").as_uri())
    page.emulate_media(media="print")
    assert page.evaluate("document.documentElement.scrollWidth") <= 700
    games = page.locator(".replay-game")
    assert games.count() > 5
    assert all(games.nth(at).is_visible() for at in range(games.count()))
    expect(page.locator("#replay")).to_be_hidden()
    page.close()
