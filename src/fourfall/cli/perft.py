"""The command ``fourfall perft``: counts move sequences."""

import time
from typing import Annotated

import typer

import fourfall
from fourfall.cli.terminal import PositionArgument, read_position
from fourfall.render import COLUMN_NAMES


def perft(
    position: PositionArgument,
    depth: Annotated[int, typer.Argument(min=0, help="Maximum length of the sequences in plies.")],
    divide: Annotated[bool, typer.Option("--divide", help="Count separately for each first move.")] = False,
) -> None:
    """Count the sequences of legal moves of each length up to DEPTH, to test and time the rules.

    DEPTH is capped at the number of free cells.

    Examples:

      fourfall perft 6x7 9

      fourfall perft 10x11@4,7:6655 7 --divide
    """
    board = read_position(position)
    depth = min(depth, board.geometry.cells - board.ply)
    typer.echo(f"{'column' if divide else 'depth':>6}  {'sequences':>20}  {'seconds':>9}  {'per second':>15}")
    for name, start, plies in _list_counts(board, depth, divide):
        begin = time.perf_counter()
        count = fourfall.perft(start, plies)
        seconds = time.perf_counter() - begin
        rate = count / seconds if seconds > 0 else 0
        typer.echo(f"{name:>6}  {count:>20,}  {seconds:>9.3f}  {rate:>15,.0f}")


def _list_counts(board: fourfall.Board, depth: int, divide: bool) -> list[tuple[str, fourfall.Board, int]]:
    if not divide:
        return [(str(plies), board, plies) for plies in range(depth + 1)]
    if depth == 0:
        return []
    starts = []
    for column in board.legal_moves:
        start = board.copy()
        start.push(column)
        starts.append((COLUMN_NAMES[column], start, depth - 1))
    return starts
