"""Tests of the evaluation graph and bar: axes, quick evaluation, players' own values, result, keyboard and tooltip."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.browser.arena_games import OWN_VALUE
from tests.web.browser.conftest import Visit
from tests.web.browser.page_actions import ENGINE_OFF, ONE_SECOND, expect_position, read_boxes

DRAW = "4x4:4321311144234232"

# All at once, because the graph is drawn again with every position that the quick evaluation adds.
_MEASURE_LABELS = """() => {
    const labels = document.querySelectorAll(".graph-plot .axis-label");
    const boxes = [...labels].map((label) => label.getBoundingClientRect());
    const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    const { left, right } = document.querySelector(".graph-plot").getBoundingClientRect();
    return {
        overlaps: boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => overlap(a, b))).length,
        boxes: boxes.map((box) => [box.left, box.right]),
        left,
        right,
    };
}"""


_RECORD_CAPTIONS = """() => {
    window.captions = [];
    const { viewer } = window.fourfall;
    new MutationObserver(() => window.captions.push(viewer.graph.caption.textContent))
        .observe(viewer.graph.caption, { childList: true });
}"""

_LEAVE_AFTER_THE_FIRST_REPLY = """() => {
    const { connection } = window.fourfall;
    const send = connection.send.bind(connection);
    window.sent = [];
    connection.send = (message, options) => { window.sent.push(message.type); return send(message, options); };
    connection.on("review", () => { if (!window.sent.includes("stop_review")) location.hash = "#games"; });
}"""


def find_slider(page: Page) -> Locator:
    """Return the graph as screen readers see it."""
    return page.get_by_role("slider", name="Evaluation graph of the game")


def wait_for_evaluation(page: Page) -> None:
    """Wait until the quick evaluation of the opened game is complete."""
    expect(page.locator(".graph-caption")).to_have_text("Quick evaluation by fourfall", timeout=60_000)


@pytest.mark.parametrize("width", [360, 1200])
def test_axes_are_labelled_without_collisions(visit: Visit, arena_games: dict[str, str], width: int) -> None:
    """Win chances on the left, move numbers below, also on a narrow screen; no label covers another or is cut."""
    page = visit(f"#analyse={arena_games['long']}", width=width, settings={"analyse": ENGINE_OFF})
    expect(page.locator(".graph-title")).to_have_text("Win chance of Blue")
    labels = page.locator(".graph-plot .axis-label")
    expect(labels.first).to_be_attached()
    texts = labels.all_text_contents()
    assert texts[:5] == ["0%", "25%", "50%", "75%", "100%"]
    assert "Move" in texts
    assert {"0", "10", "20", "30", "40"} <= set(texts)
    measured = page.evaluate(_MEASURE_LABELS)
    assert measured["overlaps"] == 0
    assert len(measured["boxes"]) == len(texts)
    for left, right in measured["boxes"]:
        assert measured["left"] - 1 <= left
        assert right <= measured["right"] + 1


def test_players_opinions_are_not_the_evaluation(visit: Visit, arena_games: dict[str, str]) -> None:
    """One engine evaluates a stored game and shows its progress; bar and graph do not contain the players' values."""
    page = visit("#games", settings={"analyse": ENGINE_OFF})
    page.evaluate(_RECORD_CAPTIONS)
    page.evaluate("(game) => { location.hash = `#review=${game}`; }", arena_games["long"])
    wait_for_evaluation(page)
    captions = page.evaluate("() => window.captions")
    assert any(re.fullmatch(r"Evaluation by fourfall: \d+ of 42 positions", text) for text in captions)
    expect(page.locator(".player-line")).to_have_count(0)
    find_slider(page).press("Home")
    expect(page.locator(".evaluation-bar")).not_to_have_attribute("aria-valuenow", str(round(100 * OWN_VALUE)))
    points = page.evaluate("() => window.fourfall.viewer.graph.data.points.map(({ score }) => score?.win_chance)")
    assert len(points) == 42
    assert None not in points
    assert sum(abs(point - OWN_VALUE) < 0.001 for point in points[::2]) < 3


def test_players_values_are_separate_lines_on_request(visit: Visit, arena_games: dict[str, str]) -> None:
    """One thin line for each player, with another dash and colour, named in the legend; the choice is stored."""
    page = visit(f"#analyse={arena_games['long']}", settings={"analyse": ENGINE_OFF})
    page.locator("[data-field=player-values]").check()
    lines = page.locator(".graph-plot .player-line")
    expect(lines).to_have_count(2)
    styles = lines.evaluate_all(
        "lines => lines.map(getComputedStyle).map((style) => [style.stroke, style.strokeDasharray])"
    )
    assert len(styles) == 2
    assert styles[0][0] != styles[1][0]
    assert styles[0][1] != styles[1][1]
    assert "none" not in (styles[0][1], styles[1][1])
    expect(page.locator(".legend-item").nth(1)).to_contain_text("alpha")
    expect(page.locator(".legend-item").nth(2)).to_contain_text("beta")
    find_slider(page).press("Home")
    expect(page.locator(".graph-tooltip")).to_contain_text("alpha expected 5%")
    page.reload()
    expect(page.locator(".graph-plot .player-line")).to_have_count(2)


@pytest.mark.parametrize(
    ("kind", "text", "percent"),
    [("long", "Blue won", "100"), ("short", "Orange won", "0"), ("timeout", "Blue won", "100")],
)
def test_finished_game_shows_its_result(
    visit: Visit, arena_games: dict[str, str], kind: str, text: str, percent: str
) -> None:
    """Bar and last point of the graph show the result, also of a game that did not end with four in a row."""
    page = visit(f"#analyse={arena_games[kind]}", settings={"analyse": ENGINE_OFF})
    bar = page.get_by_role("meter")
    expect(bar).to_have_attribute("aria-valuenow", percent)
    expect(bar).to_have_attribute("aria-valuetext", text)
    expect(page.locator(".graph-plot .result-label")).to_have_text(text)
    expect(find_slider(page)).to_have_attribute("aria-valuetext", re.compile(f"{text}$"))
    find_slider(page).press("ArrowLeft")
    expect(bar).not_to_have_attribute("aria-valuetext", text)


def test_drawn_game_shows_fifty_percent(visit: Visit) -> None:
    """A full board without a line of four is a draw: 50 %."""
    page = visit(f"#{DRAW}", settings={"analyse": ENGINE_OFF})
    expect(page.get_by_role("meter")).to_have_attribute("aria-valuetext", "Draw")
    expect(page.get_by_role("meter")).to_have_attribute("aria-valuenow", "50")
    expect(page.locator(".graph-plot .result-label")).to_have_text("Draw")


def test_keyboard_and_tooltip_name_move_and_value(visit: Visit, arena_games: dict[str, str]) -> None:
    """Arrow keys move along the game; a tooltip and the slider's text name the move and its value."""
    page = visit(f"#review={arena_games['short']}", settings={"analyse": ENGINE_OFF})
    wait_for_evaluation(page)
    slider = find_slider(page)
    slider.press("Home")
    for _ in range(6):
        slider.press("ArrowRight")
    expect_position(page, "6x7:171717")
    tooltip = page.locator(".graph-tooltip")
    expect(tooltip).to_contain_text("Move 6, Orange: column 7")
    expect(tooltip).to_contain_text("Blue wins in 1")
    expect(slider).to_have_attribute("aria-valuetext", "Move 6, Orange: column 7. Blue wins in 1")
    slider.press("ArrowLeft")
    expect_position(page, "6x7:17171")
    slider.blur()
    expect(tooltip).to_be_hidden()
    (box,) = read_boxes(page, ".graph-plot")
    slider.hover(position={"x": box["width"] - 12, "y": 40})
    expect(tooltip).to_contain_text("Move 8, Orange: column 7")
    expect_position(page, "6x7:17171")


def test_graph_follows_the_perspective(visit: Visit, arena_games: dict[str, str]) -> None:
    """For the second player the graph is upside down, and its title says for whom it is."""
    page = visit(f"#analyse={arena_games['long']}", settings={"analyse": ENGINE_OFF, "perspective": "second"})
    expect(page.locator(".graph-title")).to_have_text("Win chance of Orange")
    plot, point = read_boxes(page, ".graph-plot", ".result-point")
    assert point["y"] > plot["y"] + plot["height"] / 2
    expect(page.get_by_role("meter")).to_have_attribute("aria-valuenow", "0")


def test_evaluation_stops_when_the_user_leaves_and_continues_later(visit: Visit, arena_games: dict[str, str]) -> None:
    """Leaving the game stops the evaluation on the server; when the user returns, the other positions follow."""
    page = visit("#games", settings={"analyse": ENGINE_OFF})
    page.evaluate(_LEAVE_AFTER_THE_FIRST_REPLY)
    page.evaluate("(game) => { location.hash = `#review=${game}`; }", arena_games["long"])
    page.wait_for_function("() => window.sent.includes('stop_review')")
    page.locator("main[data-view=games]").wait_for()
    assert not page.evaluate("() => window.fourfall.quickReview.isRunning")
    page.keyboard.press("Shift+R")
    wait_for_evaluation(page)


def test_quick_evaluation_waits_behind_users_requests(visit: Visit, arena_games: dict[str, str]) -> None:
    """The request for the evaluation of a game has a short time for each position and is marked as background work."""
    sent: list[str] = []
    page = visit("#games", settings={"analyse": ENGINE_OFF})
    page.on("websocket", lambda socket: socket.on("framesent", lambda text: sent.append(str(text))))
    page.goto(page.url.replace("#games", f"?reload#review={arena_games['short']}"))
    wait_for_evaluation(page)
    reviews = [text for text in sent if '"type":"review"' in text]
    assert len(reviews) == 1
    assert '"background":true' in reviews[0]
    assert '"move_time_s":0.05' in reviews[0]


def test_another_engine_evaluates_all_positions_again(visit: Visit, arena_games: dict[str, str]) -> None:
    """The graph never mixes engines: after choosing another one, the quick evaluation starts again with it."""
    page = visit(f"#analyse={arena_games['short']}", settings={"analyse": ONE_SECOND})
    wait_for_evaluation(page)
    page.locator("[data-field=engine-name]").select_option("fourfall-classic")
    expect(page.locator(".graph-caption")).to_have_text("Quick evaluation by fourfall-classic")
