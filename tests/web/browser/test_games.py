"""Tests of the view Games: stored games and the import of pasted text."""

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Visit
from tests.web.browser.page_actions import (
    BEGINNER,
    ENGINE_OFF,
    click_column,
    expect_position,
    read_game_id,
    read_position,
    send_request,
    wait_for_turn,
    wait_for_view,
)

IMPORT_URL = "**/api/import"
TEXT_BOARD = """
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. . . O . . .
. . . X X . .
"""


@pytest.mark.both_pages
def test_unfinished_game_is_listed_and_continued(visit: Visit) -> None:
    """An unfinished game of the page is in the list and opens with the same position."""
    page = visit(settings={"setup": BEGINNER})
    click_column(page, 3)
    assert wait_for_turn(page)
    before, game_id = read_position(page), read_game_id(page)
    page.keyboard.press("n")
    expect(page.locator("dialog [data-action=confirm]")).to_be_enabled()
    # The key comes before the page has left the game: the dialog sends its event `close` later.
    page.evaluate(
        "() => { document.querySelector('dialog [data-action=confirm]').click();"
        " document.dispatchEvent(new KeyboardEvent('keydown', { key: 'G', shiftKey: true })); }"
    )
    page.locator(f".games [data-game={game_id}] .game-link").click()
    expect(page.locator(".board-frame .stone")).to_have_count(2)
    expect_position(page, before)


@pytest.mark.both_pages
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
    wait_for_view(page, "analyse")
    assert sorted(read_position(page)) == sorted(position)  # the order of a text board's moves is not determined
    if text == TEXT_BOARD:
        expect(page.locator("#notification")).to_contain_text("A text board has no move order.")


@pytest.mark.server_only
@pytest.mark.parametrize("language", ["en", "zh"])
def test_text_that_cannot_be_imported_shows_the_error(visit: Visit, language: str) -> None:
    """The sentence for the server's error code is shown below the field in the language of the page."""
    page = visit("#games", settings={"language": language})
    page.locator("[data-field=import]").fill("hello")
    with page.expect_response(IMPORT_URL) as response:
        page.locator("[data-action=import]").click()
    error = response.value.json()
    assert error["code"] == "unknown_text"
    sentence = page.evaluate("async (error) => (await import('/words/error_text.js')).formatError(error)", error)
    assert {"en": "not a position", "zh": "无法识别这段文字"}[language] in sentence
    expect(page.locator(".error-text")).to_have_text(sentence)
    expect(page.locator("main[data-view=games]")).to_be_visible()


def play_one_move(page: Page) -> str:
    """Start a game with a move in column 4; return its id."""
    click_column(page, 3)
    assert wait_for_turn(page)
    game_id = read_game_id(page)
    page.keyboard.press("Shift+G")
    return game_id


def test_list_shows_thumbnails(visit: Visit) -> None:
    """Every game of the list has a small picture of its last position."""
    page = visit(settings={"setup": BEGINNER})
    game = page.locator(f".games [data-game={play_one_move(page)}]")
    expect(game.locator(".thumbnail .stone")).to_have_count(2)


@pytest.mark.both_pages
def test_games_are_searched_and_filtered(visit: Visit) -> None:
    """The list contains the games that match the text and the result; clearing the filters shows all again."""
    page = visit(settings={"setup": BEGINNER})
    game = page.locator(f".games [data-game={play_one_move(page)}]")
    expect(game).to_be_visible()
    search = page.locator("[data-field=search]")
    search.fill("no such player")
    expect(page.get_by_text("No game matches the filters.")).to_be_visible()
    expect(search).to_be_focused()
    search.fill("LEVEL")
    expect(game).to_be_visible()
    page.locator("[data-field=result]").select_option("draw")
    expect(game).to_have_count(0)
    page.locator("[data-field=result]").select_option("unfinished")
    expect(game).to_be_visible()
    page.locator("[data-action=clear-filters]").click()
    expect(page.locator("[data-field=result]")).to_have_value("")
    expect(search).to_have_value("")
    expect(game).to_be_visible()


@pytest.mark.both_pages
def test_deleted_game_can_be_restored(visit: Visit) -> None:
    """A deleted game leaves a row with Undo, which brings it back; it is no longer the game of Play."""
    page = visit(settings={"setup": BEGINNER})
    game_id = play_one_move(page)
    game = page.locator(f".games [data-game={game_id}]")
    page.locator(f"[data-action=delete-{game_id}]").click()
    expect(game).to_have_class("deleted")
    undo = page.locator(f"[data-action=restore-{game_id}]")
    expect(undo).to_be_focused()
    page.keyboard.press("Shift+P")
    expect(page.locator(".board-frame .stone")).to_have_count(0)
    page.keyboard.press("Shift+G")
    wait_for_view(page, "games")
    expect(game).to_have_count(0)
    send_request(page, f"/api/games/{game_id}/restore", "POST")
    page.reload()
    page.locator(f"[data-action=delete-{game_id}]").click()
    undo.click()
    expect(game.locator(".game-link")).to_be_visible()


@pytest.mark.server_only
def test_list_that_cannot_be_loaded_says_so(visit: Visit) -> None:
    """Without a server the list says that it does not respond, not that there are no games, and can be loaded again."""
    page = visit("#play")
    page.route("**/api/games?*", lambda route: route.abort())
    page.keyboard.press("Shift+G")
    expect(page.get_by_role("alert").get_by_text("The server does not respond.")).to_be_visible()
    expect(page.get_by_text("No games yet.")).to_have_count(0)
    page.unroute("**/api/games?*")
    page.locator("[data-action=retry]").click()
    expect(page.locator("[data-action=retry]")).to_have_count(0)
