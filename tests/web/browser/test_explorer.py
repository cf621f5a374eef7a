"""Tests of the opening explorer on the page: moves and results, filter, engine values, example games."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import expect

from fourfall.arena.judge import Ending
from fourfall.arena.record import EXAMPLE
from fourfall.arena.store import Store
from tests.web.browser.conftest import Visit
from tests.web.browser.page_actions import (
    ENGINE_OFF,
    ONE_SECOND,
    TWO_PERSONS,
    expect_position,
    play_columns,
    read_game_id,
)
from tests.web.browser.server import Server

GAMES = [("445", 0), ("443", 1), ("4453", 0), ("44", None), ("4466", 0)]
OPEN = {"analyse": ENGINE_OFF, "explorer_open": True}


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start a server with five games of the arena; the results need not follow from the moves."""
    server = Server(tmp_path_factory.mktemp("explorer"))
    records = [
        replace(
            EXAMPLE,
            number=number,
            moves=moves,
            winner=winner,
            ending=Ending.TIE if winner is None else Ending.WIN,
            started=f"2026-11-15T12:00:0{number}+00:00",
        )
        for number, (moves, winner) in enumerate(GAMES)
    ]
    with Store(server.database) as store:
        store.import_games("five", records)
    server.start()
    yield server
    server.stop()


def test_moves_results_and_examples(visit: Visit, games: Server) -> None:
    """The table has a row for each move that was played, with the number of games and a bar of results."""
    page = visit("#6x7:44", at=games, settings=OPEN)
    rows = page.locator(".explorer-table tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.nth(0)).to_contain_text("2")
    expect(rows.nth(0).get_by_role("img")).to_have_attribute("aria-label", "Blue won 2, 0 drawn, Orange won 0")
    expect(rows.nth(0).get_by_role("button")).to_have_attribute("aria-label", "Play column 5")
    total = page.locator(".explorer-table tfoot")
    expect(total.get_by_role("img")).to_have_attribute("aria-label", "Blue won 3, 1 drawn, Orange won 1")
    expect(page.locator(".explorer")).to_contain_text("1 game ended here.")
    expect(page.locator(".explorer")).to_contain_text("in any order of moves, also mirrored")
    assert Axe().run(page).response["violations"] == []
    rows.nth(0).get_by_role("button").click()
    expect_position(page, "6x7:445")
    expect(page.locator(".explorer-table tbody tr")).to_have_count(1)
    page.locator(".explorer-examples a").first.click()
    page.wait_for_function("() => window.fourfall.viewer.info.gameId === 'a3'")
    expect_position(page, "6x7:445")


def test_filter_and_unknown_positions(visit: Visit, games: Server) -> None:
    """Games of the page and of the arena can be chosen; a position of no game says so."""
    page = visit("#6x7:44", at=games, settings=OPEN)
    expect(page.locator(".explorer-table tbody tr")).to_have_count(3)
    page.locator("[data-field=explorer-source]").select_option("page")
    expect(page.locator(".explorer")).to_contain_text("No stored game reached this position.")
    page.locator("[data-field=explorer-source]").select_option("arena")
    expect(page.locator(".explorer-table tbody tr")).to_have_count(3)
    page.locator("body").press("1")
    expect(page.locator(".explorer")).to_contain_text("No stored game reached this position.")


def test_engine_values_stand_beside_the_moves(visit: Visit, games: Server) -> None:
    """The value of each column is that of the analysis, for the side whose values are shown."""
    page = visit("#6x7:44", at=games, settings={"analyse": ONE_SECOND, "explorer_open": True})
    expect(page.locator(".explorer-table tbody tr").first.locator("td").last).to_contain_text("%")


def test_explorer_is_closed_at_first_and_requests_nothing(visit: Visit, games: Server) -> None:
    """A closed explorer sends no requests; it stays open after a reload."""
    page = visit("#6x7", at=games, settings={"analyse": ENGINE_OFF})
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.locator("body").press("4")
    page.locator("body").press("4")
    expect(page.locator(".ply-counter")).to_have_text("2 / 2")
    page.locator(".explorer-card summary").click()
    expect(page.locator(".explorer-table tbody tr")).to_have_count(3)
    explored = [url for url in requests if "/api/explorer" in url]
    assert len(explored) == 1
    page.reload()
    expect(page.locator(".explorer-table tbody tr")).to_have_count(3)


def test_variations_of_a_stored_game_survive_a_reload(visit: Visit, games: Server) -> None:
    """After a reload the game has its players, its own moves as main line, and the variation."""
    page = visit("#analyse=a3&ply=2", at=games, settings={"analyse": ENGINE_OFF})
    page.wait_for_function("() => window.fourfall.viewer.info.gameId === 'a3'")
    page.locator("body").press("7")
    expect(page.locator(".variation .move")).to_have_text(["7"])
    page.reload()
    page.wait_for_function("() => window.fourfall?.viewer.position.notation === '6x7:447'")
    expect(page.locator(".variation .move")).to_have_text(["7"])
    line, names = page.evaluate(
        "() => [window.fourfall.viewer.gameLine.at(-1).position.notation, window.fourfall.viewer.info.names]"
    )
    assert (line, names) == ("6x7:4453", ["left", "right"])


@pytest.mark.both_pages
def test_game_that_was_played_here_is_found(visit: Visit) -> None:
    """A finished game of the page is counted at its positions, also mirrored, and can be opened there."""
    page = visit(settings={"setup": TWO_PERSONS, **OPEN})
    play_columns(page, "3635313")  # no other test plays these moves
    game_id = read_game_id(page)
    page.evaluate("location.hash = '#6x7:5253'")
    row = page.locator(".explorer-table tbody tr")
    expect(row.get_by_role("button")).to_have_attribute("aria-label", "Play column 5")
    expect(row.get_by_role("img")).to_have_attribute("aria-label", "Blue won 1, 0 drawn, Orange won 0")
    page.locator(".explorer-examples a").first.click()
    page.wait_for_function("(id) => window.fourfall.viewer.info.gameId === id", arg=game_id)
    expect_position(page, "6x7:3635")
