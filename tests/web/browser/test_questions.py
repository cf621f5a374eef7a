"""Tests of the dialogs of Play: the rules on the first visit, help, questions before a game is lost or left."""

from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Visit
from tests.web.browser.page_actions import (
    BEGINNER,
    TWO_PERSONS,
    close_dialog,
    expect_position,
    expect_status,
    play_columns,
    read_boxes,
)


def test_rules_are_shown_once(visit: Visit) -> None:
    """The first visit shows three sentences with pictures; one click on the button or beside closes them for good."""
    page = visit(settings={"rules_seen": False, "setup": BEGINNER})
    dialog = page.locator("dialog[open]")
    expect(dialog.locator(".rules li")).to_have_count(3)
    expect(dialog.locator(".rules svg .stone").first).to_be_visible()
    expect(dialog.locator(".rules .winning-cell")).to_have_count(4)
    expect(dialog.locator(".rules .blocked-cell")).to_have_count(1)
    expect(dialog.locator(".rules .fall-arrow")).to_have_count(1)
    dialog.locator("[data-action=close]").click()
    expect(dialog).to_have_count(0)
    page.reload()
    page.wait_for_selector("body[data-connected]")
    expect(dialog).to_have_count(0)
    page.evaluate("localStorage.removeItem('fourfall.rules_seen')")
    show = "async () => (await import('/ui/help.js')).showRulesOnce()"
    page.evaluate(show)
    expect(dialog).to_be_visible()
    page.mouse.click(5, 5)  # beside the dialog
    expect(dialog).to_have_count(0)
    page.evaluate(show)
    expect(dialog).to_have_count(0)


def test_rules_wait_until_play_is_opened(visit: Visit) -> None:
    """A link to a position does not show the rules."""
    page = visit("#games", settings={"rules_seen": False})
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.locator("#nav a[href='#play']").click()
    expect(page.locator("dialog[open]")).to_contain_text("How to play")


def test_help_has_rules_values_and_shortcuts(visit: Visit) -> None:
    """The button "?" shows the rules, what "wins in 3" counts, and the shortcuts."""
    page = visit()
    page.locator("#shortcuts").click()
    dialog = page.locator("dialog")
    expect(dialog.locator(".rules li")).to_have_count(3)
    expect(dialog).to_contain_text("Wins in 3 means that the winner")
    expect(dialog).to_contain_text("play in the column with this name")


def double_click(page: Page, action: str) -> None:
    """Click a button twice at the same place, as fast as a double click."""
    (box,) = read_boxes(page, f"[data-action={action}]")
    page.mouse.dblclick(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_double_click_does_not_resign(visit: Visit) -> None:
    """A double click only opens the question; its button is disabled for a moment and does not have the focus."""
    page = visit(settings={"setup": TWO_PERSONS})
    play_columns(page, "44")
    expect_status(page, "Blue to move")
    expect(page.locator("[data-action=resign]")).to_be_enabled()
    double_click(page, "resign")
    expect(page.locator("dialog[open]")).to_contain_text("Resign this game?")
    page.keyboard.press("Enter")
    expect(page.locator("dialog[open]")).to_be_visible()
    page.locator("dialog [data-action=cancel]").click()
    expect_status(page, "Blue to move")
    is_disabled = page.evaluate(  # one call, because the button is enabled soon
        "() => { document.querySelector('[data-action=resign]').click();"
        " return document.querySelector('dialog [data-action=confirm]').disabled; }"
    )
    assert is_disabled
    page.locator("dialog [data-action=confirm]").click()
    expect_status(page, "Blue resigned. Orange wins.")


def test_question_that_follows_another_at_once_can_be_answered(visit: Visit) -> None:
    """The close event of a dialog arrives late; it does not answer the next question."""
    page = visit(settings={"setup": TWO_PERSONS})
    play_columns(page, "44")
    page.locator("[data-action=resign]").click()
    page.evaluate(
        "() => { document.querySelector('dialog [data-action=cancel]').click();"
        " document.querySelector('[data-action=resign]').click(); }"
    )
    page.locator("dialog [data-action=confirm]").click()
    expect_status(page, "Blue resigned. Orange wins.")


def test_leaving_a_running_game_asks(visit: Visit) -> None:
    """The key for a new game asks in a running game, but not after its end."""
    page = visit(settings={"setup": TWO_PERSONS})
    play_columns(page, "44")
    page.keyboard.press("n")
    expect(page.locator("dialog[open]")).to_contain_text("you can continue it from Games")
    close_dialog(page)
    expect_status(page, "Blue to move")
    page.locator("[data-action=new]").click()
    page.locator("dialog [data-action=confirm]").click()
    expect_status(page, "Click a column to start")
    play_columns(page, "1122334")
    expect_status(page, "Blue wins")
    page.keyboard.press("n")
    expect_status(page, "Click a column to start")


def test_play_from_a_position_keeps_a_running_game_on_request(visit: Visit) -> None:
    """The address of a position in Play opens the set-up with its side to move; a running game asks first."""
    page = visit("#play=6x7:445", settings={"setup": TWO_PERSONS})
    page.reload()
    page.wait_for_selector("body[data-connected]")
    expect_position(page, "6x7:445")
    page.get_by_text("By level").click()
    expect(page.locator("[name=side][value=second]")).to_be_checked()
    page.get_by_text("Two people").click()
    play_columns(page, "5")
    expect_status(page, "Blue to move")
    page.evaluate("location.hash = '#play=6x7:11'")
    page.locator("dialog [data-action=cancel]").click()
    expect_position(page, "6x7:4455")
