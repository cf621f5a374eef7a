"""The command ``fourfall solve``: solves a position exactly."""

import json
from dataclasses import replace
from typing import Annotated, Any

import typer
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from fourfall import Board, ColumnSolution, Score, Solution, Solver, render
from fourfall.census import find_solved
from fourfall.cli.analyse import score_to_dict
from fourfall.cli.terminal import (
    CensusOption,
    MemoryOption,
    PositionArgument,
    PositionsOption,
    TimeOption,
    read_position,
    run_with_progress,
    wants_color,
)
from fourfall.render import COLUMN_NAMES

_CENSUS = "census of solved boards; --no-census searches"
_CENSUS_WITHOUT_COLUMNS = "census of solved boards, which has not all columns of this one; --no-census solves them"


def solve(
    position: PositionArgument,
    columns: Annotated[bool, typer.Option(help="Solve every column, not only the position.")] = True,
    time: TimeOption = None,
    positions: PositionsOption = None,
    memory_mb: MemoryOption = 64,
    threads: Annotated[int, typer.Option(min=1, max=64, help="Number of threads that search the position.")] = 1,
    census: CensusOption = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Solve a position exactly: result and distance under perfect play.

    Ctrl-C stops the solver and prints the bounds found so far. Many empty boards are in the census, a file of results
    that were computed before; their results are printed at once, for large boards without some or all columns.

    Examples:

      fourfall solve 6x7:44444433333 --no-columns

      fourfall solve 5x5 --json

      fourfall solve 6x7 --no-census --no-columns --threads 2
    """
    board = read_position(position)
    solver = Solver(memory_mb=memory_mb, threads=threads)
    if census and (known := find_known_solution(board, columns)) is not None:
        has_columns = not columns or len(known.columns) == len(board.legal_moves)
        _print_solution(board, known, as_json, source=_CENSUS if has_columns else _CENSUS_WITHOUT_COLUMNS)
        return

    def show() -> RenderableType | None:
        snapshot = solver.snapshot()
        return None if snapshot is None else render_solution(board, snapshot)

    def work() -> Solution:
        return solver.solve(board, time=time, positions=positions, columns=columns)

    solution = run_with_progress(work, solver.stop, None if as_json else show)
    _print_solution(board, solution, as_json, source=None)


def find_known_solution(board: Board, columns: bool) -> Solution | None:
    """Look a position up in the census; None if it is not there.

    An empty board is known even if the census does not have all its columns, because to solve the others takes minutes.
    A board with one stone has no columns in the census; if `columns` are wanted, the result is None.
    """
    solved = find_solved(board)
    if solved is None or (columns and board.ply and not solved.has_all_columns):
        return None
    return (solved if columns else replace(solved, columns=())).to_solution()


def _print_solution(board: Board, solution: Solution, as_json: bool, source: str | None) -> None:
    if as_json:
        values = {**solution_to_dict(board, solution), "source": "census" if source else "solver"}
        typer.echo(json.dumps(values))
    else:
        Console(highlight=False).print(render_solution(board, solution, source))


def render_solution(board: Board, solution: Solution, source: str | None = None) -> RenderableType:
    """Draw the board, the results of position and columns, the principal variation, and the source or the cost."""
    table = Table("column", "result", box=None, padding=(0, 2, 0, 1))
    for column in solution.columns:
        table.add_row(f"  {COLUMN_NAMES[column.column]}", _describe(column))
    speed = solution.positions / solution.seconds if solution.seconds > 0 else 0
    cost = f"cost   {solution.positions:,} positions in {solution.seconds:.2f} s ({speed:,.0f}/s)"
    lines = [
        f"result {_describe(solution)}",
        f"pv     {' '.join(COLUMN_NAMES[column] for column in solution.pv)}",
        f"source {source}" if source else cost,
    ]
    drawing = Text.from_ansi(render.draw_text(board, color=wants_color()))
    return Group(drawing, "", *((table, "") if solution.columns else ()), *lines)


def _describe(what: Solution | ColumnSolution) -> str:
    if what.score is not None:
        return str(what.score)
    return f"between {_describe_bound(what.lower)} and {_describe_bound(what.upper)}"


def _describe_bound(score: Score) -> str:
    return "a draw" if score.is_draw else str(score)


def solution_to_dict(board: Board, solution: Solution) -> dict[str, Any]:
    """Convert a solution to JSON data; columns count from 0 as in the library."""
    return {
        "position": board.notation,
        **_bounds_to_dict(solution),
        "columns": [{"column": column.column, **_bounds_to_dict(column)} for column in solution.columns],
        "pv": solution.pv,
        "positions": solution.positions,
        "seconds": round(solution.seconds, 6),
    }


def _bounds_to_dict(what: Solution | ColumnSolution) -> dict[str, Any]:
    return {
        "score": None if what.score is None else score_to_dict(what.score),
        "lower": score_to_dict(what.lower),
        "upper": score_to_dict(what.upper),
    }
