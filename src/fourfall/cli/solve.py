"""Owns ``fourfall solve``: the exact worth of a position."""

import json
from typing import Annotated, Any

import typer
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from fourfall import Board, ColumnSolution, Score, Solution, Solver, render
from fourfall.cli.analyse import score_dict
from fourfall.cli.terminal import (
    MemoryOption,
    PositionArgument,
    PositionsOption,
    TimeOption,
    read_position,
    wants_color,
    watched,
)
from fourfall.render import COLUMN_NAMES


def solve(
    position: PositionArgument,
    columns: Annotated[bool, typer.Option(help="Solve every column, not only the position.")] = True,
    time: TimeOption = None,
    positions: PositionsOption = None,
    memory_mb: MemoryOption = 64,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Find the exact worth of a position under perfect play by both sides.

    Ctrl-C ends the search early and shows the bounds it has.

    Examples:

      fourfall solve 6x7:44444433333 --no-columns

      fourfall solve 5x5 --json
    """
    board = read_position(position)
    solver = Solver(memory_mb=memory_mb)

    def show() -> RenderableType | None:
        snapshot = solver.snapshot()
        return None if snapshot is None else picture(board, snapshot)

    def work() -> Solution:
        return solver.solve(board, time=time, positions=positions, columns=columns)

    solution = watched(work, solver.stop, None if as_json else show)
    if as_json:
        typer.echo(json.dumps(as_dict(board, solution)))
    else:
        Console(highlight=False).print(picture(board, solution))


def picture(board: Board, solution: Solution) -> RenderableType:
    """Draw the board, what is known of it and of its columns, the line, and what it cost."""
    table = Table("column", "worth", box=None, padding=(0, 2, 0, 1))
    for column in solution.columns:
        table.add_row(f"  {COLUMN_NAMES[column.column]}", _known(column))
    speed = solution.positions / solution.seconds if solution.seconds > 0 else 0
    lines = [
        f"worth  {_known(solution)}",
        f"line   {' '.join(COLUMN_NAMES[column] for column in solution.pv)}",
        f"cost   {solution.positions:,} positions in {solution.seconds:.2f} s ({speed:,.0f}/s)",
    ]
    drawing = Text.from_ansi(render.text(board, color=wants_color()))
    return Group(drawing, "", *((table, "") if solution.columns else ()), *lines)


def _known(what: Solution | ColumnSolution) -> str:
    if what.score is not None:
        return str(what.score)
    return f"between {_bound(what.lower)} and {_bound(what.upper)}"


def _bound(score: Score) -> str:
    return "a draw" if score.is_draw else str(score)


def as_dict(board: Board, solution: Solution) -> dict[str, Any]:
    """Put a solution into plain data; columns count from 0 as in the library."""
    return {
        "position": board.notation,
        **_range(solution),
        "columns": [{"column": column.column, **_range(column)} for column in solution.columns],
        "pv": solution.pv,
        "positions": solution.positions,
        "seconds": round(solution.seconds, 6),
    }


def _range(what: Solution | ColumnSolution) -> dict[str, Any]:
    return {
        "score": None if what.score is None else score_dict(what.score),
        "lower": score_dict(what.lower),
        "upper": score_dict(what.upper),
    }
