"""Owns what the browser tests do again and again: waiting for one's turn, playing a column, reading the board."""

from playwright.sync_api import Page, expect

BEGINNER = {"by": "level", "level": 1, "side": "first", "kind": "classic"}
QUICK = {"on": True, "budget": "1s"}


def wait_for_turn(page: Page) -> bool:
    """Wait until the person may move; False: the game is over."""
    page.wait_for_selector(".board.playable, .status.over")
    return page.locator(".status.over").count() == 0


def click_column(page: Page, column: int) -> None:
    """Click a column in the middle of the board's height; columns count from 0."""
    rows = page.locator("[role=grid] [role=row]")
    rows.nth(rows.count() // 2).locator("[role=gridcell]").nth(column).click()


def drop(page: Page, column: int) -> None:
    """Click a column and wait until its stone is drawn."""
    before = stones(page)
    click_column(page, column)
    wait_for_more(page, before)


def wait_for_more(page: Page, stones_before: int) -> None:
    """Wait until more stones are drawn than there were."""
    page.locator(".frame .stone").nth(stones_before).wait_for()


def position(page: Page) -> str:
    """Read the position on the board in front, as text."""
    text: str = page.evaluate(
        "() => { const app = window.fourfall, play = app.views.play;"
        " return app.current === 'play' ? (play.position ?? play.setup.position).text : app.study.position.text }"
    )
    return text


def stones(page: Page) -> int:
    """How many stones are drawn on the board in front."""
    return page.locator(".frame .stone").count()


def expect_status(page: Page, text: str) -> None:
    """Expect the line above the board to say something."""
    expect(page.locator(".status")).to_contain_text(text)


def open_columns(page: Page) -> list[int]:
    """List the columns with room on the board in front."""
    found: list[int] = page.evaluate(
        "() => { const app = window.fourfall, play = app.views.play;"
        " return (app.current === 'play' ? (play.position ?? play.setup.position) : app.study.position).columns }"
    )
    return found
