"""Tests of touch input in Play: a finger slides to a column, the stone drops on release."""

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.web.browser.conftest import Visit
from tests.web.browser.page_actions import TWO_PERSONS, count_stones, expect_position


@pytest.fixture
def page(visit: Visit) -> Page:
    """Open a phone with a game between two persons."""
    return visit(width=360, height=640, has_touch=True, is_mobile=True, settings={"setup": TWO_PERSONS})


class Finger:
    """A finger on the screen of a phone."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._session: CDPSession = page.context.new_cdp_session(page)

    def find_cell(self, row: int, column: int) -> tuple[float, float]:
        """Return the middle of a cell."""
        box = self._page.locator(f"[role=gridcell][data-row='{row}'][data-column='{column}']").bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def press(self, x: float, y: float) -> None:
        """Put the finger down."""
        self._send("touchStart", x, y)

    def slide(self, x: float, y: float) -> None:
        """Slide to a place."""
        self._send("touchMove", x, y)

    def release(self) -> None:
        """Lift the finger."""
        self._session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def _send(self, kind: str, x: float, y: float) -> None:
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})


def test_stone_drops_on_release_after_sliding(page: Page) -> None:
    """The preview follows the finger, and the stone drops in the column where it is released, once."""
    finger = Finger(page)
    finger.press(*finger.find_cell(2, 1))
    expect(page.locator(".hover-stone")).to_have_count(1)
    expect(page.locator(".column-names .chosen")).to_have_text("2")
    finger.slide(*finger.find_cell(2, 3))
    finger.slide(*finger.find_cell(3, 5))
    expect(page.locator(".column-names .chosen")).to_have_text("6")
    assert count_stones(page) == 0
    finger.release()
    expect(page.locator(".board-frame .stone")).to_have_count(1)
    expect_position(page, "6x7:6")
    expect(page.locator(".hover-stone")).to_have_count(0)


def test_sliding_off_the_board_cancels(page: Page) -> None:
    """A finger that leaves the board shows no preview, and its release plays nothing."""
    finger = Finger(page)
    finger.press(*finger.find_cell(2, 1))
    finger.slide(*finger.find_cell(0, 1))
    finger.slide(180, 5)
    expect(page.locator(".hover-stone")).to_have_count(0)
    finger.release()
    page.locator("[role=gridcell][data-row='2'][data-column='4']").tap()
    expect(page.locator(".board-frame .stone")).to_have_count(1)
    expect_position(page, "6x7:5")


def test_page_scrolls_outside_of_the_board(page: Page) -> None:
    """A finger on the board does not scroll the page, a finger below it does."""
    finger = Finger(page)
    for start, scrolls in ((finger.find_cell(4, 3), False), ((180.0, 560.0), True)):
        x, y = start
        finger.press(x, y)
        for step in range(1, 8):
            finger.slide(x, y - 20 * step)
        finger.slide(x, 2)
        finger.release()
        if scrolls:
            page.wait_for_function("() => scrollY > 40")
        else:
            assert page.evaluate("scrollY") == 0
