"""Tests of the board picker: typing sizes, focus, Enter, numbers that are not allowed, the blocked cell."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Visit

MOUNT = """async () => {
  const { BoardPicker } = await import("/ui/board_picker.js");
  window.picked = [];
  window.confirmed = 0;
  const board = { rows: 8, cols: 9, hole: [1, 8] };
  const onChange = (chosen) => window.picked.push(chosen);
  window.picker = new BoardPicker({ board, onChange, onConfirm: () => (window.confirmed += 1) });
  document.getElementById("main").replaceChildren(window.picker.element);
}"""


@pytest.fixture
def page(visit: Visit) -> Page:
    """Open a page that contains only the picker."""
    page = visit("#games")
    page.evaluate(MOUNT)
    return page


def read_choice(page: Page) -> dict[str, Any]:
    """Return the chosen board."""
    board: dict[str, Any] = page.evaluate("() => window.picker.board")
    return board


def test_typing_a_size_keeps_the_focus(page: Page) -> None:
    """Tab leads from the rows to the columns; each valid number changes the small board."""
    rows = page.get_by_label("Rows", exact=True)
    rows.fill("")
    rows.press_sequentially("10")
    expect(rows).to_be_focused()
    rows.press("Tab")
    expect(page.get_by_label("Columns", exact=True)).to_be_focused()
    page.keyboard.type("11")
    expect(page.locator(".board-picker [role=row]")).to_have_count(10)
    expect(page.locator(".board-picker [role=gridcell]")).to_have_count(110)
    assert read_choice(page) == {"rows": 10, "cols": 11, "hole": [1, 8]}


@pytest.mark.parametrize("text", ["13", "3", "0", "-5", "7.5", ""])
def test_number_that_is_not_allowed_is_explained_and_kept(page: Page, text: str) -> None:
    """A wrong number stays in the field, the board does not change, and Enter does not confirm."""
    rows = page.get_by_label("Rows", exact=True)
    rows.fill(text)
    rows.press("Enter")
    expect(page.locator("[role=alert]")).to_have_text("Rows: enter a whole number from 4 to 12.")
    expect(rows).to_have_value(text)
    expect(rows).to_have_attribute("aria-invalid", "true")
    expect(rows).to_be_focused()
    assert page.evaluate("() => window.confirmed") == 0
    assert read_choice(page)["rows"] == 8
    rows.fill("12")
    expect(page.locator("[role=alert]")).to_have_text("")
    rows.press("Enter")
    assert page.evaluate("() => window.confirmed") == 1
    assert read_choice(page)["rows"] == 12


def test_first_digit_of_a_number_is_no_mistake(page: Page) -> None:
    """The explanation does not appear while "1" may become "12", only when the field is left."""
    rows = page.get_by_label("Rows", exact=True)
    rows.fill("1")
    expect(page.locator("[role=alert]")).to_have_text("")
    rows.press("Tab")
    expect(page.locator("[role=alert]")).to_contain_text("from 4 to 12")


def test_blocked_cell_by_click_keyboard_and_buttons(page: Page) -> None:
    """A click blocks or unblocks a cell, Enter does the same at the cursor, two buttons clear and randomise."""
    cells = page.locator(".board-picker [role=gridcell]")
    text = page.locator(".board-picker")
    expect(text).to_contain_text("Column 9, row 7 is blocked.")
    cells.nth(0).click()
    expect(text).to_contain_text("Column 1, row 8 is blocked.")
    cells.nth(0).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(text).to_contain_text("Column 2, row 7 is blocked.")
    page.keyboard.press("Enter")
    expect(text).to_contain_text("No cell is blocked.")
    page.get_by_role("button", name="Random").click()
    assert read_choice(page)["hole"] is not None
    page.get_by_role("button", name="None").click()
    assert read_choice(page)["hole"] is None


def test_blocked_cell_outside_of_a_smaller_board_comes_back(page: Page) -> None:
    """A smaller board without the blocked cell says so; the cell is blocked again on a larger board."""
    columns = page.get_by_label("Columns", exact=True)
    columns.fill("5")
    expect(page.locator(".board-picker")).to_contain_text("outside of this board")
    assert read_choice(page) == {"rows": 8, "cols": 5, "hole": None}
    columns.fill("9")
    assert read_choice(page)["hole"] == [1, 8]
