"""Tests the text and SVG drawings of boards."""

import io
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable

import pytest
from PIL import Image

from fourfall import Board, render

SVG = "{http://www.w3.org/2000/svg}"
ANSI = re.compile(r"\x1b\[[0-9;]*m")
WON = Board.parse("6x7:1122334")


def find_elements(drawing: str, name: str) -> list[ElementTree.Element]:
    """Return all elements with this name in an SVG drawing, which must be well-formed XML."""
    return ElementTree.fromstring(drawing).findall(f"{SVG}{name}")  # noqa: S314 (trusted input)


def test_text_without_options_equals_str() -> None:
    """Without colour and values the text equals str(board)."""
    board = Board.parse("12x12@11,0:1bc")
    assert render.draw_text(board) == str(board)


def test_colour_adds_only_codes_and_symbols() -> None:
    """Without its escape codes a coloured board is the plain one with other symbols."""
    board = Board.parse("6x7@0,0:4455")
    plain = ANSI.sub("", render.draw_text(board, color=True))
    assert plain.translate(str.maketrans("●◆·▒", "XO.#")) == render.draw_text(board)


def test_last_move_and_winning_line_are_marked() -> None:
    """The last stone is marked with >, winning stones with *."""
    assert render.draw_text(Board.parse("6x7:44")).count(">O") == 1
    assert render.draw_text(WON).splitlines()[-1] == " 5 *X*X*X*X . . ."


def test_values_are_aligned_with_their_columns() -> None:
    """Each value is right-aligned with the name of its column."""
    lines = render.draw_text(Board(4, 4), values=[0.5, None, "wins in 3", -1]).splitlines()
    ends = [match.end() for match in re.finditer(r"\d", lines[0])]
    assert [
        lines[-1][:end].rstrip().endswith(text) for end, text in zip(ends, ["+0.50", "", "in 3", "-1.00"], strict=True)
    ] == [True] * 4


def test_wrong_number_of_values_is_refused() -> None:
    """The number of values must equal the number of columns."""
    with pytest.raises(ValueError, match="expected 7 values, one for each column, not 3"):
        render.draw_svg(Board(6, 7), values=[0, 0, 0])


@pytest.mark.parametrize("position", ["4x4", "12x12@0,11", "9x10@8,3:4455", "6x7:1122334"])
def test_svg_has_one_shape_for_every_cell(position: str) -> None:
    """Free cells and stones of the first player are circles, stones of the second rotated squares, the hole hatched."""
    board = Board.parse(position)
    drawing = render.draw_svg(board)
    second = sum(board.stone_at(row, col) == 1 for row in range(board.rows) for col in range(board.cols))
    rotated = [rect for rect in find_elements(drawing, "rect") if "transform" in rect.attrib]
    discs = [circle for circle in find_elements(drawing, "circle") if circle.get("r") == "18"]
    assert len(rotated) == second
    assert len(find_elements(drawing, "path")) == (board.hole is not None)
    assert len(discs) == board.geometry.cells - second


def test_svg_marks_winning_stones_and_last_move() -> None:
    """There are four rings for four winning stones and one dot for the last move."""
    circles = find_elements(render.draw_svg(WON), "circle")
    assert sum(circle.get("r") == "19" for circle in circles) == 4
    assert sum(circle.get("r") == "5" for circle in circles) == 1


def test_svg_counts_rows_from_one_at_the_bottom() -> None:
    """The numbers beside the board are those that people say: row 1 is the bottom row."""
    numbers = [
        text.text for text in find_elements(render.draw_svg(Board(4, 5)), "text") if text.get("font-size") == "11"
    ]
    assert numbers == ["4", "3", "2", "1"]


def test_svg_hole_is_hatched() -> None:
    """The hole is a square with parallel lines, all of which stay inside the square."""
    path = find_elements(render.draw_svg(Board(4, 4, hole=(1, 2))), "path")[0].get("d") or ""
    lines = re.findall(r"M(\d+) (\d+)L(\d+) (\d+)", path)
    assert len(lines) >= 5
    for x1, y1, x2, y2 in lines:
        assert int(x2) - int(x1) == int(y1) - int(y2) > 0  # all lines rise to the right
        assert 122 <= int(x1) < int(x2) <= 158
        assert 78 <= int(y2) < int(y1) <= 114


def test_svg_escapes_values() -> None:
    """Special characters in values are escaped."""
    texts = find_elements(render.draw_svg(Board(4, 4), values=["<b>", "&", '"', "'"]), "text")
    assert [text.text for text in texts][-4:] == ["<b>", "&", '"', "'"]


def test_svg_title_describes_the_position() -> None:
    """The title, which screen readers read, has the position and the player to move or the winner."""
    title = find_elements(render.draw_svg(WON), "title")[0].text
    assert title == "Gravity four, 6x7:1122334: the first player won"


def test_winning_lines_are_drawn() -> None:
    """A line connects the ends of every row of four; a game without a winner has none."""
    (line,) = find_elements(render.draw_svg(WON), "line")
    first, last = find_elements(render.draw_svg(WON), "circle")[35], line
    assert last.attrib["y1"] == last.attrib["y2"] == first.attrib["cy"]
    assert int(last.attrib["x2"]) - int(last.attrib["x1"]) == 3 * 44
    assert find_elements(render.draw_svg(Board.parse("6x7:112233")), "line") == []


def test_animated_svg_shows_the_moves_in_order() -> None:
    """Each stone after the start appears later than the one before; without animation all stones are visible."""
    drawing = render.draw_animated_svg(Board.parse("6x7:1122334"), start=2)
    groups = find_elements(drawing, "g")
    times = [float(group.find(f"{SVG}animate").attrib["keyTimes"].split(";")[1]) for group in groups]  # type: ignore[union-attr]
    assert len(times) == 5 + 1  # five stones, then the marks
    assert times == sorted(times)
    assert 0 < times[0] < times[-1] < 1
    assert all("visibility" not in group.attrib for group in groups)


@pytest.mark.parametrize("draw", [render.draw_animated_svg, render.draw_gif])
@pytest.mark.parametrize("start", [-1, 3])
def test_animation_from_an_impossible_start_is_refused(draw: Callable[..., object], start: int) -> None:
    """The start must be one of the positions of the game."""
    with pytest.raises(ValueError, match="start must be from 0 to 2, the number of stones"):
        draw(Board.parse("6x7:44"), start=start)


def test_gif_has_one_picture_for_every_position() -> None:
    """The first picture is the position after `start` stones; the last one is shown longest."""
    data = render.draw_gif(Board.parse("6x7@5,3:4411"), start=1, move_time_s=0.5, pause_s=2)
    image = Image.open(io.BytesIO(data))
    assert (image.n_frames, image.info["loop"]) == (4, 0)  # type: ignore[attr-defined]
    durations = []
    for number in range(4):
        image.seek(number)
        durations.append(image.info["duration"])
    assert durations == [500, 500, 500, 2000]
