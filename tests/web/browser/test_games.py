"""Tests of the view Games: stored games and the import of pasted text."""

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Visit
from tests.web.browser.page_actions import BEGINNER, ENGINE_OFF, click_column, read_position, wait_for_turn

IMPORT_URL = "**/api/import"
TEXT_BOARD = """
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. . . O . . .
. . . X X . .
"""


def test_unfinished_game_is_listed_and_continued(visit: Visit) -> None:
    """An unfinished game of the page is in the list and opens with the same position."""
    page = visit(settings={"setup": BEGINNER})
    click_column(page, 3)
    assert wait_for_turn(page)
    before, game_id = read_position(page), page.url.split("=")[-1]
    page.keyboard.press("n")
    page.locator("dialog [data-action=confirm]").click()
    page.keyboard.press("Shift+G")
    page.locator(f".games [data-game={game_id}] .game-link").click()
    expect(page.locator(".board-frame .stone")).to_have_count(2)
    assert read_position(page) == before


@pytest.mark.parametrize(
    ("text", "position"),
    [
        pytest.param("10x11@4,7:6655", "10x11@4,7:6655", id="position"),
        pytest.param("4 4 3", "6x7:443", id="moves"),
        pytest.param('{"position": "6x7:5"}', "6x7:5", id="record"),
        pytest.param(TEXT_BOARD, "6x7:445", id="text board"),
    ],
)
def test_pasted_text_is_imported(visit: Visit, text: str, position: str) -> None:
    """A position, a list of moves, a JSON record and a text board open in Analyse."""
    page = visit("#games", settings={"analyse": ENGINE_OFF})
    page.locator("[data-field=import]").fill(text)
    page.locator("[data-action=import]").click()
    page.locator("main[data-view=analyse]").wait_for()
    assert sorted(read_position(page)) == sorted(position)  # the order of a text board's moves is not determined
    if text == TEXT_BOARD:
        expect(page.locator("#notification")).to_contain_text("A text board has no move order.")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_text_that_cannot_be_imported_shows_the_error(visit: Visit, language: str) -> None:
    """The sentence for the server's error code is shown below the field in the language of the page."""
    page = visit("#games", settings={"language": language})
    page.locator("[data-field=import]").fill("hello")
    with page.expect_response(IMPORT_URL) as response:
        page.locator("[data-action=import]").click()
    error = response.value.json()
    assert error["code"] == "unexpected_character"
    sentence = page.evaluate("async (error) => (await import('/words/error_text.js')).formatError(error)", error)
    assert {"en": "Unexpected character", "zh": "无法识别的字符"}[language] in sentence
    expect(page.locator(".error-text")).to_have_text(sentence)
    expect(page.locator("main[data-view=games]")).to_be_visible()
