"""Owns the proof that people can play: by mouse, by touch, by keyboard alone, and come back to their game."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Opener, Server
from tests.web.browser.steps import (
    BEGINNER,
    click_column,
    drop,
    expect_status,
    open_columns,
    position,
    stones,
    wait_for_more,
    wait_for_turn,
)


def test_a_visitor_plays_with_the_first_click(visit: Opener) -> None:
    """The page opens with a board, and one click on it begins a game that the engine answers."""
    page = visit()
    expect_status(page, "Click a column to begin")
    page.locator("#level").fill("1")
    click_column(page, 3)
    expect(page.locator(".frame .stone")).to_have_count(2)
    expect_status(page, "Your turn")


def test_a_whole_game_by_mouse_on_a_board_of_ones_own(visit: Opener) -> None:
    """Size and hole are chosen by clicking, the game is played to its end, and the rematch swaps the sides."""
    page = visit(remembered={"setup": {"level": 1}})
    page.get_by_text("Your own").click()
    for field in ("rows", "cols"):
        page.locator(f"[data-field={field}]").fill("5")
        page.locator(f"[data-field={field}]").blur()
    page.locator("[role=gridcell][data-row='4'][data-column='0']").click()
    assert position(page) == "5x5@4,0"
    page.locator("[data-action=start]").click()
    while wait_for_turn(page):
        drop(page, open_columns(page)[0])
    assert page.locator(".frame .last").count() == 1
    assert page.locator(".frame .four").count() >= 4 or len(open_columns(page)) == 0
    page.locator("[data-action=rematch]").click()
    expect(page.locator(".players > div").first).to_contain_text("Level 1")
    assert wait_for_turn(page)
    assert position(page).startswith("5x5@4,0:")
    assert len(position(page)) == len("5x5@4,0:") + 1


def test_a_whole_game_by_keyboard_alone(visit: Opener) -> None:
    """Column keys, arrows and Enter play a game to its end; the list of keys opens with a question mark."""
    page = visit(remembered={"setup": BEGINNER})
    page.keyboard.press("?")
    expect(page.locator("dialog")).to_contain_text("play in that column")
    page.keyboard.press("Escape")
    page.keyboard.press("4")
    assert wait_for_turn(page)
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.getAttribute('role')") == "gridcell"
    for turn in range(42):
        if not wait_for_turn(page):
            break
        before, columns = stones(page), open_columns(page)
        if turn % 2:
            page.keyboard.press(str(columns[0] + 1))
        else:
            page.keyboard.press("Home")
            for _ in range(columns[-1]):
                page.keyboard.press("ArrowRight")
            page.keyboard.press("Enter")
        wait_for_more(page, before)
    expect(page.locator(".status.over")).to_be_visible()
    page.keyboard.press("n")
    expect_status(page, "Click a column to begin")


def test_undo_redo_hint_and_resign(visit: Opener) -> None:
    """A move can be taken back and played again, a hint marks a column, and resigning ends the game."""
    page = visit(remembered={"setup": BEGINNER})
    click_column(page, 3)
    assert wait_for_turn(page)
    page.locator("[data-action=undo]").click()
    expect(page.locator(".frame .stone")).to_have_count(0)
    page.locator("[data-action=redo]").click()
    expect(page.locator(".frame .stone")).to_have_count(2)
    page.locator("[data-action=hint]").click()
    expect(page.locator(".frame .hint")).to_have_count(1)
    expect(page.locator(".hint-text")).to_contain_text("Try column")
    page.locator("[data-action=resign]").click()
    page.locator("[data-action=resign]").click()
    expect_status(page, "You resigned")


def test_the_engine_begins_when_asked(visit: Opener) -> None:
    """An engine chosen by name makes the first move."""
    page = visit(remembered={"setup": {"by": "engine", "engine": "seed-002", "time_s": 0.5, "kind": "classic"}})
    page.get_by_label("Engine", exact=True).first.check(force=True)
    page.locator("[data-action=start]").click()
    expect(page.locator(".frame .stone")).to_have_count(1)
    expect(page.locator(".players > div").first).to_contain_text("seed-002")


def test_touch_plays(visit: Opener) -> None:
    """A tap on a phone drops a stone."""
    page = visit(width=360, height=740, has_touch=True, is_mobile=True, remembered={"setup": BEGINNER})
    page.locator("[role=gridcell][data-row='2'][data-column='3']").tap()
    expect(page.locator(".frame .stone")).to_have_count(2)


def test_moves_are_announced_and_cells_labelled(visit: Opener) -> None:
    """A screen reader hears both moves, and every cell says where it is and what lies there."""
    page = visit(remembered={"setup": BEGINNER})
    click_column(page, 3)
    assert wait_for_turn(page)
    log = page.locator("#announcer")
    expect(log).to_contain_text("You played column 4.")
    expect(log).to_contain_text("Level 1 played column")
    cell = page.locator("[role=gridcell][data-row='5'][data-column='3']")
    expect(cell).to_have_attribute("aria-label", "Column 4, row 1 from below: blue disc")
    assert page.get_by_role("grid").get_attribute("aria-label") == "Board of 6 rows and 7 columns. Your turn"


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_stones_fall_only_where_motion_is_welcome(visit: Opener, motion: str) -> None:
    """Stones fall, except for those whose system asks for less motion."""
    page = visit(remembered={"setup": BEGINNER}, reduced_motion=motion)
    page.evaluate(
        "() => { window.falls = 0; const animate = Element.prototype.animate;"
        " Element.prototype.animate = function (...all) { window.falls += 1; return animate.apply(this, all); }; }"
    )
    click_column(page, 3)
    assert wait_for_turn(page)
    assert page.evaluate("window.falls") == (0 if motion == "reduce" else 2)


@pytest.fixture
def own_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start a server that a test may stop."""
    one = Server(tmp_path_factory.mktemp("restart"))
    one.start()
    yield one
    one.stop()


def test_the_page_reconnects_and_goes_on_where_it_was(visit: Opener, own_server: Server) -> None:
    """A server that restarts costs a quiet notice; a move made meanwhile is played when it is back."""
    page = visit(at=own_server, remembered={"setup": BEGINNER})
    click_column(page, 3)
    assert wait_for_turn(page)
    before = position(page)
    own_server.stop()
    expect(page.locator("#notice")).to_contain_text("The connection is gone")
    click_column(page, 0)
    own_server.start()
    expect(page.locator("#notice")).to_contain_text("Connected again")
    expect(page.locator(".frame .stone")).to_have_count(4)
    assert position(page).startswith(before + "1")
    _reload_keeps(page)


def _reload_keeps(page: Page) -> None:
    held = position(page)
    page.reload()
    page.wait_for_selector("body[data-connected]")
    expect(page.locator(".frame .stone")).to_have_count(4)
    assert position(page) == held
