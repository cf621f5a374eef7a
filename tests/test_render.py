"""Owns the tests of the pictures: text and SVG."""

import re
import xml.etree.ElementTree as ElementTree

import pytest

from fourfall import Board, render

SVG = "{http://www.w3.org/2000/svg}"
ANSI = re.compile(r"\x1b\[[0-9;]*m")
WON = Board.parse("6x7:1122334")


def elements(picture: str, name: str) -> list[ElementTree.Element]:
    """All elements of one kind in an SVG picture, which must be well-formed XML."""
    return ElementTree.fromstring(picture).findall(f"{SVG}{name}")  # noqa: S314 (our own output)


def test_plain_text_is_the_board_itself() -> None:
    """Without colour and values the text is what print shows."""
    board = Board.parse("12x12@11,0:1bc")
    assert render.text(board) == str(board)


def test_colour_changes_only_codes_and_symbols() -> None:
    """Taking the codes out of a coloured board leaves the plain one with rounder stones."""
    board = Board.parse("6x7@0,0:4455")
    bare = ANSI.sub("", render.text(board, color=True))
    assert bare.translate(str.maketrans("●◆·▒", "XO.#")) == render.text(board)


def test_the_last_move_and_the_winning_line_are_marked() -> None:
    """A running game marks its last stone with >, a won one its winning stones with *."""
    assert render.text(Board.parse("6x7:44")).count(">O") == 1
    assert render.text(WON).splitlines()[-1] == " 5 *X*X*X*X . . ."


def test_values_stand_under_their_columns() -> None:
    """Every column's value ends below the column's name."""
    lines = render.text(Board(4, 4), values=[0.5, None, "wins in 3", -1]).splitlines()
    ends = [match.end() for match in re.finditer(r"\d", lines[0])]
    assert [
        lines[-1][:end].rstrip().endswith(text) for end, text in zip(ends, ["+0.50", "", "in 3", "-1.00"], strict=True)
    ] == [True] * 4


def test_a_wrong_number_of_values_is_refused() -> None:
    """Values must match the columns one to one."""
    with pytest.raises(ValueError, match="3 values for 7 columns"):
        render.svg(Board(6, 7), values=[0, 0, 0])


@pytest.mark.parametrize("position", ["4x4", "12x12@0,11", "9x10@8,3:4455", "6x7:1122334"])
def test_an_svg_has_a_mark_for_every_cell(position: str) -> None:
    """Free cells and first stones are circles, second stones turned squares, and the hole a cross."""
    board = Board.parse(position)
    picture = render.svg(board)
    second = sum(board.stone_at(row, col) == 1 for row in range(board.rows) for col in range(board.cols))
    turned = [rect for rect in elements(picture, "rect") if "transform" in rect.attrib]
    discs = [circle for circle in elements(picture, "circle") if circle.get("r") == "18"]
    assert len(turned) == second
    assert len(elements(picture, "path")) == (board.hole is not None)
    assert len(discs) == board.geometry.cells - second


def test_an_svg_rings_the_winning_stones_and_dots_the_last() -> None:
    """Four rings for four winning stones, one dot for the last move."""
    circles = elements(render.svg(WON), "circle")
    assert sum(circle.get("r") == "19" for circle in circles) == 4
    assert sum(circle.get("r") == "5" for circle in circles) == 1


def test_an_svg_escapes_what_it_is_given() -> None:
    """Text under a column cannot break out of the picture."""
    texts = elements(render.svg(Board(4, 4), values=["<b>", "&", '"', "'"]), "text")
    assert [text.text for text in texts][-4:] == ["<b>", "&", '"', "'"]


def test_the_title_tells_the_state_to_screen_readers() -> None:
    """The picture's title names the position and who is to move or has won."""
    title = elements(render.svg(WON), "title")[0].text
    assert title == "Gravity four, 6x7:1122334: the first player won"


def test_a_board_shows_itself_in_a_notebook() -> None:
    """Jupyter's hook gives the same picture."""
    hook = getattr(WON, "_repr_svg_")  # noqa: B009 (stubs leave private names out)
    assert hook() == render.svg(WON)
