"""Checks the layout of the SVG board in Chromium, because only a browser knows the size of its text."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from fourfall import Board, render
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
