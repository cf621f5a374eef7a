"""Tests the layout of the SVG drawing in a browser."""

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, sync_playwright

from fourfall import Board, render

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: sudo apt-get install chromium")


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    """Open a page in the system's browser, without network access."""
    flags = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    no_network = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=[*flags.split(), "--disable-component-update", "--disable-sync", no_network]
        )
        yield browser.new_page()
        browser.close()


@pytest.mark.parametrize("position", ["4x4", "6x7:1122334", "12x12@11,11:123456789abc"])
def test_labels_are_inside_and_do_not_overlap(page: Page, position: str) -> None:
    """Column names, row numbers and values are inside the drawing and do not overlap."""
    board = Board.parse(position)
    page.set_content(render.svg(board, values=[-0.25] * board.cols))
    boxes = page.eval_on_selector_all(
        "text", "all => all.map(t => t.getBBox()).map(b => [b.x, b.y, b.x + b.width, b.y + b.height])"
    )
    width, height = page.eval_on_selector("svg", "svg => [svg.viewBox.baseVal.width, svg.viewBox.baseVal.height]")
    assert len(boxes) == board.rows + 2 * board.cols
    for at, (left, top, right, bottom) in enumerate(boxes):
        assert left >= 0
        assert top >= 0
        assert right <= width
        assert bottom <= height
        for other in boxes[:at]:
            assert right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
