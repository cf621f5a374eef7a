"""Actions on the page that several browser tests use: play a column, wait for a turn, read the board.

The page handles a click or a key before Playwright returns, but not what follows later: replies of the server, the
event after the address or a dialog changed, layout after a resize. Tests wait for the result of these.
"""

import re
from contextlib import suppress

from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

TWO_PERSONS = {"by": "person", "board": "classic"}
BEGINNER = {"by": "level", "levelNumber": 2, "side": "first", "board": "classic"}
ENGINE_OFF = {"isOn": False}
ONE_SECOND = {"isOn": True, "budget": "1s"}

# Returns a module that the page uses. The page without a server has its modules in one file.
IMPORT_MODULE = """async (name) => {
  const main = document.querySelector("script[type=module]").src;
  const { modules } = await import(main);
  return modules?.[name] ?? import(new URL(name, main));
}"""
_SHOWN_POSITION = (
    "const app = window.fourfall;"
    " const position = app.currentView === 'play' ? app.views.play.shownPosition : app.viewer.position;"
)


def wait_for_turn(page: Page) -> bool:
    """Wait until it is the user's turn; return False if the game is over."""
    page.wait_for_selector(".board.playable, .status.over")
    return page.locator(".status.over").count() == 0


def click_column(page: Page, column: int) -> None:
    """Click the middle row of a column; columns count from 0."""
    rows = page.locator("[role=grid] [role=row]")
    rows.nth(rows.count() // 2).locator("[role=gridcell]").nth(column).click()


def drop_stone(page: Page, column: int) -> None:
    """Click a column as soon as a move is possible and wait until another stone is drawn."""
    page.wait_for_selector(".board.playable")
    before = count_stones(page)
    click_column(page, column)
    wait_for_stone(page, before)


def wait_for_stone(page: Page, stones_before: int) -> None:
    """Wait until more stones are drawn than `stones_before`."""
    page.locator(".board-frame .stone").nth(stones_before).wait_for()


def play_columns(page: Page, columns: str) -> None:
    """Play the columns with these names by keyboard; waits until the server has confirmed each move."""
    for name in columns:
        page.wait_for_selector(".board.playable")
        before = count_stones(page)
        page.keyboard.press(name)
        wait_for_stone(page, before)
        wait_for_turn(page)


def close_dialog(page: Page) -> None:
    """Close the dialog by Escape and wait until it is closed, because keys have no effect before."""
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)


def wait_for_view(page: Page, view: str) -> None:
    """Wait until a view is shown; the page follows its address after the click that changes it."""
    page.locator(f"main[data-view={view}]").wait_for()


def read_position(page: Page) -> str:
    """Return the notation of the shown position."""
    notation: str = page.evaluate(f"() => {{ {_SHOWN_POSITION} return position.notation; }}")
    return notation


def expect_position(page: Page, notation: str) -> None:
    """Expect that a position is shown, now or soon."""
    script = f"(notation) => {{ {_SHOWN_POSITION} return position.notation === notation; }}"
    with suppress(PlaywrightTimeoutError):  # the comparison below names both positions
        page.wait_for_function(script, arg=notation)
    assert read_position(page) == notation


def expect_fragment(page: Page, fragment: str) -> None:
    """Expect that the address ends with `#` and this text."""
    expect(page).to_have_url(re.compile(re.escape(f"#{fragment}") + "$"))


def read_game_id(page: Page) -> str:
    """Return the id of the game in Play."""
    game_id: str = page.evaluate("() => window.fourfall.views.play.game.game")
    return game_id


def send_request(page: Page, path: str, method: str = "GET") -> int:
    """Send a request for data as the page does, to the server or to its worker; return the status."""
    status: int = page.evaluate(
        f"""async ([path, method]) => {{
          const {{ getService }} = await ({IMPORT_MODULE})("model/service.js");
          return (await getService().fetch(path, {{ method }})).status;
        }}""",
        [path, method],
    )
    return status


def read_boxes(page: Page, *selectors: str) -> list[dict[str, float]]:
    """Return the rectangles of the first elements of several selectors, all at the same moment.

    Unlike separate calls this cannot fall between the removal and the new drawing of an element.
    """
    for selector in selectors:
        page.locator(selector).first.wait_for()
    boxes: list[dict[str, float]] = page.evaluate(
        "(selectors) => selectors.map((selector) => document.querySelector(selector).getBoundingClientRect().toJSON())",
        selectors,
    )
    return boxes


def read_open_columns(page: Page) -> list[int]:
    """Return the columns of the shown position that are not full."""
    columns: list[int] = page.evaluate(f"() => {{ {_SHOWN_POSITION} return position.openColumns; }}")
    return columns


def count_stones(page: Page) -> int:
    """Return the number of drawn stones."""
    return page.locator(".board-frame .stone").count()


def expect_status(page: Page, text: str) -> None:
    """Expect a text in the line above the board."""
    expect(page.locator(".status")).to_contain_text(text)


def expect_on_screen(page: Page, selector: str) -> None:
    """Expect an element that lies completely between the upper and the lower edge of the window."""
    page.wait_for_function(
        "(selector) => { const { top, bottom, height } = document.querySelector(selector).getBoundingClientRect();"
        " return height > 0 && top >= 0 && bottom <= innerHeight; }",
        arg=selector,
    )
