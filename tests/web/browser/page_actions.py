"""Actions on the page that several browser tests use: play a column, wait for a turn, read the board."""

from playwright.sync_api import Page, expect

TWO_PERSONS = {"by": "person", "board": "classic"}
BEGINNER = {"by": "level", "levelNumber": 2, "side": "first", "board": "classic"}
ENGINE_OFF = {"isOn": False}
ONE_SECOND = {"isOn": True, "budget": "1s"}

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
    """Click a column and wait until another stone is drawn."""
    before = count_stones(page)
    click_column(page, column)
    wait_for_stone(page, before)


def wait_for_stone(page: Page, stones_before: int) -> None:
    """Wait until more stones are drawn than `stones_before`."""
    page.locator(".board-frame .stone").nth(stones_before).wait_for()


def play_columns(page: Page, columns: str) -> None:
    """Play the columns with these names by keyboard; waits for the stone of each move."""
    for name in columns:
        page.wait_for_selector(".board.playable")
        before = count_stones(page)
        page.keyboard.press(name)
        wait_for_stone(page, before)


def read_position(page: Page) -> str:
    """Return the notation of the shown position."""
    notation: str = page.evaluate(f"() => {{ {_SHOWN_POSITION} return position.notation; }}")
    return notation


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
