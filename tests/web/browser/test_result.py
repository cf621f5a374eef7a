"""Tests of the end of a game in Play: winning line, result card, turning point, sounds."""

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Visit
from tests.web.browser.page_actions import TWO_PERSONS, expect_status, play_columns, read_boxes

RECORD_SOUNDS = """() => {
  window.tones = [];
  class Node { connect(next) { return next; } }
  class Oscillator extends Node {
    constructor() { super(); this.frequency = { value: 0 }; }
    start() { window.tones.push(this.frequency.value); }
    stop() {}
  }
  class Gain extends Node {
    constructor() { super(); this.gain = { setValueAtTime() {}, exponentialRampToValueAtTime() {} }; }
  }
  window.AudioContext = class {
    constructor() { this.state = "running"; this.currentTime = 0; this.destination = new Node(); }
    createOscillator() { return new Oscillator(); }
    createGain() { return new Gain(); }
  };
}"""
MOVE_HZ, ILLEGAL_HZ, WIN_HZ, LOSS_HZ = 196, 110, 523, 392


def test_result_card_says_how_the_game_was_won(visit: Visit) -> None:
    """The card names the winner, the direction of the line and the number of moves, and it is announced."""
    page = visit(settings={"setup": TWO_PERSONS})
    for columns, text in (
        ("1122334", "4 in a row, horizontal. Blue won in 4 moves (7 stones on the board)."),
        ("1212121", "4 in a row, vertical. Blue won in 4 moves (7 stones on the board)."),
        ("12234334544", "4 in a row, diagonal. Blue won in 6 moves (11 stones on the board)."),
    ):
        play_columns(page, columns)
        card = page.locator(".result-card")
        expect(card).to_contain_text("Blue wins")
        expect(card).to_contain_text(text)
        expect(card).to_contain_text("Time: Blue 0:0")
        expect(page.locator("#announcements")).to_contain_text(text)
        expect(page.locator(".board-frame .winning-line:not(.edge)")).to_have_count(1)
        page.keyboard.press("n")
        expect(page.locator(".board-frame .winning-line")).to_have_count(0)


def test_result_card_does_not_cover_the_board(visit: Visit) -> None:
    """On a phone the card is below the board, on a large screen beside it."""
    for width in (360, 1366):
        page = visit(width=width, height=768, settings={"setup": TWO_PERSONS})
        play_columns(page, "1122334")
        card, board = read_boxes(page, ".result-card", ".board-frame")
        assert card["top"] >= board["bottom"] or card["left"] >= board["right"]


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_winning_line_is_animated_unless_motion_is_reduced(visit: Visit, motion: str) -> None:
    """The line and its stones move; with reduced motion they are drawn without animation."""
    page = visit(settings={"setup": TWO_PERSONS}, reduced_motion=motion)
    play_columns(page, "112233")
    page.evaluate(
        "() => { window.animated = new Set(); const animate = Element.prototype.animate;"
        " Element.prototype.animate = function (...parameters) {"
        " window.animated.add(this.tagName); return animate.apply(this, parameters); }; }"
    )
    play_columns(page, "4")
    expect(page.locator(".board-frame .winning-line").first).to_be_attached()
    assert page.evaluate("window.animated.has('path')") == (motion == "no-preference")


@pytest.mark.both_pages
def test_turning_point_leads_to_the_review(visit: Visit) -> None:
    """A short review finds the move of the loser that cost most; the link opens the review after this move."""
    page = visit(settings={"setup": TWO_PERSONS, "review": {"move_time_s": 0.1}})
    play_columns(page, "1122334")
    card = page.locator(".result-card")
    expect(card).to_contain_text("Turning point: move 6 (Orange, column 3)")
    page.locator("[data-action=turning-point]").click()
    expect(page.locator(".ply-counter")).to_have_text("6 / 7")
    assert page.evaluate("window.fourfall.currentView") == "review"


def read_tones(page: Page) -> list[int]:
    """Return the frequencies that were played since the last call."""
    tones: list[int] = page.evaluate("() => window.tones.splice(0)")
    return tones


def test_sound_is_off_until_it_is_turned_on(visit: Visit) -> None:
    """Nothing is played before the box is ticked; then moves, full columns and the end have sounds."""
    page = visit(settings={"setup": TWO_PERSONS})
    page.evaluate(RECORD_SOUNDS)
    play_columns(page, "1")
    assert read_tones(page) == []
    page.locator("[data-field=sound]").check()
    assert read_tones(page) == [MOVE_HZ]
    play_columns(page, "11111")
    assert read_tones(page) == [MOVE_HZ] * 5
    page.keyboard.press("1")
    assert ILLEGAL_HZ in read_tones(page)
    play_columns(page, "22334")
    expect_status(page, "wins")
    assert read_tones(page).count(WIN_HZ) == 1


def test_sound_setting_survives_a_reload_without_sound_before_a_gesture(visit: Visit) -> None:
    """After a reload the box is still ticked, but no sound is played before the first click or key."""
    page = visit(settings={"setup": TWO_PERSONS, "sound": True})
    page.evaluate(RECORD_SOUNDS)
    expect(page.locator("[data-field=sound]")).to_be_checked()
    page.evaluate("async () => (await import('/ui/sounds.js')).playSound('win')")
    assert read_tones(page) == []
    play_columns(page, "4")
    assert read_tones(page) == [MOVE_HZ]
