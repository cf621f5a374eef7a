"""Tests of the position editor: click, touch and keyboard, the board, legality in words, the result."""

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Visit
from tests.web.browser.page_actions import ENGINE_OFF, count_stones, expect_position, read_position

STATUS = ".editor-status"


def open_editor(visit: Visit, fragment: str = "#6x7", **options: object) -> Page:
    """Open the editor with the position of a link."""
    page = visit(fragment, settings={"analyse": ENGINE_OFF}, **options)
    page.get_by_role("button", name="Edit position").click()
    page.locator(".card.editor").wait_for()  # its module is loaded now
    return page


def click_cell(page: Page, column: int, row: int) -> None:
    """Click a cell of the editor's board."""
    page.locator(f".board-area [aria-label^='Column {column}, row {row}:']").click()


def choose(page: Page, name: str, value: str) -> None:
    """Choose a radio button of the editor by the keyboard, which also works where its label covers it."""
    page.locator(f"input[name=edit-{name}][value={value}]").check(force=True)


def test_stones_are_placed_in_turn_and_removed(visit: Visit) -> None:
    """A click in a column drops a stone, the sides alternate, a click on the top stone removes it."""
    page = open_editor(visit)
    expect(page.locator(STATUS)).to_have_text("Legal position. Blue is to move.")
    click_cell(page, 4, 6)
    click_cell(page, 4, 6)
    click_cell(page, 2, 1)
    expect(page.locator(".board-area .stone")).to_have_count(3)
    expect(page.locator(".board-area [aria-label^='Column 4, row 2:']")).to_have_attribute(
        "aria-label", "Column 4, row 2: orange diamond"
    )
    expect(page.locator(STATUS)).to_have_text("Legal position. Orange is to move.")
    click_cell(page, 4, 2)
    expect(page.locator(".board-area .stone")).to_have_count(2)
    expect(page.locator(STATUS)).to_contain_text("Blue has 2 stones, Orange has 0.")
    expect(page.locator("[data-action=apply]")).to_be_disabled()


@pytest.mark.both_pages
def test_edited_position_is_analysed_and_back_returns(visit: Visit) -> None:
    """The result has a legal order of moves; "Back" returns to the game before with its moves."""
    page = open_editor(visit, "#6x7:4433&ply=3")
    expect(page.locator(".board-area .stone")).to_have_count(3)
    choose(page, "tool", "orange")
    click_cell(page, 7, 6)
    expect(page.locator(STATUS)).to_have_text("Legal position. Blue is to move.")
    page.locator("[data-action=apply]").click()
    expect(page.locator(".engine-output")).to_be_hidden()
    position = read_position(page)
    assert position.startswith("6x7:")
    assert sorted(position.partition(":")[2]) == sorted("4437")
    assert count_stones(page) == 4
    page.go_back()
    expect(page.locator(".ply-counter")).to_have_text("3 / 4")
    expect_position(page, "6x7:443")


@pytest.mark.parametrize(
    ("stones", "text"),
    [
        (
            [("blue", 1), ("blue", 2)],
            "Blue has 2 stones, Orange has 0. If Orange is to move, Blue must have exactly one",
        ),
        ([("orange", 1)], "Blue has 0 stones, Orange has 1. If Blue is to move, both must have equally many."),
        (
            [
                ("blue", 1),
                ("blue", 2),
                ("blue", 3),
                ("blue", 4),
                ("orange", 1),
                ("orange", 2),
                ("orange", 3),
                ("orange", 7),
            ],
            "Blue has four in a row, but Orange made the last move: the game was over before.",
        ),
        ([("orange", 1), ("blue", 1)], "Orange made the last move, but no stone of Orange is on top of a column."),
        (
            [("orange", 1), ("blue", 1), ("blue", 1), ("orange", 1)],
            "No legal order of moves leads to these stones.",
        ),
    ],
)
def test_illegal_positions_are_explained(visit: Visit, stones: list[tuple[str, int]], text: str) -> None:
    """The text says what is wrong: numbers of stones, four in a row, the last move, the order of moves."""
    page = open_editor(visit)
    heights: dict[int, int] = {}
    for tool, column in stones:
        choose(page, "tool", tool)
        heights[column] = heights.get(column, 0) + 1
        click_cell(page, column, heights[column])
    expect(page.locator(STATUS)).to_contain_text(text)
    expect(page.locator("[data-action=apply]")).to_be_disabled()
    page.locator("#language").click()
    expect(page.locator(STATUS)).not_to_contain_text("Blue")


def test_side_to_move_clear_swap_and_current_position(visit: Visit) -> None:
    """A side to move that the stones do not allow is explained; the buttons change all stones at once."""
    page = open_editor(visit, "#6x7:44")
    choose(page, "turn", "orange")
    expect(page.locator(STATUS)).to_contain_text("If Orange is to move, Blue must have exactly one more.")
    choose(page, "turn", "stones")
    page.get_by_role("button", name="Swap colours").click()
    expect(page.locator(STATUS)).to_contain_text("Orange made the last move, but no stone of Orange is on top")
    page.get_by_role("button", name="Clear").click()
    expect(page.locator(".board-area .stone")).to_have_count(0)
    page.get_by_role("button", name="Current position").click()
    expect(page.locator(".board-area .stone")).to_have_count(2)
    page.get_by_role("button", name="Cancel").click()
    expect_position(page, "6x7:44")


def test_keyboard(visit: Visit) -> None:
    """Column keys and Enter place stones, Delete removes the top stone, Escape leaves the editor."""
    page = open_editor(visit)
    page.keyboard.press("3")
    page.keyboard.press("3")
    expect(page.locator(".board-area .stone")).to_have_count(2)
    page.locator(".board-area [role=gridcell][tabindex='0']").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.locator(".board-area .stone")).to_have_count(3)
    expect(page.locator(".board-area .stone").last).to_be_visible()
    page.keyboard.press("Delete")
    expect(page.locator(".board-area .stone")).to_have_count(2)
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Edit position")).to_be_focused()
    expect_position(page, "6x7")


def test_touch(visit: Visit) -> None:
    """A tap places and removes stones on a phone."""
    page = open_editor(visit, width=360, height=740, has_touch=True, is_mobile=True)
    page.locator(".board-area [aria-label^='Column 3, row 4:']").tap()
    expect(page.locator(".board-area .stone")).to_have_count(1)
    page.locator(".board-area [aria-label^='Column 3, row 1:']").tap()
    expect(page.locator(".board-area .stone")).to_have_count(0)


def test_new_board_with_size_and_blocked_cell(visit: Visit) -> None:
    """The button "New board" opens the board picker; Enter in a number field analyses the empty board."""
    page = visit("#6x7:44", settings={"analyse": ENGINE_OFF})
    page.get_by_role("button", name="New board").click()
    rows = page.get_by_label("Rows", exact=True)
    expect(rows).to_be_focused()
    rows.fill("9")
    rows.press("Tab")
    page.keyboard.type("10")
    page.locator(".board-picker [aria-label^='Column 2, row 3:']").click()
    expect(page.locator(".editor-size summary")).to_contain_text("9 \u00d7 10. Column 2, row 3 is blocked.")
    expect(page.locator("[data-action=apply]")).to_be_enabled()
    rows.press("Enter")
    expect(page.locator(".ply-counter")).to_have_text("0 / 0")
    expect_position(page, "9x10@6,1")


def test_stones_stay_on_a_changed_board(visit: Visit) -> None:
    """Stones stay when the size changes; stones in removed columns are gone."""
    page = open_editor(visit, "#6x7:4477")
    page.locator(".editor-size summary").click()
    page.get_by_label("Columns", exact=True).fill("6")
    expect(page.locator(".board-area .stone")).to_have_count(2)
    page.get_by_role("button", name="6 \u00d7 7").click()
    expect(page.locator(".board-area .stone")).to_have_count(0)
