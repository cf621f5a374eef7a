"""The command ``fourfall analyse``: searches a position with an engine and prints a verdict for every column."""

import json
from typing import Annotated, Any

import typer
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from fourfall import Analysis, Board, ColumnAnalysis, Engine, Score, coach, presets, render
from fourfall.census.solved_board import STOPPED_BY
from fourfall.cli.terminal import (
    CensusOption,
    EngineOption,
    MemoryOption,
    PositionArgument,
    SimulationsOption,
    ThreadsOption,
    TimeOption,
    read_limit,
    read_position,
    run_with_progress,
    wants_color,
)
from fourfall.render import COLUMN_NAMES

_MAX_LINE = 12


def analyse(
    position: PositionArgument,
    engine: EngineOption = presets.DEFAULT,
    time: TimeOption = None,
    simulations: SimulationsOption = None,
    seed: Annotated[
        int, typer.Option(min=0, help="Random seed; the same seed and --simulations give the same result.")
    ] = 0,
    memory_mb: MemoryOption = 256,
    threads: ThreadsOption = None,
    census: CensusOption = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Analyse a position: print a verdict and a line for every column.

    The verdict is the win chance of the side to move, or a proven result; "wins in 3" and "loses in 3" count the moves
    of the winner. The line begins with the column and continues with the best play of both sides. The last lines say
    why the best move is good; "fourfall explain" does so for any column.

    Without --time and --simulations the preset's own limits apply. Ctrl-C stops the search and prints the result so
    far. Presets with the solver know the exact results of many empty boards without a search.

    Examples:

      fourfall analyse 6x7:4444 --time 1

      fourfall analyse 10x11@4,7:6655 --engine seed-002 --simulations 100000 --json
    """
    board = read_position(position)
    limit = read_limit(time, simulations)
    player = Engine(engine, seed=seed, memory_mb=memory_mb, threads=threads, use_census=census)

    def show() -> RenderableType | None:
        snapshot = player.snapshot()
        return None if snapshot is None else render_analysis(board, snapshot)

    analysis = run_with_progress(lambda: player.analyse(board, limit), player.stop, None if as_json else show)
    if as_json:
        typer.echo(json.dumps(analysis_to_dict(board, analysis)))
    else:
        Console(highlight=False).print(render_analysis(board, analysis), "", *_explain_best(board, analysis), sep="\n")


def _explain_best(board: Board, analysis: Analysis) -> list[Text]:
    """Return the reasons for the best move as lines of text."""
    sentences = coach.explain(board, analysis.move, analysis=analysis).write(text_board=True)
    return [Text(("why    " if number == 0 else "       ") + text) for number, text in enumerate(sentences)]


def render_analysis(board: Board, analysis: Analysis) -> RenderableType:
    """Draw the board, a table of all columns, the principal variation and the cost of the search."""
    table = Table("column", "visits", "verdict", "line", box=None, padding=(0, 2, 0, 1))
    for column in table.columns[1:3]:
        column.justify = "right"
    for report in sorted(
        analysis.columns, key=lambda report: (report.score, report.column == analysis.move), reverse=True
    ):
        mark = ">" if report.column == analysis.move else " "
        verdict = str(report.score) if report.has_score else ""
        table.add_row(f"{mark} {COLUMN_NAMES[report.column]}", f"{report.visits:,}", verdict, _format_line(report))
    shares = ", ".join(f"{phase} {100 * share:.0f} %" for phase, share in analysis.profile.items())
    cost = (
        f"{analysis.simulations:,} simulations in {analysis.seconds:.2f} s "
        f"({analysis.simulations_per_second:,.0f}/s), depth {analysis.depth}, {analysis.nodes:,} nodes, "
        f"{analysis.memory_bytes / 2**20:.1f} MiB"
    )
    lines = [
        f"pv     {' '.join(COLUMN_NAMES[column] for column in analysis.pv)}",
        "source census of solved boards; --no-census searches"
        if analysis.stopped_by == STOPPED_BY
        else f"cost   {cost}" + (f", stopped by {analysis.stopped_by}" if analysis.stopped_by else ""),
    ]
    if any(analysis.profile.values()):
        lines.append(f"phases {shares}")
    drawing = Text.from_ansi(render.draw_text(board, color=wants_color()))
    return Group(drawing, "", table, "", *lines)


def _format_line(report: ColumnAnalysis) -> str:
    """Write the moves of a column: the refutation of a loss in words, and the beginning of a long line."""
    names = [COLUMN_NAMES[column] for column in report.pv]
    line = " ".join(names[:_MAX_LINE]) + (" …" if len(names) > _MAX_LINE else "")
    return f"{line} (refuted by {names[1]})" if report.score.is_loss and len(names) > 1 else line


def analysis_to_dict(board: Board, analysis: Analysis) -> dict[str, Any]:
    """Convert an analysis to JSON data; columns count from 0 as in the library, distances are in plies."""
    return {
        "position": board.notation,
        "move": analysis.move,
        "score": score_to_dict(analysis.score),
        "columns": [
            {"column": report.column, "visits": report.visits, **score_to_dict(report.score), "pv": report.pv}
            for report in analysis.columns
        ],
        "pv": analysis.pv,
        "simulations": analysis.simulations,
        "simulations_per_second": round(analysis.simulations_per_second),
        "evaluations": analysis.evaluations,
        "depth": analysis.depth,
        "reused_visits": analysis.reused_visits,
        "nodes": analysis.nodes,
        "memory_bytes": analysis.memory_bytes,
        "seconds": round(analysis.seconds, 6),
        "stopped_by": analysis.stopped_by,
        "profile": {phase: round(share, 4) for phase, share in analysis.profile.items()},
    }


def score_to_dict(score: Score) -> dict[str, Any]:
    """Convert a score to JSON data."""
    return {"value": round(score.value, 6), "proof": score.proof, "distance": score.distance}
