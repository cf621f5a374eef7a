"""Tests of the set-up of a game: levels, the strongest engine, the size of the board, the clock."""

import re

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Visit
from tests.web.browser.page_actions import click_column, expect_position, expect_status, wait_for_turn


def test_every_level_has_a_name_and_a_sentence(visit: Visit) -> None:
    """The slider has fifty levels and the strongest engine; five levels share a name and a sentence."""
    page = visit()
    slider = page.locator("#level")
    assert [slider.get_attribute(name) for name in ("min", "max", "step")] == ["2", "102", "2"]
    for _ in range(2):
        seen = []
        for level in range(2, 103, 10):
            slider.fill(str(level))
            seen.append((page.locator(".level-field output").inner_text(), page.locator(".level-about").inner_text()))
        assert [text.split(" ")[0] for text, _ in seen[:-1]] == [str(level) for level in range(2, 101, 10)]
        assert len({about for _, about in seen}) == len({text.split(" · ")[-1] for text, _ in seen}) == 11
        slider.fill("10")
        assert page.locator(".level-about").inner_text() == seen[0][1]
        page.locator("#language").click()


@pytest.mark.parametrize(
    ("stored", "shown"), [({"level": 8}, "30"), ({"levelNumber": 3}, "4"), ({"levelNumber": 400}, "100")]
)
def test_stored_level_that_does_not_exist(visit: Visit, stored: dict[str, int], shown: str) -> None:
    """A level of an earlier version is ignored, and a number without a level becomes the nearest level."""
    page = visit(settings={"setup": stored})
    assert page.locator("#level").input_value() == shown


@pytest.mark.both_pages
def test_strongest_is_the_flagship_at_the_chosen_time(visit: Visit) -> None:
    """The entry after the last level plays with the preset fourfall and the chosen time per move."""
    page = visit(settings={"setup": {"board": "classic"}})
    time = page.locator("[data-field=time]")
    expect(time).to_be_hidden()
    page.locator("#level").fill("102")
    expect(page.locator(".level-field output")).to_have_text("Strongest")
    time.select_option("0.5")
    click_column(page, 3)
    assert wait_for_turn(page)
    game = page.evaluate("() => window.fourfall.views.play.game")
    assert (game["opponent"], game["move_time_s"], game["simulations"]) == ("fourfall", 0.5, None)


def test_typing_a_size_keeps_the_focus_and_enter_starts(visit: Visit) -> None:
    """Tab leads from the rows to the columns, the large board follows each number, and Enter starts the game."""
    page = visit(settings={"setup": {"by": "person"}})
    page.get_by_text("Custom").click()
    rows = page.get_by_label("Rows", exact=True)
    rows.fill("")
    rows.press_sequentially("10")
    rows.press("Tab")
    columns = page.get_by_label("Columns", exact=True)
    expect(columns).to_be_focused()
    page.keyboard.type("11")
    expect_position(page, "10x11")
    columns.press("Enter")
    expect_status(page, "Blue to move")
    expect_position(page, "10x11")


def test_size_that_is_not_allowed_is_explained(visit: Visit) -> None:
    """13 rows stay in the field with an explanation, and neither Enter nor the button starts a game."""
    page = visit(settings={"setup": {"by": "person", "board": "custom"}})
    rows = page.get_by_label("Rows", exact=True)
    rows.fill("13")
    rows.press("Enter")
    expect(page.locator(".board-picker .error-text")).to_contain_text("from 4 to 12")
    expect(rows).to_have_value("13")
    page.locator("[data-action=start]").click()
    expect(rows).to_be_focused()
    expect_status(page, "Click a column to start")


def test_clock_is_off_by_default_and_stored(visit: Visit) -> None:
    """Without a choice a game has no clock; minutes and increment of the set-up are sent and kept."""
    page = visit(settings={"setup": {"by": "person", "board": "classic"}})
    expect(page.locator("[data-field=clock]")).to_have_value("0")
    expect(page.locator("[data-field=increment]")).to_have_count(0)
    page.locator("[data-field=clock]").select_option("3")
    page.locator("[data-field=increment]").select_option("2")
    page.reload()
    expect(page.locator("[data-field=increment]")).to_have_value("2")
    click_column(page, 3)
    expect(page.locator(".clock").first).to_have_text(re.compile("3:0[12]"))  # 3:01 on a slow machine
