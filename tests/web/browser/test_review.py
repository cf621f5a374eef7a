"""Tests of the view Review: mistakes, better line, retry, thresholds, narrow screens."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Visit
from tests.web.browser.page_actions import ENGINE_OFF, click_column, expect_on_screen, expect_position, read_position

BLUNDER = "6x7:17171747"
"""Both sides have three stones in a column. Blue plays column 4 instead of winning in column 1, and loses."""
SLOW_WIN = "6x7:3141511"
"""Blue has three stones in row 1, open on both sides, and plays column 1, which still wins."""
LONG = "9x10@5,4:64464478886686348668484461111733773991575"
SETTINGS = {"analyse": ENGINE_OFF, "review": {"move_time_s": 0.02}}


def run_review(page: Page) -> None:
    """Start the review of the opened game and wait for its end."""
    page.locator("[data-action=start-review]").click()
    expect(page.locator(".accuracy")).to_be_visible(timeout=60_000)


def open_review(visit: Visit, position: str, **options: object) -> Page:
    """Open a position in Review and review it."""
    page = visit(f"#review={position}", **{"settings": SETTINGS, **options})
    run_review(page)
    return page


@pytest.mark.both_pages
def test_review_marks_the_blunder_in_list_graph_and_moves(visit: Visit) -> None:
    """The blunder is in the list of mistakes, the graph and the move list; the comment names the better move."""
    page = open_review(visit, BLUNDER)
    blunder = page.locator(".mistakes [data-mark=blunder][data-ply='6']")
    expect(blunder).to_have_attribute("aria-label", re.compile(r"Move 7, Blue: column 4 . blunder \(.100%\)"))
    blunder.click()
    expect_position(page, BLUNDER[:-1])
    comment = page.locator(".move-comment")
    expect(comment).to_contain_text("Blue played column 4")
    expect(comment).to_contain_text("blunder")
    expect(comment).to_contain_text("Missed a win in 1 (column 1).")
    expect(page.locator(".graph-plot .mistake-shape.blunder").last).to_be_attached()
    expect(page.locator(".move[aria-current] .mistake-shape.blunder")).to_be_attached()
    page.get_by_text("Thresholds", exact=True).click()
    page.locator("[data-field=threshold-mistake]").fill("100")
    page.locator("[data-field=threshold-mistake]").blur()
    expect(page.locator(".mistakes [data-mark=mistake]")).to_have_count(0)


def test_severities_differ_by_shape_and_colour(visit: Visit) -> None:
    """Each kind of mistake has its own path and its own colour."""
    page = visit("#review", settings=SETTINGS)
    found = page.evaluate(
        "async () => { const { createMistakeIcon } = await import('/ui/mistake_icons.js');"
        " return ['inaccuracy', 'mistake', 'blunder'].map((kind) => { const icon = createMistakeIcon(kind);"
        " document.body.append(icon); const path = icon.querySelector('path');"
        " return [path.getAttribute('d'), getComputedStyle(path).stroke]; }); }"
    )
    shapes, colours = zip(*found, strict=True)
    assert len(set(shapes)) == len(set(colours)) == 3


def test_missed_win_is_not_praised(visit: Visit) -> None:
    """A move that does not win at once is marked, although it still wins later."""
    page = open_review(visit, SLOW_WIN)
    comment = page.locator(".move-comment")
    expect(comment).to_contain_text("Blue played column 1")
    expect(comment).to_contain_text("inaccuracy")
    expect(comment).to_contain_text("Missed a win in 1 (column")
    expect(comment).not_to_contain_text("best move")
    expect(comment).not_to_contain_text("good move")


def test_better_line_keeps_comment_bar_and_graph(visit: Visit) -> None:
    """The better line is stepped through on the board; comment, bar and graph of the game stay, and the way back."""
    page = open_review(visit, LONG)
    page.locator(".mistakes button").first.click()
    comment, points = page.locator(".move-comment"), page.locator(".graph-plot .curve:not(.branch)")
    mistake = read_position(page)
    text = comment.locator("p").first.inner_text()
    curve = points.first.get_attribute("d")
    page.locator("[data-action=show-better]").click()
    best = page.evaluate("() => window.fourfall.views.review.commentedNode.review")
    expect_position(page, f"{mistake[:-1]}{'123456789abc'[best['best']]}")
    expect(comment.locator("p").first).to_have_text(text)
    expect(comment.locator("[aria-current]")).to_have_count(1)
    assert points.first.get_attribute("d") == curve
    expect(page.locator(".graph-plot .curve.branch")).to_be_attached()
    expect(page.get_by_role("meter")).not_to_have_attribute("aria-valuetext", "not evaluated yet")
    page.keyboard.press(".")
    assert len(read_position(page)) == len(mistake) + 1
    expect(comment.locator("p").first).to_have_text(text)
    page.locator("[data-action=hide-better]").click()
    expect_position(page, mistake)
    expect(page.locator(".variation")).to_have_count(0)


@pytest.mark.both_pages
def test_retry_says_whether_the_move_is_right(visit: Visit) -> None:
    """A wrong move is refuted on the board, a right one confirmed; screen readers get both answers."""
    page = open_review(visit, BLUNDER)
    page.locator(".mistakes [data-ply='6']").click()
    page.locator("[data-action=retry]").click()
    expect_position(page, BLUNDER[:-2])
    comment = page.locator(".move-comment")
    expect(comment).to_contain_text("Blue to move: find a better move than column 4.")
    expect(comment).not_to_contain_text("column 1")
    expect(page.locator(".board-frame .preview-stone")).to_have_count(0)
    click_column(page, 2)
    expect(page.locator(".retry-answer.wrong")).to_contain_text("Column 3: no immediate win.")
    expect(page.locator("#announcements")).to_contain_text("Column 3: no immediate win.")
    expect(page.locator(".board-frame .preview-stone").first).to_be_visible()
    page.locator("[data-action=try-again]").click()
    page.keyboard.press("1")
    expect(page.locator(".retry-answer.right")).to_contain_text("Column 1 is right. Blue wins in 1.")
    expect(page.locator("#announcements")).to_contain_text("Column 1 is right.")
    expect(page.locator(".board-frame .winning-cell")).to_have_count(4)
    page.keyboard.press("Escape")
    expect_position(page, BLUNDER[:-1])
    expect(page.locator(".variation")).to_have_count(0)


def test_retry_checks_moves_that_the_review_did_not_search(visit: Visit) -> None:
    """The engine searches a tried move; the answer names the replies and the value. Then the solution is shown."""
    page = open_review(visit, "6x7:112237")  # Blue threatens column 4; Orange plays column 7
    page.locator(".mistakes [data-ply='5']").click()
    page.keyboard.press("r")
    click_column(page, 5)
    answer = page.locator(".retry-answer.wrong")
    expect(answer).to_contain_text("Column 6 is not good enough. Blue wins in 1: column 4.")
    expect(page.locator(".board-frame .preview-stone")).to_have_count(1)
    expect(page.locator(".mistakes [aria-current]")).to_have_attribute("data-ply", "5")
    page.locator("[data-action=try-again]").click()
    click_column(page, 6)
    expect(answer).to_contain_text("Column 7 is not good enough.")
    page.locator("[data-action=solution]").click()
    expect_position(page, "6x7:112234")
    expect(page.locator(".move-comment")).to_contain_text("Orange played column 7")


def test_mistakes_are_reached_by_keys_and_buttons(visit: Visit) -> None:
    """Keys n and p and the buttons select the next and the previous mistake and announce it."""
    page = open_review(visit, LONG)
    page.keyboard.press("<")
    expect(page.locator("[data-action=previous-mistake]")).to_be_disabled()
    page.keyboard.press("n")
    first = read_position(page)
    expect(page.locator("#announcements")).to_contain_text("column")
    page.locator("[data-action=next-mistake]").click()
    assert read_position(page) != first
    page.keyboard.press("p")
    expect_position(page, first)


def test_list_of_mistakes_is_not_cut(visit: Visit) -> None:
    """All mistakes of a long game are visible at once, without scrolling inside the list."""
    thresholds = {"inaccuracy": 0.01, "mistake": 0.02, "blunder": 0.05}
    settings = {**SETTINGS, "review": {"move_time_s": 0.02, "thresholds": thresholds}}
    page = open_review(visit, LONG, width=360, height=640, settings=settings)
    mistakes = page.locator(".mistakes")
    assert page.locator(".mistakes li").count() >= 8
    assert mistakes.evaluate("(list) => list.scrollHeight <= list.clientHeight && list.scrollWidth <= list.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_board_and_comment_are_on_screen_on_a_phone(visit: Visit) -> None:
    """On a phone, board and comment stay visible while stepping, also after scrolling to the list of mistakes."""
    page = open_review(visit, LONG, width=360, height=640)
    page.keyboard.press("<")
    board, comment = ".board-frame", ".comment-header"
    for _ in range(3):
        page.locator("[data-action='steps.forward']").click()
        expect_on_screen(page, board)
        expect_on_screen(page, comment)
    chip = page.locator(".mistakes button").last
    chip.scroll_into_view_if_needed()
    expect_on_screen(page, board)
    chip.click()
    expect_on_screen(page, board)
    expect_on_screen(page, comment)
