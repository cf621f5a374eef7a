"""Adds the methods by which Jupyter draws objects to the native classes.

Jupyter calls `_repr_html_` or `_repr_svg_`. The methods are functions of Python, because the core does not draw.
"""

from fourfall._core import Analysis, Board, Solution
from fourfall.render.analysis_html import draw_analysis_html, draw_board_html, draw_solution_html
from fourfall.render.svg import EMPTY, draw_svg


def add_display_methods() -> None:
    """Make boards, analyses and solutions draw themselves in Jupyter."""
    setattr(Board, "_repr_html_", draw_board_html)  # noqa: B010 (the stub file does not have the attribute)
    setattr(Board, "_repr_svg_", _draw_board_on_white)  # noqa: B010
    setattr(Analysis, "_repr_html_", draw_analysis_html)  # noqa: B010
    setattr(Solution, "_repr_html_", draw_solution_html)  # noqa: B010


def _draw_board_on_white(board: Board) -> str:
    """Draw a board for programs that show images, but no HTML; its text must be readable on any background."""
    return draw_svg(board, background=EMPTY)
