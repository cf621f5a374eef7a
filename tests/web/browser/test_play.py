"""Tests of the view Play: games by mouse, touch and keyboard, undo, hint, announcements, reconnects."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Visit
from tests.web.browser.page_actions import (
    BEGINNER,
    click_column,
    close_dialog,
    count_stones,
    drop_stone,
    expect_position,
    expect_status,
    read_open_columns,
    read_position,
    wait_for_stone,
    wait_for_turn,
)
from tests.web.browser.server import Server


def test_first_click_starts_a_game(visit: Visit) -> None:
    """The page opens with a board; a click on it starts a game, and the engine replies."""
    page = visit()
    expect_status(page, "Click a column to start")
    page.locator("#level").fill("2")
    click_column(page, 3)
    expect(page.locator(".board-frame .stone")).to_have_count(2)
    expect_status(page, "Your turn")


def test_whole_game_by_mouse_on_a_custom_board(visit: Visit) -> None:
    """Size and blocked cell are chosen by clicks, the game is played to its end, and the rematch swaps the sides."""
    page = visit(settings={"setup": {"levelNumber": 2}})
    page.get_by_text("Custom").click()
    for field in ("rows", "cols"):
        page.locator(f"[data-field={field}]").fill("5")
        page.locator(f"[data-field={field}]").blur()
    page.locator(".board-picker [role=gridcell][data-row='4'][data-column='0']").click()
    expect_position(page, "5x5@4,0")
    page.locator("[data-action=start]").click()
    while wait_for_turn(page):
        drop_stone(page, read_open_columns(page)[0])
    assert page.locator(".board-frame .last-move").count() == 1
    assert page.locator(".board-frame .winning-cell").count() >= 4 or len(read_open_columns(page)) == 0
    page.locator("[data-action=rematch]").click()
    expect(page.locator(".players > div").first).to_contain_text("Level 2")
    assert wait_for_turn(page)
    assert read_position(page).startswith("5x5@4,0:")
    assert len(read_position(page)) == len("5x5@4,0:") + 1


@pytest.mark.both_pages
def test_whole_game_by_keyboard(visit: Visit) -> None:
    """Column keys, arrow keys and Enter play a game to its end; the question mark opens the list of shortcuts."""
    page = visit(settings={"setup": BEGINNER})
    page.keyboard.press("?")
    expect(page.locator("dialog")).to_contain_text("play in the column with this name")
    close_dialog(page)
    page.keyboard.press("4")
    assert wait_for_turn(page)
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.getAttribute('role')") == "gridcell"
    for turn in range(42):
        if not wait_for_turn(page):
            break
        before, columns = count_stones(page), read_open_columns(page)
        if turn % 2:
            page.keyboard.press(str(columns[0] + 1))
        else:
            page.keyboard.press("Home")
            for _ in range(columns[-1]):
                page.keyboard.press("ArrowRight")
            page.keyboard.press("Enter")
        wait_for_stone(page, before)
    expect(page.locator(".status.over")).to_be_visible()
    page.keyboard.press("n")
    expect_status(page, "Click a column to start")


@pytest.mark.both_pages
def test_undo_redo_hint_and_resign(visit: Visit) -> None:
    """Undo removes a move, redo plays it again, a hint marks a column, and resigning ends the game."""
    page = visit(settings={"setup": BEGINNER})
    click_column(page, 3)
    assert wait_for_turn(page)
    page.locator("[data-action=undo]").click()
    expect(page.locator(".board-frame .stone")).to_have_count(0)
    page.locator("[data-action=redo]").click()
    expect(page.locator(".board-frame .stone")).to_have_count(2)
    page.locator("[data-action=hint]").click()
    expect(page.locator(".board-frame .hint-stone")).to_have_count(1)
    expect(page.locator(".hint-text")).to_contain_text("Try column")
    page.locator("[data-action=resign]").click()
    page.locator("dialog [data-action=confirm]").click()
    expect_status(page, "You resigned")


def test_click_counts_although_the_button_is_drawn_again(visit: Visit) -> None:
    """A reply of the server between the press and the release of the mouse button does not swallow the click."""
    page = visit(settings={"setup": BEGINNER})
    click_column(page, 3)
    assert wait_for_turn(page)
    undo = page.locator("[data-action=undo]")
    undo.hover()
    page.mouse.down()
    page.evaluate("() => window.fourfall.views.play.render()")
    page.mouse.up()
    expect(page.locator(".board-frame .stone")).to_have_count(0)
    page.locator("[data-action=redo]").click()  # a usual click still counts once
    expect(page.locator(".board-frame .stone")).to_have_count(2)
    expect(undo).to_be_enabled()


def test_engine_makes_the_first_move(visit: Visit) -> None:
    """An engine that was chosen by name makes the first move if the user is second."""
    page = visit(settings={"setup": {"by": "engine", "engine": "seed-002", "move_time_s": 0.5, "board": "classic"}})
    page.get_by_label("Engine", exact=True).first.check(force=True)
    page.locator("[data-action=start]").click()
    expect(page.locator(".board-frame .stone")).to_have_count(1)
    expect(page.locator(".players > div").first).to_contain_text("seed-002")


def test_tap_drops_a_stone(visit: Visit) -> None:
    """A tap on a phone drops a stone, and the engine replies."""
    page = visit(width=360, height=740, has_touch=True, is_mobile=True, settings={"setup": BEGINNER})
    page.locator("[role=gridcell][data-row='2'][data-column='3']").tap()
    expect(page.locator(".board-frame .stone")).to_have_count(2)


def test_moves_are_announced_and_cells_have_labels(visit: Visit) -> None:
    """Both moves are announced, and the label of a cell gives its place and content."""
    page = visit(settings={"setup": BEGINNER})
    click_column(page, 3)
    assert wait_for_turn(page)
    log = page.locator("#announcements")
    expect(log).to_contain_text("You played column 4.")
    expect(log).to_contain_text("Level 2 played column")
    cell = page.locator("[role=gridcell][data-row='5'][data-column='3']")
    expect(cell).to_have_attribute("aria-label", "Column 4, row 1: blue disc")
    expect(page.get_by_role("grid")).to_have_attribute("aria-label", "Board with 6 rows and 7 columns. Your turn")


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_reduced_motion_turns_the_animation_off(visit: Visit, motion: str) -> None:
    """Stones fall unless the system asks for reduced motion."""
    page = visit(settings={"setup": BEGINNER}, reduced_motion=motion)
    page.evaluate(
        "() => { window.animations = 0; const animate = Element.prototype.animate;"
        " Element.prototype.animate = function (...parameters) {"
        " window.animations += 1; return animate.apply(this, parameters); }; }"
    )
    click_column(page, 3)
    assert wait_for_turn(page)
    assert page.evaluate("window.animations") == (0 if motion == "reduce" else 2)


@pytest.fixture
def private_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start a server that a test may stop."""
    server = Server(tmp_path_factory.mktemp("restart"))
    server.start()
    yield server
    server.stop()


def test_game_continues_after_a_reconnect(visit: Visit, private_server: Server) -> None:
    """While the server restarts the page shows a notification; a move made meanwhile is sent after the reconnect."""
    page = visit(at=private_server, settings={"setup": BEGINNER})
    click_column(page, 3)
    assert wait_for_turn(page)
    before = read_position(page)
    private_server.stop()
    expect(page.locator("#notification")).to_contain_text("Connection lost")
    click_column(page, 0)
    private_server.start()
    expect(page.locator("#notification")).to_contain_text("Connection restored")
    expect(page.locator(".board-frame .stone")).to_have_count(4)
    assert read_position(page).startswith(before + "1")
    _assert_reload_keeps_position(page)


def _assert_reload_keeps_position(page: Page) -> None:
    before = read_position(page)
    page.reload()
    page.wait_for_selector("body[data-connected]")
    expect(page.locator(".board-frame .stone")).to_have_count(4)
    expect_position(page, before)
