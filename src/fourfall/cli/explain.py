"""The command ``fourfall explain``: says why a move is good or bad."""

import json
from typing import Annotated

import typer

from fourfall import Board, Engine, IllegalMove, Limit, coach, presets, render
from fourfall.cli.terminal import EngineOption, PositionArgument, read_position, wants_color
from fourfall.coach import Language
from fourfall.render import COLUMN_NAMES

_MEMORY_MB = 64


def explain(
    position: PositionArgument,
    column: Annotated[str, typer.Argument(metavar="COLUMN", help="Name of the column: 1 to 9, then a, b, c.")],
    language: Annotated[Language, typer.Option("--lang", help="Language of the sentences: en or zh.")] = "en",
    engine: EngineOption = presets.DEFAULT,
    simulations: Annotated[
        int,
        typer.Option(
            min=0, max=2**62, help="Simulations of the engine, for the comparison with other columns; 0 for none."
        ),
    ] = 1000,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object with the facts and the sentences in both languages.")
    ] = False,
) -> None:
    """Explain a move: one to three sentences that say why it is good or bad.

    Every sentence states a fact that was checked: by playing all replies, with the exact solver, or by counting. Win
    chances are the engine's estimates. In sentences, rows count from the top, as in the drawing.

    Examples:

      fourfall explain 6x7:44535 3

      fourfall explain 10x11@4,7:6655 6 --lang zh

      fourfall explain 6x7:44535 3 --simulations 0 --json
    """
    board = read_position(position)
    at = read_column(board, column)
    analysis = None
    if simulations and not board.is_over:
        searcher = Engine(engine, memory_mb=_MEMORY_MB, threads=1)
        analysis = searcher.analyse(board, Limit(simulations=simulations))
    explanation = coach.explain(board, at, analysis=analysis)
    if as_json:
        typer.echo(json.dumps({"position": board.notation, "column": at, **explanation.to_json_value()}))
        return
    typer.echo(render.draw_text(board, color=wants_color()) + "\n", color=True)
    for sentence in explanation.write(language, text_board=True):
        typer.echo(sentence)


def read_column(board: Board, name: str) -> int:
    """Parse the name of a column that can be played.

    >>> read_column(Board(9, 12), "c")
    11
    >>> read_column(Board(6, 7), "8")
    Traceback (most recent call last):
    fourfall._core.IllegalMove: '8' is not a column; the columns are 1..7
    """
    names = COLUMN_NAMES[: board.cols]
    at = names.find(name.lower()) if len(name) == 1 else -1
    if board.is_over:
        raise IllegalMove("the game is over: there is no move to explain")
    if at < 0:
        raise IllegalMove(f"{name!r} is not a column; the columns are 1..{names[-1]}")
    if not board.is_legal(at):
        raise IllegalMove(f"column {names[at]} is full")
    return at
