"""Tests of the values below the columns: every column has one, and its moves are drawn by hover, keyboard and tap."""

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Visit
from tests.web.browser.page_actions import ONE_SECOND

# Orange is to move; Blue has three in a row with both ends open, so that every column of Orange loses.
LOST = "#10x11@4,7:66554"
REFUTATION = "Column 1: Blue wins in 1: column 3"


def open_lost_position(visit: Visit, **options: object) -> Page:
    """Open a position in which the side to move loses, and wait for the values."""
    page = visit(LOST, settings={"analyse": ONE_SECOND}, **options)
    expect(page.locator(".column-value").first).to_have_attribute("title", REFUTATION)
    expect(page.locator(".engine-output")).to_have_attribute("aria-busy", "false")
    return page


def expect_refutation(page: Page) -> None:
    """Expect the move in column 1 and its refutation on the board, in order, with the line that it completes."""
    expect(page.locator(".column-note")).to_contain_text(REFUTATION)
    expect(page.locator(".preview-stone text")).to_have_text(["1", "2"])
    expect(page.locator(".preview-stone.player-1 text")).to_have_text("1")
    expect(page.locator(".preview-stone.player-0 text")).to_have_text("2")
    expect(page.locator(".preview-winning-cell")).to_have_count(4)


def expect_no_refutation(page: Page) -> None:
    """Expect no text about a column, and the expected moves of the position on the board."""
    expect(page.locator(".column-note")).to_have_text("")
    expect(page.locator(".column-value[aria-pressed=true]")).to_have_count(0)


@pytest.mark.parametrize("position", ["#9x9@4,4", "#12x12@0,11:6655", "#10x11@4,7:664"])
def test_every_legal_column_has_a_value(visit: Visit, position: str) -> None:
    """On official boards every column shows a win chance or a proven result after the analysis of one second."""
    page = visit(position, settings={"analyse": ONE_SECOND})
    page.locator(".column-value.best").wait_for()
    expect(page.locator(".engine-output")).to_have_attribute("aria-busy", "false")
    texts = page.locator(".column-value:enabled").all_inner_texts()
    assert len(texts) == int(position.split("x")[1].split("@")[0])
    assert [text for text in texts if "…" in text] == []


def test_refutation_is_drawn_while_the_mouse_is_over_a_value(visit: Visit) -> None:
    """Hovering a lost column says what refutes it and draws the moves; moving away removes them."""
    page = open_lost_position(visit)
    page.locator(".column-value").first.hover()
    expect_refutation(page)
    page.mouse.move(0, 0)
    expect_no_refutation(page)


def test_refutations_are_reached_with_the_keyboard(visit: Visit) -> None:
    """The values are one tab stop; arrow keys move between them, Enter keeps the moves, Escape removes them."""
    page = open_lost_position(visit)
    toolbar = page.get_by_role("toolbar", name="Values of the columns")
    assert toolbar.locator("[tabindex='0']").count() == 1
    page.get_by_role("grid").locator("[tabindex='0']").focus()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name=REFUTATION)).to_be_focused()
    expect_refutation(page)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".column-note")).to_contain_text("Column 2: Blue wins in 1: column 3")
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name=REFUTATION)).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#announcements")).to_contain_text(REFUTATION)
    page.locator("#language").focus()
    expect_refutation(page)
    page.keyboard.press("Escape")
    expect_no_refutation(page)


def test_tap_keeps_the_refutation_until_it_is_removed(visit: Visit) -> None:
    """On a touch screen a tap draws the moves; a button, a second tap or another position removes them."""
    page = open_lost_position(visit, has_touch=True, width=390, height=800)
    value = page.locator(".column-value").first
    value.tap()
    expect_refutation(page)
    page.get_by_role("button", name="Remove these moves from the board").tap()
    expect_no_refutation(page)
    value.tap()
    expect_refutation(page)
    value.tap()
    expect_no_refutation(page)
    value.tap()
    page.locator("body").press(",")
    expect(page.locator(".ply-counter")).to_have_text("4 / 5")
    expect_no_refutation(page)


def test_moves_stay_drawn_while_the_analysis_continues(visit: Visit) -> None:
    """New results of a running analysis neither remove the moves of the hovered column nor take the focus."""
    page = visit("#9x9@4,4:55", settings={"analyse": {**ONE_SECOND, "budget": "20s"}})
    page.locator(".column-value.best").wait_for()
    value = page.locator(".column-value").nth(2)
    value.focus()
    before = page.evaluate("() => window.fourfall.viewer.current.analysis.simulations")
    page.wait_for_function("before => window.fourfall.viewer.current.analysis.simulations > before", arg=before)
    expect(value).to_be_focused()


def test_column_without_an_estimate_has_a_placeholder(visit: Visit) -> None:
    """Before the first estimate a column shows three dots, and its label says that it is not evaluated."""
    page = visit("#9x9@4,4:55", settings={"analyse": {**ONE_SECOND, "budget": "20s"}})
    page.locator(".column-value.best").wait_for()
    page.evaluate(
        "() => { const { viewer } = window.fourfall; const { analysis, position } = viewer.current;"
        " const [first, ...rest] = analysis.columns; viewer.columnValues.show({ ...analysis,"
        " columns: [{ ...first, win_chance: null, proof: null, pv: [0] }, ...rest] }, position);"
        " window.shown = document.querySelector('.column-value').innerText; }"
    )
    assert page.evaluate("window.shown").strip() == "…"
