"""Tests of games between two persons and of the clock in Play."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Visit
from tests.web.browser.page_actions import (
    BEGINNER,
    TWO_PERSONS,
    click_column,
    count_stones,
    expect_position,
    expect_status,
    play_columns,
    wait_for_turn,
)

WITH_CLOCK = {**TWO_PERSONS, "clock_minutes": 1, "increment_s": 2}


def test_two_persons_play_a_whole_game(visit: Visit) -> None:
    """Both sides move by clicks, undo takes back one move, and the review afterwards names the sides."""
    page = visit()
    page.get_by_text("Two people").click()
    page.locator("[name=board][value=classic]").check(force=True)
    click_column(page, 3)
    expect_status(page, "Orange to move")
    click_column(page, 3)
    expect_status(page, "Blue to move")
    page.locator("[data-action=undo]").click()
    expect(page.locator(".board-frame .stone")).to_have_count(1)
    play_columns(page, "142516")
    expect_status(page, "Orange to move")
    play_columns(page, "37")
    expect_status(page, "Blue wins")
    expect(page.locator(".result-card")).to_contain_text("Blue won in 5 moves (9 stones on the board)")
    expect(page.locator(".players > .winner")).to_contain_text("Blue")
    page.locator("[data-action=review]").click()
    expect(page.locator(".accuracy")).to_contain_text("Orange")


def test_side_to_move_resigns(visit: Visit) -> None:
    """The question names the side that resigns; the other side wins."""
    page = visit(settings={"setup": TWO_PERSONS})
    play_columns(page, "4")
    page.locator("[data-action=resign]").click()
    expect(page.locator("dialog")).to_contain_text("Orange resigns and Blue wins the game.")
    page.locator("dialog [data-action=confirm]").click()
    expect_status(page, "Orange resigned. Blue wins.")


def read_clock(page: Page, player: int) -> float:
    """Return the time that a player's clock shows, in seconds."""
    minutes, seconds = page.locator(".clock").nth(player).inner_text().split(":")
    return 60 * int(minutes) + float(seconds)


@pytest.mark.both_pages
def test_clock_ticks_and_survives_a_reload(visit: Visit) -> None:
    """The clock of the side to move counts down, the other one waits, and a reload does not stop or reset it."""
    page = visit(settings={"setup": WITH_CLOCK})
    play_columns(page, "4")
    expect(page.locator(".clock").first).to_have_text(re.compile("1:0[12]"))
    expect(page.locator(".clock.running")).to_have_count(1)
    page.wait_for_function("() => /^0:5/.test(document.querySelectorAll('.clock')[1].textContent)")
    page.reload()
    page.locator(".clock").first.wait_for()
    assert read_clock(page, 1) <= 59
    expect(page.locator(".clock").nth(1)).to_have_class(re.compile("running"))
    assert 60 < read_clock(page, 0) <= 62


@pytest.mark.both_pages
def test_running_out_of_time_loses(visit: Visit) -> None:
    """When the server reports that the time is up, the page shows who lost on time and offers no undo."""
    page = visit(settings={"setup": TWO_PERSONS})
    page.evaluate(
        "() => { const setup = window.fourfall.views.play.setup; const create = setup.createMessage.bind(setup);"
        " setup.createMessage = () => ({...create(), clock: {initial_s: 0.7, increment_s: 0}}); }"
    )
    play_columns(page, "4")
    expect_status(page, "Orange ran out of time. Blue wins.")
    expect(page.locator(".clock").nth(1)).to_have_text("0:00.0")
    expect(page.locator("[data-action=undo]")).to_be_disabled()
    expect(page.locator("#announcements")).to_contain_text("Orange ran out of time")


def test_leaving_a_game_with_a_clock_says_that_it_keeps_running(visit: Visit) -> None:
    """Another view is shown at once, with a notification about the clock."""
    page = visit(settings={"setup": {**BEGINNER, "clock_minutes": 5}})
    click_column(page, 3)
    assert wait_for_turn(page)
    page.locator("#nav a[href='#games']").click()
    expect(page.locator("#notification")).to_have_text("The clock of your game keeps running.")


def test_full_column_is_refused_visibly(visit: Visit) -> None:
    """A full column shakes, the line above the board names it, and screen readers get the same text."""
    page = visit(settings={"setup": TWO_PERSONS})
    play_columns(page, "111111")
    page.evaluate(
        "() => { window.shaken = 0; const animate = Element.prototype.animate;"
        " Element.prototype.animate = function (...parameters) {"
        " window.shaken += 1; return animate.apply(this, parameters); }; }"
    )
    click_column(page, 0)
    expect_status(page, "Column 1 is full.")
    expect(page.locator("#announcements")).to_contain_text("Column 1 is full.")
    assert page.evaluate("window.shaken") == 6
    assert count_stones(page) == 6
    play_columns(page, "2")
    expect_status(page, "Orange to move")


def test_move_list_shows_earlier_positions(visit: Visit) -> None:
    """A click on a move shows its position; a column is played only after the way back to the game."""
    page = visit(settings={"setup": TWO_PERSONS})
    play_columns(page, "4455")
    page.locator(".move[data-ply='2']").click()
    expect_position(page, "6x7:44")
    expect_status(page, "The board shows move 2 of 4.")
    click_column(page, 0)
    expect_position(page, "6x7:4455")
    page.keyboard.press("<")
    expect_position(page, "6x7")
    page.locator("[data-action=back-to-game]").click()
    play_columns(page, "6")
    expect_position(page, "6x7:44556")


@pytest.mark.server_only
def test_move_during_a_lost_connection_is_sent_once(visit: Visit) -> None:
    """A move without a connection is kept and sent after the reconnect; a second one is refused with a text."""
    page = visit(settings={"setup": TWO_PERSONS})
    play_columns(page, "44")
    page.evaluate(
        "() => { window.fourfall.connection.socket.close(); const play = window.fourfall.views.play;"
        " play.chooseColumn(4); play.chooseColumn(5); }"
    )
    expect_status(page, "The last move has not reached the server yet.")
    expect(page.locator(".board-frame .stone")).to_have_count(3)
    page.wait_for_selector(".board.playable")
    expect_position(page, "6x7:445")
    play_columns(page, "6")
    expect_position(page, "6x7:4456")
