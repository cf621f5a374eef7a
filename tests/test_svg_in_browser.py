"""Checks the drawings of boards, analyses and games in Chromium: layout, and stepping through a game."""

from collections.abc import Iterator
from itertools import pairwise

import pytest
from playwright.sync_api import Page

from fourfall import Board, Engine, Game, Limit, render
from fourfall.render.analysis_html import draw_analysis_html
from fourfall.render.stepper import MoveNote, draw_stepper
from tests.web.browser.server import CHROMIUM, launch_browser

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: sudo apt-get install chromium")


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    """Open an empty page."""
    with launch_browser() as browser:
        yield browser.new_page()


@pytest.mark.parametrize("position", ["4x4", "6x7:1122334", "12x12@11,11:123456789abc"])
def test_labels_are_inside_the_image_and_do_not_overlap(page: Page, position: str) -> None:
    """Column names, row numbers and values lie inside the image, and none overlaps another."""
    board = Board.parse(position)
    page.set_content(render.draw_svg(board, values=[-0.25] * board.cols))
    boxes = page.eval_on_selector_all(
        "text", "all => all.map(t => t.getBBox()).map(b => [b.x, b.y, b.x + b.width, b.y + b.height])"
    )
    width, height = page.eval_on_selector("svg", "svg => [svg.viewBox.baseVal.width, svg.viewBox.baseVal.height]")
    assert len(boxes) == board.rows + 2 * board.cols
    for index, (left, top, right, bottom) in enumerate(boxes):
        assert left >= 0
        assert top >= 0
        assert right <= width
        assert bottom <= height
        for other in boxes[:index]:
            assert right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top


def count_visible_stones(page: Page) -> int:
    """Return the number of stones of the players that a stepper shows."""
    visible = "all => all.filter(group => group.getBoundingClientRect().width > 0).length"
    return int(page.eval_on_selector_all("svg g[class^=stone]", visible))


def test_game_is_stepped_through_without_a_script(page: Page) -> None:
    """Buttons, moves and arrow keys change the number of visible stones; only one text is visible."""
    page.set_content(draw_stepper(Board.parse("6x7:1122334"), notes={3: MoveNote("??", "a blunder")}))
    assert count_visible_stones(page) == 7
    page.locator("label[title=back]:visible").click()
    assert count_visible_stones(page) == 6
    page.locator("label", has_text="3 2??").click()
    assert count_visible_stones(page) == 3
    assert page.locator(".steps").inner_text().endswith("3/7 ● blue plays 2??: a blunder")
    page.keyboard.press("ArrowRight")
    assert count_visible_stones(page) == 4
    page.locator("label[title=start]:visible").click()
    assert count_visible_stones(page) == 0
    assert page.locator("svg g.now:visible").count() == 0
    page.locator("label[title=end]:visible").click()
    assert count_visible_stones(page) == 7
    assert page.locator("script").count() == 0


@pytest.mark.parametrize("width", [360, 1000])
def test_analysis_fits_the_page(page: Page, width: int) -> None:
    """The output of an analysis is not wider than the page; values below the columns do not overlap."""
    analysis = Engine("fourfall-classic").analyse(Board.parse("12x12@4,7:11223"), Limit(simulations=200))
    page.set_viewport_size({"width": width, "height": 800})
    page.set_content(draw_analysis_html(analysis))
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    boxes = page.eval_on_selector_all(
        "svg[role=img] text[font-size='12']", "all => all.map(t => t.getBBox()).map(b => [b.x, b.x + b.width])"
    )
    assert len(boxes) == 12
    assert all(right < left for (_, right), (left, _) in pairwise(sorted(boxes)))


def test_caption_is_inside_the_image(page: Page) -> None:
    """A caption of any length, also in Chinese, is not wider than the image."""
    for name in ("a", "W" * 200, "四子棋" * 40):
        page.set_content(Game("4x4:1", (name, "b")).to_svg())
        inside = page.eval_on_selector(
            "svg",
            "svg => { const b = [...svg.querySelectorAll('text')].at(-1).getBBox();"
            " return b.x >= 0 && b.x + b.width <= svg.viewBox.baseVal.width; }",
        )
        assert inside
