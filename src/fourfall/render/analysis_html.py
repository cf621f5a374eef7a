"""Draws analyses and solutions as HTML: the board with a value for every column, the best line, and a table.

The HTML has no scripts and no style sheet. Text has the colour of the page around it, light or dark.
"""

from collections.abc import Iterable, Sequence

from fourfall._core import Analysis, Board, ColumnAnalysis, ColumnSolution, Score, Solution
from fourfall.census.solved_board import STOPPED_BY
from fourfall.render.labels import COLUMN_NAMES, Value
from fourfall.render.score_labels import PLAYER_NAMES, format_line, format_score_label
from fourfall.render.svg import BLUE, ORANGE, draw_svg

MAX_VARIATION = 8
"""Most stones of the principal variation that are drawn on the board."""
_BAR_PX = 90
_CELL_STYLE = "padding:2px 10px 2px 0;border:0;color:inherit;background:transparent"


def draw_board_html(board: Board) -> str:
    """Draw a board for a page or a notebook: an SVG image whose text has the colour of the page.

    >>> "currentColor" in draw_board_html(Board(6, 7))
    True
    """
    return draw_svg(board, text_color="currentColor")


def draw_analysis_html(analysis: Analysis) -> str:
    """Draw the result of a search: board, values, principal variation and a table of all columns, best first.

    >>> from fourfall import Engine, Limit
    >>> html = draw_analysis_html(Engine("seed-002").analyse(Board.parse("6x7:112233"), Limit(simulations=100)))
    >>> "Blue to move: column 4 is best, wins in 1" in html
    True
    """
    board = analysis.board
    rows = sorted(
        analysis.columns,
        key=lambda column: (column.has_score, column.score, column.column == analysis.move),
        reverse=True,
    )
    player = PLAYER_NAMES[board.turn].capitalize()
    ending = f", stopped by {analysis.stopped_by}" if analysis.stopped_by else ", searching"
    cost = (
        "exact results from the census of solved boards"
        if analysis.stopped_by == STOPPED_BY
        else f"{analysis.simulations:,} simulations in {analysis.seconds:.2f} s "
        f"({analysis.simulations_per_second:,.0f}/s), depth {analysis.depth}, {analysis.nodes:,} nodes{ending}"
    )
    return _draw_panel(
        board,
        {column.column: column.score for column in analysis.columns if column.has_score},
        analysis.pv,
        f"{player} to move: column {COLUMN_NAMES[analysis.move]} is best, {analysis.score}",
        _draw_table(
            ("column", "score", "", "visits", "line"),
            (_draw_analysis_row(column, analysis.move, board.turn) for column in rows),
        ),
        cost,
    )


def draw_solution_html(solution: Solution) -> str:
    """Draw the result of the solver: board, exact scores of the columns if they were solved, and perfect play.

    >>> from fourfall import solve
    >>> "Blue to move: draws" in draw_solution_html(solve(Board(4, 4), columns=True))
    True
    """
    board = solution.board
    result = str(solution.score) if solution.score is not None else f"between {solution.lower} and {solution.upper}"
    columns = sorted(solution.columns, key=lambda column: (column.lower, column.upper), reverse=True)
    table = _draw_table(("column", "score"), (_draw_solution_row(column) for column in columns)) if columns else ""
    return _draw_panel(
        board,
        {column.column: column.score for column in columns if column.score is not None},
        solution.pv,
        f"{PLAYER_NAMES[board.turn].capitalize()} to move: {result}",
        table,
        f"{solution.positions:,} positions in {solution.seconds:.2f} s",
    )


def _draw_panel(
    board: Board, scores: dict[int, Score], variation: Sequence[int], title: str, table: str, cost: str
) -> str:
    """Return the board at the left, and title, line, table and cost at the right, or below if there is no room."""
    values: list[Value] = [
        format_score_label(scores[column]) if column in scores else None for column in range(board.cols)
    ]
    drawing = draw_svg(
        board,
        values=values if scores else None,
        variation=_limit_variation(board, variation),
        text_color="currentColor",
    )
    line = f'<div style="margin:4px 0">Line: {format_line(variation)}</div>' if variation else ""
    return (
        '<div style="display:flex;flex-wrap:wrap;gap:8px 24px;align-items:flex-start">'
        f'<div style="max-width:100%">{drawing}</div>'
        '<div style="padding-top:20px;max-width:100%;overflow-x:auto">'
        f'<div style="font-weight:bold">{title}</div>{line}{table}'
        f'<div style="margin-top:6px;font-size:smaller">{cost}</div></div></div>'
    )


def _limit_variation(board: Board, variation: Sequence[int]) -> list[int]:
    """Return the first moves of a line; the line of an engine is legal, and ends where the game ends."""
    return list(variation[: min(MAX_VARIATION, board.geometry.cells - board.ply)])


def _draw_table(headings: Sequence[str], rows: Iterable[str]) -> str:
    head = "".join(f'<th style="{_CELL_STYLE};text-align:left">{heading}</th>' for heading in headings)
    return (
        '<table style="border-collapse:collapse;border:0;margin:4px 0;font-size:inherit">'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )


def _draw_analysis_row(column: ColumnAnalysis, best: int, player: int) -> str:
    line = format_line(column.pv)
    if column.score.is_loss and len(column.pv) > 1:
        line += f" (refuted by {COLUMN_NAMES[column.pv[1]]})"
    name = COLUMN_NAMES[column.column]
    cells = (
        f"<b>{name}</b> ◂" if column.column == best else name,
        str(column.score) if column.has_score else "",
        _draw_bar(column.score, player) if column.has_score else "",
        f"{column.visits:,}",
        line,
    )
    return _draw_row(cells)


def _draw_solution_row(column: ColumnSolution) -> str:
    score = f"{column.lower} to {column.upper}" if column.score is None else str(column.score)
    return _draw_row((COLUMN_NAMES[column.column], score))


def _draw_row(cells: Sequence[str]) -> str:
    joined = "".join(f'<td style="{_CELL_STYLE};text-align:left;white-space:nowrap">{cell}</td>' for cell in cells)
    return f"<tr>{joined}</tr>"


def _draw_bar(score: Score, player: int) -> str:
    """Return a bar whose filled part is the win chance."""
    width = round(_BAR_PX * score.win_chance)
    return (
        f'<svg width="{_BAR_PX}" height="10" aria-hidden="true" style="display:block;min-width:{_BAR_PX}px">'
        f'<rect width="{_BAR_PX}" height="10" rx="3" fill="#84929e" opacity="0.35"/>'
        f'<rect width="{width}" height="10" rx="3" fill="{(BLUE, ORANGE)[player]}"/></svg>'
    )
