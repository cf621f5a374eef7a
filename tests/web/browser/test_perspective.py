"""Tests of the perspective: all values of the page are for one side, which the user chooses."""

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Visit
from tests.web.browser.page_actions import ONE_SECOND


@pytest.mark.parametrize(
    ("perspective", "headline", "value"),
    [
        ("first", "Blue wins in 1", "win"),
        ("second", "Orange loses in 1", "loss"),
        ("mover", "Blue wins in 1", "win"),
    ],
)
def test_values_are_for_the_chosen_side(visit: Visit, perspective: str, headline: str, value: str) -> None:
    """Headline, bar and column values name the chosen side, and "in 1" counts moves of the winner."""
    page = visit("#6x7:112233", settings={"analyse": ONE_SECOND, "perspective": perspective})
    expect(page.locator(".evaluation")).to_have_text(headline)
    expect(page.locator(".column-value.best")).to_have_attribute("aria-label", f"Column 4: {headline} (best)")
    expect(page.locator(".column-value.best")).to_contain_text(value)
    expect(page.locator(".evaluation-bar")).to_have_attribute("aria-valuetext", headline)


def test_perspective_is_changed_below_the_board_and_stored(visit: Visit) -> None:
    """The control below the board changes all values at once, keeps the focus, and a reload keeps the choice."""
    page = visit("#6x7:112233", settings={"analyse": ONE_SECOND})
    expect(page.locator(".evaluation")).to_have_text("Blue wins in 1")
    control = page.get_by_role("combobox", name="Values for")
    control.focus()
    control.select_option("Orange")
    expect(page.locator(".evaluation")).to_have_text("Orange loses in 1")
    expect(page.locator(".evaluation-bar")).to_have_attribute("aria-valuenow", "0")
    expect(control).to_be_focused()
    page.reload()
    expect(page.get_by_role("combobox", name="Values for")).to_have_value("second")
    expect(page.locator(".evaluation")).to_have_text("Orange loses in 1")


def test_counting_is_explained_in_the_dialog(visit: Visit) -> None:
    """The dialog of the question mark says what "wins in 3" counts."""
    page = visit("#games")
    page.keyboard.press("?")
    expect(page.locator("#dialog")).to_contain_text("third stone from now")
