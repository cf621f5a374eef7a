"""Tests of the tools of Analyse: paste, variations, threats, the current game, continued analyses."""

import json

import pytest
from playwright.sync_api import Page, expect

from fourfall import Board
from fourfall.arena.record import EXAMPLE
from tests.web.browser.conftest import Visit
from tests.web.browser.page_actions import (
    BEGINNER,
    ENGINE_OFF,
    click_column,
    drop_stone,
    expect_position,
    read_position,
    wait_for_turn,
    wait_for_view,
)

OFF = {"analyse": ENGINE_OFF}
PASTE = """text => {
  const data = new DataTransfer();
  data.setData("text/plain", text);
  const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
  document.body.dispatchEvent(event);
}"""


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("9X9 @ 4,4 : 1 2 3", "9x9@4,4:123"),
        ("https://example.org/#9x9@4,4:123&ply=2", "9x9@4,4:12"),
        ("5, 5, 6", "8x8@0,0:556"),
        (str(Board.parse("6x7:445")), "6x7:445"),
        ('{"position": "6x7:4455"}', "6x7:4455"),
        (EXAMPLE.to_json(), "6x7:1122334"),
    ],
    ids=["position", "link", "moves", "text board", "JSON", "record"],
)
def test_pasted_text_is_opened_in_place(visit: Visit, text: str, position: str) -> None:
    """Ctrl+V anywhere in Analyse opens what was copied; moves are played on the current board."""
    page = visit("#8x8@0,0:44", settings=OFF)
    page.evaluate(PASTE, text)
    expect_position(page, position)
    expect(page.locator("[data-field=paste]")).to_have_value("")
    page.go_back()
    expect_position(page, "8x8@0,0:44")


@pytest.mark.both_pages
def test_real_paste_key_and_error_next_to_the_field(visit: Visit) -> None:
    """A text that cannot be read stays in the field with an explanation; the position does not change."""
    page = visit("#6x7:44", settings=OFF, permissions=["clipboard-read", "clipboard-write"])
    page.evaluate("() => navigator.clipboard.writeText('hello')")
    page.locator("body").press("ControlOrMeta+v")
    error = page.locator("#paste-error")
    expect(error).to_contain_text("This is not a position (10x11@4,7:6655)")
    field = page.locator("[data-field=paste]")
    expect(field).to_have_value("hello")
    expect_position(page, "6x7:44")
    field.fill("6x7:4444444")
    field.press("Enter")
    expect(error).to_contain_text("a full column")
    field.fill("445")
    page.locator("[data-action=open-pasted]").click()
    expect_position(page, "6x7:445")
    expect(error).to_have_text("")


def test_pasted_link_of_a_stored_game(visit: Visit) -> None:
    """A link that names a game of this server opens the game."""
    page = visit("#play", settings={"setup": BEGINNER, **OFF})
    drop_stone(page, 3)
    wait_for_turn(page)
    game = page.evaluate("() => window.fourfall.views.play.game.game")
    page.evaluate("() => { location.hash = '#6x7:11'; }")
    wait_for_view(page, "analyse")
    expect_position(page, "6x7:11")
    page.evaluate(PASTE, f"http://localhost/#analyse={game}")
    page.wait_for_function("id => window.fourfall.viewer.info.gameId === id", arg=game)


def test_arrow_keys_step_and_change_the_variation(visit: Visit) -> None:
    """Left and right step along a line, up and down change between the alternatives of a move."""
    page = visit("#6x7:4433&ply=2", settings=OFF)
    click_column(page, 0)
    click_column(page, 1)
    body = page.locator("body")
    body.press("ArrowUp")
    expect_position(page, "6x7:443")
    body.press("ArrowRight")
    expect_position(page, "6x7:4433")
    body.press("ArrowDown")
    expect_position(page, "6x7:441")
    body.press("ArrowDown")
    expect_position(page, "6x7:441")
    body.press("ArrowRight")
    body.press("ArrowLeft")
    body.press("ArrowLeft")
    expect_position(page, "6x7:44")


def test_variations_are_promoted_deleted_and_restored(visit: Visit) -> None:
    """A promoted variation becomes the main line; deleted moves come back by "Undo delete"."""
    page = visit("#6x7:4433&ply=2", settings=OFF)
    click_column(page, 0)
    expect(page.locator(".variation .move")).to_have_text(["1"])
    page.locator("[data-action=tree-promote]").click()
    expect(page.locator(".variation .move")).to_have_text(["3", "3"])
    expect(page.locator("[data-action=tree-promote]")).to_be_disabled()
    page.locator("[data-action=tree-delete]").click()
    expect(page.locator(".variation")).to_have_count(0)
    expect_position(page, "6x7:44")
    page.locator("[data-action=tree-restore]").click()
    expect_position(page, "6x7:441")
    expect(page.locator(".variation .move")).to_have_text(["3", "3"])


def test_variations_survive_a_reload(visit: Visit) -> None:
    """After a reload the tree, its main line and the selected position are the same."""
    page = visit("#6x7:4433&ply=2", settings=OFF)
    click_column(page, 0)
    click_column(page, 6)
    page.locator("body").press("ArrowLeft")
    page.reload()
    page.wait_for_selector("body[data-connected]")
    expect_position(page, "6x7:441")
    expect(page.locator(".variation .move")).to_have_text(["1", "7"])
    main = page.evaluate("() => window.fourfall.viewer.tree.mainLine.at(-1).position.notation")
    assert main == "6x7:4433"
    stored = json.loads(page.evaluate("() => localStorage['fourfall.trees']"))
    assert stored[0]["text"] == "443(17)3"


def test_link_keeps_the_main_line(visit: Visit) -> None:
    """After a variation was tried, the link of a position of the main line has the main line, not the variation."""
    page = visit("#6x7:4433&ply=2", settings=OFF, permissions=["clipboard-read", "clipboard-write"])
    click_column(page, 0)
    assert copy_fragment(page) == "6x7:441"
    page.locator("body").press(",")
    expect_position(page, "6x7:44")
    assert copy_fragment(page) == "6x7:4433&ply=2"


def copy_fragment(page: Page) -> str:
    """Copy the link of the shown position by its key and return the part after `#`."""
    page.evaluate("() => navigator.clipboard.writeText('')")
    page.locator("body").press("l")
    link: str = page.evaluate(
        """async () => {
          for (let attempt = 0; attempt < 250; attempt += 1) {
            const text = await navigator.clipboard.readText();
            if (text) return text;
            await new Promise((resolve) => setTimeout(resolve, 20));
          }
          return "";
        }"""
    )
    return link.partition("#")[2]


def test_threats_have_shapes_a_legend_and_times(visit: Visit) -> None:
    """A filled mark can be played now, an outlined one later; the legend explains the marks that are shown."""
    page = visit("#6x7:112233", settings=OFF)
    expect(page.locator(".threat")).to_have_count(0)
    page.get_by_role("button", name="Show threats").click()
    expect(page.locator(".board-frame .threat.now.player-0 circle")).to_have_count(1)
    expect(page.locator(".board-frame .threat.later.player-1 rect")).to_have_count(1)
    expect(page.locator(".threat-legend li")).to_have_text(
        [
            "Blue: completes four now",
            "Blue: completes four later",
            "Orange: completes four now",
            "Orange: completes four later",
        ]
    )
    page.locator("body").press("t")
    expect(page.locator(".threat")).to_have_count(0)


def test_navigation_opens_the_game_on_the_screen(visit: Visit) -> None:
    """After a new game in Play, "Analyse" in the header shows this game, not the one that was analysed before."""
    page = visit("#6x7:112233", settings={"setup": BEGINNER, **OFF})
    page.get_by_role("link", name="Play").click()
    wait_for_view(page, "play")
    drop_stone(page, 3)
    wait_for_turn(page)
    moves = read_position(page)
    page.get_by_role("link", name="Analyse").click()
    wait_for_view(page, "analyse")
    expect_position(page, moves)
    click_column(page, 6)
    page.get_by_role("link", name="Review").click()
    wait_for_view(page, "review")
    page.get_by_role("link", name="Analyse").click()
    wait_for_view(page, "analyse")
    expect_position(page, f"{moves}7")


def test_play_from_here_asks_for_the_side(visit: Visit) -> None:
    """The set-up of the game has the position, and the side to move is the user's; the other side can be chosen."""
    page = visit("#6x7:443", settings={"setup": BEGINNER, **OFF})
    page.get_by_role("button", name="Play from here").click()
    expect_position(page, "6x7:443")
    expect(page.locator("input[name=side]:checked")).to_have_value("second")
    page.locator("[data-action=start]").click()
    drop_stone(page, 0)
    wait_for_turn(page)
    assert read_position(page).startswith("6x7:4431")
    assert page.evaluate("() => window.fourfall.views.play.game.you") == 1


def test_finished_position_cannot_be_played(visit: Visit) -> None:
    """The button follows the selected position."""
    page = visit("#6x7:1122334", settings=OFF)
    button = page.get_by_role("button", name="Play from here")
    expect(button).to_be_disabled()
    page.locator("body").press("ArrowLeft")
    expect(button).to_be_enabled()


@pytest.mark.both_pages
def test_analysis_until_stopped_says_that_it_stopped_and_continues(visit: Visit) -> None:
    """At the server's limit of time the page says so; "Continue" requests that the search goes on."""
    page = visit("#6x7:44", settings={"analyse": {"isOn": True, "budget": "unlimited"}})
    page.locator(".column-value.best").wait_for()
    page.evaluate(
        "() => { const { connection, viewer, views } = window.fourfall; const { analysis } = viewer.current;"
        " window.sent = []; connection.send = (message) => window.sent.push(message);"
        " const key = String(views.analyse.requestCounter);"
        " const receive = connection.receive.bind(connection); connection.receive = () => {};"
        " receive({ ...analysis, key, done: true, stopped_by: 'time', can_resume: true, seconds: 120.1 }); }"
    )
    output = page.locator(".engine-output")
    expect(output).to_contain_text("The search stopped after 120 s, the limit of the server.")
    page.get_by_role("button", name="Continue").click()
    sent = page.evaluate("() => window.sent.filter(({ type }) => type === 'analyse')")
    assert [(message["position"], message["resume"]) for message in sent] == [("6x7:44", True)]
    expect(output).not_to_contain_text("The search stopped")
