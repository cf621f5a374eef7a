"""Tests of the view Watch: start a match, watch it, open its games."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Visit

KEEPS_GAME = """() => {
    const { liveBoard } = window.fourfall.views.watch;
    liveBoard.update([], true);
    return liveBoard.game !== null;
}"""


def start_match(page: Page) -> None:
    """Start the match of the form and wait until the page shows it; before, the list of all events may be updated."""
    page.locator("[data-action=match]").click()
    expect(page).to_have_url(re.compile(r"#watch=\d+$"))
    page.locator(".event-progress").wait_for()


@pytest.mark.server_only
def test_match_is_started_watched_and_its_games_opened(visit: Visit) -> None:
    """A match between two levels fills standings and cross table, and its games can be opened."""
    page = visit("#watch")
    page.locator("[data-field=a]").select_option("level-2")
    page.locator("[data-field=b]").select_option("level-4")
    page.locator("[data-field=games]").fill("4")
    start_match(page)
    expect(page.locator(".state")).to_have_text("complete", timeout=60_000)
    expect(page.locator("tbody tr").first.locator("td").nth(2)).to_have_text("4")
    expect(page.locator(".cross-table tbody tr")).to_have_count(2)
    page.locator(".games a").first.click()
    expect(page.locator(".move-list .move").nth(7)).to_be_visible()
    page.go_back()
    page.get_by_text("All games of this event").click()
    expect(page.locator(".games li")).to_have_count(4)


@pytest.mark.server_only
def test_live_board_follows_a_game(visit: Visit) -> None:
    """The large board shows the moves of a running game as they are played; Analyse opens this game."""
    page = visit("#watch")
    page.locator("[data-field=a]").select_option("fourfall-classic")
    page.locator("[data-field=b]").select_option("fourfall-classic")
    page.locator("[data-field=games]").fill("2")
    page.locator("[data-field=match-time]").select_option("0.2")
    start_match(page)
    board = page.locator(".live-board")
    expect(board.locator(".stone").nth(1)).to_be_attached(timeout=60_000)
    expect(board.locator(".stone").nth(4)).to_be_attached(timeout=60_000)
    expect(board.locator(".live-evaluation")).to_have_text(re.compile("win chance|wins|loses|Draw"), timeout=60_000)
    box = board.locator(".board-frame").bounding_box()
    assert box is not None
    assert box["width"] > 300
    evaluation = board.locator(".live-evaluation").bounding_box()
    assert evaluation is not None
    assert evaluation["y"] + evaluation["height"] < 900, "the evaluation is below the edge of the window"
    assert page.evaluate(KEEPS_GAME), "between two games the board would disappear"
    page.locator("nav").get_by_text("Analyse").click()
    expect(page.locator(".game-players")).to_contain_text("fourfall-classic")
    page.go_back()
    page.locator("[data-action=stop-match]").click()
    expect(page.locator(".state")).to_have_text("stopped", timeout=60_000)
    expect(board).to_have_count(0)


CREATE_CARD = """async (scores) => {
  const { createGroupCard } = await import("/ui/event_tables.js");
  const standings = Object.entries(scores).map(([agent, value], index) => ({
    rank: index + 1, agent, games: 4, won: 2, drawn: 0, lost: 2, first: [1, 0, 1], second: [1, 0, 1],
    score: { value, low: value - 0.2, high: value + 0.2 }, elo: { value: 0, low: -100, high: 100 }, failures: {},
  }));
  const group = { name: "", standings, cross: [], elo_kind: "difference", unconnected: [] };
  return createGroupCard(group).querySelector("h2 + p").textContent;
}"""


@pytest.mark.parametrize(
    ("language", "equal", "open_"),
    [
        ("en", "The best score so far, 50%, is shared by: left, right", "left has the best score, 55%"),
        ("zh", "目前以下选手得分率同为 50%", "left 得分最高"),
    ],
)
def test_equal_scores_have_no_leader(visit: Visit, language: str, equal: str, open_: str) -> None:
    """The sentence above the standings names a leader only if no other agent has the same score."""
    page = visit("#watch", settings={"language": language})
    sentence = page.evaluate(CREATE_CARD, {"left": 0.5, "right": 0.5, "third": 0.4})
    assert sentence.startswith(equal)
    assert "left, right" in sentence
    assert "third" not in sentence
    assert page.evaluate(CREATE_CARD, {"left": 0.55, "right": 0.5}).startswith(open_)
