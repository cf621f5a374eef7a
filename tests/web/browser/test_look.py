"""Tests of the page's look: contrast of the graphics, values that fit below their columns, the size of the board."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Visit
from tests.web.browser.page_actions import ENGINE_OFF, ONE_SECOND, click_column, read_boxes, wait_for_view

GRAPHICS = 3.0
TEXT = 4.5

# The colours as the browser computes them; an SVG element without the property gives the colour of its ancestor.
# An analysis draws its elements again and again: the colours are read at a moment when all elements exist.
READ_COLOURS = """async (queries) => {
  for (let attempt = 0; ; attempt += 1) {
    const elements = queries.map(([selector]) => document.querySelector(selector));
    const missing = elements.indexOf(null);
    if (missing < 0) return queries.map(([, property], index) => getComputedStyle(elements[index])[property]);
    if (attempt === 300) throw new Error(`no element ${queries[missing][0]}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}"""

BOARD = (".board-frame", "backgroundColor")
EMPTY_CELL = (".board-frame .empty-cell:not(.occupied)", "fill")
STONES = [(f".board-frame .stone.player-{player} .body > :first-child", "fill") for player in (0, 1)]
SURFACE = (".card", "backgroundColor")
PAGE = ("html", "backgroundColor")
GRAPH = ("[role=slider]", "backgroundColor")

Query = tuple[str, str]


def compute_contrast(first: str, second: str) -> float:
    """Return the contrast ratio of two opaque CSS colours as WCAG 2.2 defines it."""
    lighter, darker = sorted((_compute_luminance(first), _compute_luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _compute_luminance(colour: str) -> float:
    assert colour.startswith("rgb("), f"{colour} is not opaque"
    parts = [int(part) / 255 for part in colour[4:-1].split(",")]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def assert_contrast(page: Page, pairs: list[tuple[Query, Query]], minimum: float) -> None:
    """Fail with all pairs of colours whose contrast is below the minimum in the light or the dark theme."""
    for theme in ("light", "dark"):
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        colours: list[str] = page.evaluate(READ_COLOURS, [query for pair in pairs for query in pair])
        ratios = [compute_contrast(*colours[at : at + 2]) for at in range(0, len(colours), 2)]
        low = [(theme, pair, round(ratio, 2)) for pair, ratio in zip(pairs, ratios, strict=True) if ratio < minimum]
        assert low == []
        page.evaluate("() => window.switchTheme()")


def test_contrast_of_known_colours() -> None:
    """Black on white has the contrast 21, equal colours 1, and #777 on white 4.48."""
    assert compute_contrast("rgb(0, 0, 0)", "rgb(255, 255, 255)") == pytest.approx(21)
    assert compute_contrast("rgb(9, 9, 9)", "rgb(9, 9, 9)") == 1
    assert compute_contrast("rgb(119, 119, 119)", "rgb(255, 255, 255)") == pytest.approx(4.48, abs=0.01)


def test_graphics_of_the_board_have_enough_contrast(visit: Visit) -> None:
    """Stones, outlines, hole, marks and previews differ from what is next to them by 3:1, numbers by 4.5:1."""
    page = visit("#9x10@5,4:64464478", settings={"analyse": {**ONE_SECOND, "shown": THREATS}})
    page.locator(".preview-stone.player-1").first.wait_for(state="attached")
    hatching = (".blocked-cell path", "stroke")
    hole = (".blocked-cell rect", "fill")
    pairs = [(stone, ground) for stone in STONES for ground in (BOARD, EMPTY_CELL, hole, SURFACE, PAGE)]
    pairs += [(hatching, hole), (hatching, BOARD), ((".empty-cell", "stroke"), EMPTY_CELL)]
    pairs += [(stone, (".last-move", "stroke")) for stone in STONES]
    pairs.append(((".last-move", "fill"), (".last-move", "stroke")))
    for player in (0, 1):
        outline = (f".preview-stone.player-{player} .body", "stroke")
        pairs += [(outline, EMPTY_CELL), (outline, BOARD), ((f".move.player-{player}-move", "color"), SURFACE)]
    assert_contrast(page, pairs, GRAPHICS)
    names = [((f".{name}", "color"), PAGE) for name in ("column-names", "row-names")]
    values = [((".column-value:not(.best)", "color"), PAGE)]
    assert_contrast(page, [*names, *values, ((".preview-stone text", "fill"), EMPTY_CELL)], TEXT)


THREATS = {"blue_threats": True, "orange_threats": True}


def test_marks_bar_and_graph_have_enough_contrast(visit: Visit) -> None:
    """The rings of a won game, both parts of the bar with the lines between them, and the lines of the graph."""
    page = visit("#6x7:1122334", settings={"analyse": ONE_SECOND})
    page.locator(".evaluation-graph .curve").wait_for(state="attached")
    ring, gap = (".winning-cell :not(.gap)", "stroke"), (".winning-cell .gap", "stroke")
    bar, share, middle = (".evaluation-bar", ".evaluation-bar .share", ".evaluation-bar .middle")
    pairs = [(ring, BOARD), (ring, gap), *((gap, stone) for stone in STONES)]
    for part in (bar, share):
        colour = (part, "backgroundColor")
        pairs += [(colour, (share, "borderTopColor")), (colour, (middle, "borderTopColor")), (colour, PAGE)]
    pairs += [((selector, "stroke"), GRAPH) for selector in (".curve", ".current-line", ".grid-line.even")]
    pairs += [((selector, "fill"), GRAPH) for selector in (".current-point", ".result-point")]
    assert_contrast(page, pairs, GRAPHICS)
    assert_contrast(page, [((".evaluation-graph .axis-label", "fill"), GRAPH)], TEXT)


def test_hint_hover_and_threats_have_enough_contrast(visit: Visit) -> None:
    """The outline of the hovered column and the marks of threats differ from the free cell by 3:1."""
    settings = {"analyse": {**ENGINE_OFF, "shown": THREATS}}
    page = visit("#6x7:112233", settings=settings)
    page.locator("[role=row]").nth(0).locator("[role=gridcell]").nth(5).hover()
    pairs = [((f".threat.player-{player}", "stroke"), EMPTY_CELL) for player in (0, 1)]
    pairs.append(((".hover-stone .body", "stroke"), EMPTY_CELL))
    assert_contrast(page, pairs, GRAPHICS)


# Each column with another result: the widest texts that can stand below a column.
RESULTS: list[dict[str, Any]] = [
    {"win_chance": 1.0, "proof": None, "distance": None},
    {"win_chance": 0.0, "proof": "loss", "distance": 44},
    {"win_chance": 0.5, "proof": "draw", "distance": 120},
    {"win_chance": 1.0, "proof": "win", "distance": 43},
    {"win_chance": 0.88, "proof": None, "distance": None},
    {"win_chance": None, "proof": None, "distance": None},
]

SHOW_RESULTS = """(results) => {
  const { viewer, views } = window.fourfall;
  const columns = viewer.position.openColumns.map((column) => (
    { column, visits: 10, pv: [column, 0], ...results[column % results.length] }));
  views.analyse.requestCounter = 99;
  views.analyse.requestedNode = viewer.current;
  window.fourfall.connection.receive({ type: "analysis", key: "99", done: true, move: 0, pv: [0], columns,
    score: { win_chance: 0.9, proof: null, distance: null }, nodes: 1, simulations_per_second: 1, depth: 1, seconds: 1,
  });
}"""

MEASURE_VALUES = """() => {
  const texts = [];
  for (const value of document.querySelectorAll(".column-value")) {
    const column = value.getBoundingClientRect();
    for (const part of value.querySelectorAll(":scope > span:not(.visit-share)")) {
      const range = document.createRange();
      range.selectNodeContents(part);
      const { left, right, top, bottom } = range.getBoundingClientRect();
      const text = part.textContent;
      texts.push({ text, left, right, top, bottom, columnLeft: column.left, columnRight: column.right });
    }
  }
  return {
    texts,
    boardBottom: document.querySelector(".board-frame").getBoundingClientRect().bottom,
    lineTop: document.querySelector(".values-line").getBoundingClientRect().top,
    pageWidth: document.documentElement.scrollWidth,
  };
}"""

SIZES = [(360, 740), (360, 650), (768, 650), (1366, 650), (1366, 768), (1920, 1080)]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_values_of_twelve_columns_do_not_collide(visit: Visit, language: str) -> None:
    """On screens of all sizes the text of a value stays within its column, below the board and above the controls."""
    page = visit("#12x12@4,7:6655", settings={"analyse": ENGINE_OFF, "language": language})
    page.evaluate("() => { const { analyse } = window.fourfall.views; analyse.settings.isOn = true; }")
    page.evaluate(SHOW_RESULTS, RESULTS)
    expect(page.locator(".column-value.best")).to_have_count(1)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function("(width) => innerWidth === width", arg=width)
        measured = page.evaluate(MEASURE_VALUES)
        assert len(measured["texts"]) >= 12
        outside = [
            text
            for text in measured["texts"]
            if text["left"] < text["columnLeft"]
            or text["right"] > text["columnRight"]
            or text["top"] < measured["boardBottom"]
            or text["bottom"] > measured["lineTop"]
        ]
        assert outside == [], (width, height)
        assert measured["pageWidth"] <= width


@pytest.mark.parametrize("fragment", ["#9x9@0,0", "#12x9@0,0", "#9x12@0,0"])
def test_board_fills_a_large_screen(visit: Visit, fragment: str) -> None:
    """At 1920 by 1080 the board uses the height that header, values and controls leave; nothing needs scrolling."""
    page = visit(fragment, width=1920, height=1080, settings={"analyse": ONE_SECOND})
    board, steps, threats = read_boxes(page, ".board-frame", ".steps", "[data-action=threats]")
    assert board["height"] > 0.7 * 1080
    assert 1080 - 60 < steps["bottom"] <= 1080
    assert threats["bottom"] <= 1080
    page.evaluate("() => { location.hash = '#play'; }")
    wait_for_view(page, "play")
    (board,) = read_boxes(page, ".board-frame")
    assert board["height"] > 0.8 * 1080
    assert board["bottom"] <= 1080


def test_rows_and_hole_are_named_as_people_speak(visit: Visit) -> None:
    """Rows count from 1 at the bottom beside the board, in the labels of cells and in the description of the hole."""
    page = visit("#10x11@4,7", settings={"analyse": ENGINE_OFF})
    expect(page.locator(".row-names span")).to_have_text([str(row) for row in range(10, 0, -1)])
    grid = page.get_by_role("grid")
    expect(grid).to_have_attribute("aria-description", re.compile(r"^Column 8, row 6 is blocked\."))
    hole = page.locator("[role=row]").nth(4).locator("[role=gridcell]").nth(7)
    expect(hole).to_have_attribute("aria-label", "Column 8, row 6: blocked")
    names, cell = read_boxes(page, ".row-names span:nth-child(5)", "[role=gridcell][data-row='4'][data-column='7']")
    assert abs(names["y"] + names["height"] / 2 - cell["y"] - cell["height"] / 2) < 3
    click_column(page, 7)
    expect(page.locator("[role=row]").nth(9).locator("[role=gridcell]").nth(7)).to_have_attribute(
        "aria-label", "Column 8, row 1: blue disc, last move"
    )
    assert json.loads(page.evaluate("() => JSON.stringify(window.fourfall.viewer.position.hole)")) == [4, 7]
