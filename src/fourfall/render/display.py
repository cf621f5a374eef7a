"""Adds the methods by which Jupyter draws objects to the native classes.

Jupyter calls `_repr_html_` or `_repr_svg_`. The methods are functions of Python, because the core does not draw. The
modules that draw are imported on the first call, so that `import fourfall` stays fast.
"""

from fourfall._core import Analysis, Board, Solution


def add_display_methods() -> None:
    """Make boards, analyses and solutions draw themselves in Jupyter."""
    for native, name, draw in (
        (Board, "_repr_html_", _draw_board_html),
        (Board, "_repr_svg_", _draw_board_on_white),
        (Analysis, "_repr_html_", _draw_analysis),
        (Solution, "_repr_html_", _draw_solution),
    ):
        setattr(native, name, draw)


def _draw_board_html(board: Board) -> str:
    from fourfall.render.analysis_html import draw_board_html

    return draw_board_html(board)


def _draw_board_on_white(board: Board) -> str:
    """Draw a board for programs that show images, but no HTML; its text must be readable on any background."""
    from fourfall.render.svg import EMPTY, draw_svg

    return draw_svg(board, background=EMPTY)


def _draw_analysis(analysis: Analysis) -> str:
    from fourfall.render.analysis_html import draw_analysis_html

    return draw_analysis_html(analysis)


def _draw_solution(solution: Solution) -> str:
    from fourfall.render.analysis_html import draw_solution_html

    return draw_solution_html(solution)
