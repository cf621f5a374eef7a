"""Owns ``fourfall perft``: counts move sequences."""

import time
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

import fourfall
from fourfall.cli.terminal import PositionArgument, read_position
from fourfall.render import COLUMN_NAMES


def perft(
    position: PositionArgument,
    depth: Annotated[int, typer.Argument(min=0, help="Length of the sequences.")],
    divide: Annotated[bool, typer.Option("--divide", help="Count below each first move apart.")] = False,
) -> None:
    """Count the sequences of legal moves of every length up to DEPTH, to check and to time the rules.

    Examples:

      fourfall perft 6x7 9

      fourfall perft 10x11@4,7:6655 7 --divide
    """
    board = read_position(position)
    console = Console(highlight=False)
    table = Table("column" if divide else "depth", "sequences", "seconds", "per second", box=None)
    for column in table.columns:
        column.justify = "right"
    for name, start, plies in _counts(board, depth, divide):
        begin = time.perf_counter()
        count = fourfall.perft(start, plies)
        seconds = time.perf_counter() - begin
        table.add_row(name, f"{count:,}", f"{seconds:.3f}", f"{count / seconds:,.0f}" if seconds > 0 else "")
    console.print(table)


def _counts(board: fourfall.Board, depth: int, divide: bool) -> list[tuple[str, fourfall.Board, int]]:
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
