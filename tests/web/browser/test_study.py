"""Owns the proof that positions can be understood: analysis, graph, variations, review, links, downloads."""

import json
import re
import time
from pathlib import Path

from playwright.sync_api import Download, Page, expect

from tests.web.browser.conftest import Opener
from tests.web.browser.steps import QUICK, click_column, position

BLUNDER = "6x7:17171747"
"""Both have three on top of each other; blue, to move, plays in column 4 instead of winning in column 1, and loses."""


def test_analysis_is_visible_within_two_seconds(visit: Opener) -> None:
    """A linked position shows values under its columns, the expected line and the cost, soon and without a click."""
    began = time.monotonic()
    page = visit("#10x11@4,7:6655")
    page.locator(".value.best").wait_for(timeout=2000)
    assert time.monotonic() - began < 2.0 + 1.0  # a second for the browser itself on a busy machine
    expect(page.locator(".value")).to_have_count(11)
    expect(page.locator(".frame .ghost").first).to_contain_text("1")
    expect(page.locator(".figures")).to_contain_text("simulations/s")


def test_a_proof_is_said_in_words(visit: Opener) -> None:
    """A won position says in how many stones, under the column and for screen readers."""
    page = visit("#6x7:112233", remembered={"analyse": QUICK})
    best = page.locator(".value.best")
    expect(best).to_contain_text("wins")
    expect(best).to_have_attribute("aria-label", "Column 4: wins in 1 (best)")
    expect(page.locator(".verdict")).to_have_text("Blue wins in 1")


def test_everything_can_be_hidden_and_threats_shown(visit: Opener) -> None:
    """Each part of the analysis has a switch, and threats of either side appear on request."""
    page = visit("#6x7:112233", remembered={"analyse": QUICK})
    page.locator(".value.best").wait_for()
    page.locator(".shown summary").click()
    for words, what in [("Values under the columns", ".value.best"), ("Bar", ".bar"), ("Expected line", ".ghost")]:
        page.get_by_label(words, exact=True).uncheck()
        expect(page.locator(what)).not_to_be_visible()
    page.get_by_label("Threats of blue").check()
    expect(page.locator(".threat.player-0")).to_have_count(1)
    page.get_by_label("Threats of orange").check()
    expect(page.locator(".threat.player-1")).to_have_count(1)
    page.keyboard.press("e")
    expect(page.locator("[data-action=engine]")).to_have_text("Off")


def test_a_click_in_the_graph_goes_there(visit: Opener) -> None:
    """The graph is clicked, dragged by touch or mouse, and walked with arrows."""
    page = visit("#6x7:4433556", remembered={"analyse": QUICK})
    graph = page.get_by_role("slider", name="Evaluation over the game")
    box = graph.bounding_box()
    assert box is not None
    graph.click(position={"x": 28, "y": 60})
    assert position(page) == "6x7"
    graph.click(position={"x": box["width"] - 10, "y": 60})
    assert position(page) == "6x7:4433556"
    graph.press("ArrowLeft")
    graph.press("ArrowLeft")
    assert position(page) == "6x7:44335"
    expect(graph).to_have_attribute("aria-valuenow", "5")


def test_the_graph_of_an_opened_game_fills_by_itself(visit: Opener) -> None:
    """A game that nobody has evaluated yet gets a quick look at every position, without a click."""
    page = visit("#6x7:4433556", remembered={"analyse": QUICK})
    page.locator(".graph .curve").wait_for(state="attached")
    graph = page.get_by_role("slider", name="Evaluation over the game")
    graph.press("Home")
    expect(graph).to_have_attribute("aria-valuetext", re.compile(r"After 0 stones: (Blue|Orange).*"))


def test_variations_are_kept_beside_the_game(visit: Opener) -> None:
    """Other moves open variations that can be walked, linked and dropped; the game stays as it was."""
    page = visit("#6x7:4433&ply=2", remembered={"analyse": QUICK})
    click_column(page, 0)
    click_column(page, 1)
    assert position(page) == "6x7:4412"
    expect(page.locator(".variation .move")).to_have_count(2)
    assert page.url.endswith("#6x7:4412")
    page.locator("body").press(",")
    assert position(page) == "6x7:441"
    page.get_by_text("Drop variation").click()
    expect(page.locator(".variation")).to_have_count(0)
    page.keyboard.press(">")
    assert position(page) == "6x7:4433"


def test_review_finds_a_planted_blunder(visit: Opener) -> None:
    """One click goes over the game, names the blunder and the better move, and offers to try again from there."""
    page = visit(f"#{BLUNDER}", remembered={"analyse": {"on": False}, "review": {"time_s": 0.1}})
    page.locator("[data-action=review]").click()
    expect(page.locator(".accuracy")).to_be_visible()
    blunder = page.locator(".mistakes [data-mark=blunder][data-ply='6']")
    expect(blunder).to_contain_text("column 4")
    blunder.click()
    assert position(page) == BLUNDER[:-1]
    expect(page.locator(".comment")).to_contain_text("Better: column 1")
    expect(page.locator(".graph .dot.blunder").last).to_be_visible()
    page.get_by_text("Thresholds", exact=True).click()
    page.locator("[data-field=threshold-inaccuracy]").fill("100")
    page.locator("[data-field=threshold-inaccuracy]").blur()
    expect(page.locator(".mistakes li")).to_have_count(1)
    page.locator("[data-action=better]").click()
    assert position(page) == BLUNDER[:-2] + "1"
    page.locator("[data-ply='7'].move").first.click()
    page.locator("[data-action=retry]").click()
    assert position(page) == BLUNDER[:-2]
    click_column(page, 0)
    expect(page.locator(".status.over")).to_contain_text("You win")


def test_a_busy_engine_says_how_many_wait(visit: Opener) -> None:
    """Whoever has to wait for the engine is told the place in the queue, in either language."""
    page = visit("#6x7:44", remembered={"analyse": {**QUICK, "budget": "endless"}})
    page.locator(".value.best").wait_for()
    page.evaluate(
        "() => { const { connection, views } = window.fourfall; connection.listeners.get('analysis').clear();"
        " connection.arrived({ type: 'queued', what: 'analysis', place: 3, key: String(views.analyse.counter) }); }"
    )
    expect(page.locator(".said")).to_contain_text("The engine is busy, you are third.")
    page.locator("#language").click()
    expect(page.locator(".said")).to_contain_text("引擎正忙")


def test_a_link_carries_board_and_moves(visit: Opener) -> None:
    """The copied link opens the same position in a browser that has never been here."""
    page = visit(
        "#6x7@0,3:4433", remembered={"analyse": {"on": False}}, permissions=["clipboard-read", "clipboard-write"]
    )
    page.keyboard.press("ArrowLeft")
    click_column(page, 6)
    page.keyboard.press(",")
    page.locator("[data-action=link]").click()
    expect(page.locator("#notice")).to_have_text("Link copied.")
    link: str = page.evaluate("navigator.clipboard.readText()")
    assert link.endswith("/#6x7@0,3:4437&ply=3")
    other = visit(link[link.index("#") :], remembered={"analyse": {"on": False}})
    assert position(other) == "6x7@0,3:443"
    other.keyboard.press(".")
    assert position(other) == "6x7@0,3:4437"


def test_a_broken_link_says_so(visit: Opener) -> None:
    """A link that holds no position is told, and the page stays usable."""
    page = visit("#6x7:99")
    expect(page.locator("#notice")).to_have_text("That link holds no position.")
    expect(page.locator(".status")).to_have_text("Click a column to begin")


def test_downloads_in_four_formats(visit: Opener, tmp_path: Path) -> None:
    """A position comes as SVG, PNG, text and JSON, each with the right content."""
    page = visit("#6x7:44", remembered={"analyse": {"on": False}})
    kept = {name: _download(page, name, tmp_path) for name in ("svg", "png", "text", "json")}
    assert kept["svg"].read_text().startswith("<svg ")
    assert kept["png"].read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert kept["text"].read_text().startswith("6x7:44\n")
    assert json.loads(kept["json"].read_text())["position"] == "6x7:44"


def _download(page: Page, name: str, folder: Path) -> Path:
    with page.expect_download() as waiting:
        page.locator(f"[data-format={name}]").click()
    download: Download = waiting.value
    target = folder / download.suggested_filename
    download.save_as(target)
    return target
