"""Tests the drawings for notebooks: boards with a line of moves, analyses, solutions, and games to step through."""

import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from IPython.core.interactiveshell import InteractiveShell

from fourfall import Board, Engine, IllegalMove, Limit, Solver, render, solve
from fourfall.render.analysis_html import draw_analysis_html, draw_solution_html
from fourfall.render.evaluation_graph import draw_evaluation_graph
from fourfall.render.stepper import MoveNote, draw_stepper
from tests.strategies import Game, games

ENGINE = Engine("fourfall-classic", memory_mb=16)
SVG = "{http://www.w3.org/2000/svg}"


def list_texts(html: str) -> list[str]:
    """Return the texts of an SVG image."""
    return [element.text or "" for element in ElementTree.fromstring(html).iter(f"{SVG}text")]  # noqa: S314


def test_variation_is_numbered_on_its_landing_cells() -> None:
    """Moves of a line are numbered from 1 and stack in a column; an illegal line is refused."""
    board = Board.parse("6x7:44")
    plain, drawn = render.draw_svg(board), render.draw_svg(board, variation=[3, 3, 2])
    assert len(drawn) > len(plain)
    numbers = [
        (element.text, element.get("x"), element.get("y"))
        for element in ElementTree.fromstring(drawn).iter(f"{SVG}text")  # noqa: S314
        if element.get("font-weight") == "bold"
    ]
    assert [text for text, _, _ in numbers] == ["1", "2", "3"]
    assert numbers[0][1] == numbers[1][1] != numbers[2][1]
    assert float(numbers[0][2] or 0) - float(numbers[1][2] or 0) == 44
    with pytest.raises(IllegalMove):
        render.draw_svg(board, variation=[3] * 5)


def test_text_colour_background_and_caption() -> None:
    """The colour applies to all text outside the board, and the caption is a line below it."""
    drawn = render.draw_svg(Board(6, 7), text_color="currentColor", background="#ffffff", caption="a < b")
    assert render.svg.INK not in drawn
    assert drawn.count('fill="#ffffff"') == 43
    assert list_texts(drawn)[-1] == "a < b"
    assert 'height="342"' in drawn


@pytest.mark.parametrize("preset", ["fourfall", "fourfall-classic", "seed-004-v12"])
def test_analysis_has_a_row_and_a_value_for_every_column(preset: str) -> None:
    """Every legal column has a row, best first, and a value below the board; full columns have neither."""
    board = Board.parse("4x5:111122")
    analysis = Engine(preset).analyse(board, Limit(simulations=200))
    assert analysis.board == board
    root = ElementTree.fromstring(draw_analysis_html(analysis))  # noqa: S314
    rows = [[(cell.text or "") + "".join(cell.itertext()) for cell in row] for row in root.iter("tr")][1:]
    assert {row[0][0] for row in rows} == {"2", "3", "4", "5"}
    assert "◂" in rows[0][0]
    labels = [text.text for text in root.iter(f"{SVG}text") if text.get("y") == str(4 * 44 + 30 + 28)]
    assert labels[0] is None
    assert all(labels[1:])


@given(games())
@hypothesis_settings(max_examples=25)
def test_every_analysis_can_be_drawn(game: Game) -> None:
    """Board, values, line and table are well-formed on every position: the line of an engine is legal."""
    board = game.board()
    if board.is_over:
        board.pop()
    analysis = ENGINE.analyse(board, Limit(simulations=30))
    ElementTree.fromstring(draw_analysis_html(analysis))  # noqa: S314


def test_source_of_a_known_board_is_named() -> None:
    """An analysis from the census says so instead of a cost."""
    html = draw_analysis_html(Engine("fourfall-classic").analyse(Board(4, 4)))
    assert "exact results from the census of solved boards" in html
    assert "simulations in" not in html


def test_board_of_an_analysis_is_a_copy() -> None:
    """Changing the board of an analysis, or the searched board, does not change the analysis."""
    board = Board.parse("6x7:44")
    engine = Engine("seed-002")
    analysis = engine.analyse(board, Limit(simulations=50))
    board.push(0)
    analysis.board.push(1)
    assert analysis.board == Board.parse("6x7:44")
    snapshot = engine.snapshot()
    assert snapshot is not None
    assert snapshot.board.moves == [3, 3]


def test_solution_has_exact_scores_or_bounds() -> None:
    """A solved position shows the score of every column; an unsolved one shows bounds and no table."""
    solved = draw_solution_html(solve(Board.parse("4x5:11223"), columns=True))
    assert "Orange to move: draws" in solved
    assert solved.count(">loses in 1<") == 4
    solver = Solver()
    bounds = solver.solve(Board(6, 7), positions=1)
    assert "Blue to move: between" in draw_solution_html(bounds)
    assert "<table" not in draw_solution_html(bounds)
    snapshot = solver.snapshot()
    assert snapshot is not None
    assert snapshot.board == Board(6, 7)


def test_stepper_nests_every_stone_in_the_one_before_it() -> None:
    """Hiding the group of a stone hides all later stones; winning marks are in the last group."""
    board = Board.parse("6x7:1122334")
    html = draw_stepper(board, start=2, notes={5: MoveNote("??", "<i>text</i>", 3)}, shown=4)
    assert html.count('type="radio"') == 6
    assert html.count("checked") - html.count(":checked") == 1
    image = ElementTree.fromstring(html[html.index("<svg") : html.index("</svg>") + 6])  # noqa: S314
    group: ElementTree.Element | None = image
    for stone in range(3, 8):
        assert group is not None
        group = group.find(f"{SVG}g[@class='stone{stone}']")
    assert group is not None
    assert len(group.findall(f"{SVG}line")) == 1
    assert "&lt;i&gt;text&lt;/i&gt;" in html
    assert html.count("stroke-dasharray") == 1
    with pytest.raises(ValueError, match="shown must be from 2 to 7, not 1"):
        draw_stepper(board, start=2, shown=1)


def test_two_outputs_do_not_share_names() -> None:
    """Radio buttons of two drawings of one game belong to different groups."""
    first, second = (draw_stepper(Board.parse("6x7:44")).partition('name="')[2][:11] for _ in range(2))
    assert first != second


def test_graph_has_gaps_and_escapes_texts() -> None:
    """The curve is interrupted where a chance is missing; the description of a mark is text."""
    graph = draw_evaluation_graph([0.5, None, 0.2, 0.1], start=3, marks={5: ("blunder", "<b>"), 4: ("mistake", "x")})
    root = ElementTree.fromstring(graph)  # noqa: S314
    paths = root.findall(f"{SVG}path")
    assert [letter for letter in paths[0].get("d", "") if letter in "ML"] == ["M", "M", "L"]
    assert [path.findtext(f"{SVG}title") for path in paths[1:]] == ["<b>"]


def test_jupyter_finds_the_drawings() -> None:
    """The formatter of IPython, which Jupyter uses, gets HTML for all native classes and an image of boards."""
    formatter: Any = InteractiveShell.instance().display_formatter
    board = Board.parse("6x7:44")
    analysis = Engine("seed-002").analyse(board, Limit(simulations=50))
    for item in (board, analysis, solve(Board(4, 4))):
        data, _ = formatter.format(item)
        assert "<svg" in data["text/html"]
    assert formatter.format(board)[0]["image/svg+xml"].startswith("<svg")
    InteractiveShell.clear_instance()


def test_import_loads_neither_frameworks_nor_the_arena() -> None:
    """Importing the package loads nothing that only notebooks, plots or tournaments need."""
    names = ("IPython", "matplotlib", "PIL", "rich", "pydantic", "sqlite3", "fourfall.games", "fourfall.arena")
    program = f"import sys, fourfall; print([name for name in {names} if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout == "[]\n"
