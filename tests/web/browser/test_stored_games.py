"""Tests of stored games in Analyse and Review: reload, players, result, event and variations."""

import pytest
from playwright.sync_api import Route, expect

from tests.web.browser.conftest import Visit
from tests.web.browser.page_actions import ENGINE_OFF, click_column, expect_fragment, expect_position, wait_for_view

SETTINGS = {"analyse": ENGINE_OFF, "review": {"move_time_s": 0.05}}


@pytest.mark.parametrize("view", ["analyse", "review"])
def test_reload_keeps_players_result_event_and_position(visit: Visit, arena_games: dict[str, str], view: str) -> None:
    """After stepping through an arena game, a reload shows the same game at the same position."""
    game = arena_games["short"]
    page = visit(f"#{view}={game}", settings=SETTINGS)
    page.locator(".game-players").wait_for()
    page.keyboard.press(",")
    expect_position(page, "6x7:1717174")
    expect_fragment(page, f"{view}={game}&ply=7")
    page.reload()
    players = page.locator(".game-players")
    expect(players).to_contain_text("alpha")
    expect(players.locator(".winner")).to_contain_text("beta")
    facts = page.locator(".game-facts")
    expect(facts).to_contain_text("four in a row")
    event = facts.get_by_role("link", name="test games")
    expect(event).to_have_attribute("href", f"#watch={arena_games['event']}")
    expect_position(page, "6x7:1717174")


def test_reload_keeps_a_variation_of_a_stored_game(visit: Visit, arena_games: dict[str, str]) -> None:
    """The address of a variation contains the game, so that a reload keeps both; the way back leads to the game."""
    game = arena_games["short"]
    page = visit(f"#analyse={game}&ply=6", settings=SETTINGS)
    page.locator(".game-players").wait_for()
    click_column(page, 0)
    expect_fragment(page, f"analyse={game}&line=1717171")
    page.reload()
    expect(page.locator(".game-players")).to_contain_text("alpha")
    expect(page.locator(".variation-note")).to_contain_text("Variation from move 7, not part of the game.")
    expect_position(page, "6x7:1717171")
    page.keyboard.press("Escape")
    expect_position(page, "6x7:1717174")
    expect(page.locator(".variation-note")).to_be_hidden()
    expect_fragment(page, f"analyse={game}&ply=7")


def test_move_after_the_end_of_a_stored_game_is_a_variation(visit: Visit, arena_games: dict[str, str]) -> None:
    """A game that ended by a timeout can be continued on the board, but the moves do not belong to the game."""
    page = visit(f"#analyse={arena_games['timeout']}", settings=SETTINGS)
    expect(page.locator(".game-facts")).to_contain_text("time limit exceeded")
    click_column(page, 0)
    expect(page.locator(".variation-note")).to_be_visible()
    expect(page.get_by_role("meter")).not_to_have_attribute("aria-valuetext", "Blue won")


def test_review_of_a_variation_names_the_sides(visit: Visit, arena_games: dict[str, str]) -> None:
    """A review inside a variation reviews only its moves, names them by side, and keeps the review of the game."""
    page = visit(f"#review={arena_games['reviewed']}&ply=6", settings=SETTINGS)
    page.locator("[data-action=start-review]").click()
    expect(page.locator(".accuracy")).to_contain_text("alpha")
    click_column(page, 4)
    click_column(page, 5)
    panel = page.locator(".review-panel")
    expect(panel).to_contain_text("Review of the variation")
    panel.locator("[data-action=start-review]").click()
    expect(page.locator(".accuracy")).to_contain_text("Blue")
    expect(page.locator(".accuracy")).not_to_contain_text("alpha")
    comment = page.locator(".move-comment")
    expect(comment).to_contain_text("Orange played column 6")
    page.keyboard.press(",")
    expect(comment).to_contain_text("Blue played column 5")
    expect(comment).to_contain_text("Missed a win in 1 (column 1).")
    expect(comment).not_to_contain_text("alpha")
    page.keyboard.press("Escape")
    expect(comment).to_contain_text("alpha played column 4")
    expect(page.locator(".accuracy")).to_contain_text("alpha")
    page.goto(page.evaluate("() => location.href.replace('#review', '?reload#analyse')"))
    expect(page.locator(".graph-caption")).to_have_text("Evaluation: review by fourfall")
    expect(page.locator(".graph-plot .mistake-shape.blunder").first).to_be_attached()


def test_game_that_arrives_late_does_not_replace_the_next_view(visit: Visit, arena_games: dict[str, str]) -> None:
    """If the user goes on before a game is loaded, neither the view nor the viewer changes when it arrives."""
    page = visit("#games", settings=SETTINGS)
    waiting: list[Route] = []
    page.route(f"**/api/games/{arena_games['short']}", lambda route: waiting.append(route))
    with page.expect_request(f"**/api/games/{arena_games['short']}"):
        page.evaluate("(game) => { location.hash = `#analyse=${game}`; }", arena_games["short"])
    page.evaluate("() => { location.hash = '#6x7:44'; }")
    expect_position(page, "6x7:44")
    page.evaluate("() => { location.hash = '#games'; }")
    wait_for_view(page, "games")
    with page.expect_response(f"**/api/games/{arena_games['short']}") as response:
        waiting[0].continue_()
    response.value.finished()
    page.evaluate("() => new Promise((resolve) => setTimeout(resolve, 50))")
    assert page.evaluate("() => window.fourfall.currentView") == "games"
    assert page.evaluate("() => window.fourfall.viewer.position.notation") == "6x7:44"
