"""Owns ``fourfall play``: a game in the terminal."""

from typing import Annotated

import typer

from fourfall import Board, playouts, render
from fourfall.cli.board import status
from fourfall.cli.terminal import read_position, wants_color
from fourfall.render import COLUMN_NAMES

_HELP = "a column to play · u undo · h hint · r resign · q quit"


def play(
    position: Annotated[str | None, typer.Argument(help="Where to begin; a random official board if left out.")] = None,
    second: Annotated[bool, typer.Option("--second", help="Let the opponent begin.")] = False,
    games: Annotated[int, typer.Option(min=1, help="Random games the opponent plays per column.")] = 20_000,
    seed: Annotated[int | None, typer.Option(help="Makes board and opponent repeatable.")] = None,
) -> None:
    """Play in the terminal against an opponent who tries every column in random games.

    Examples:

      fourfall play

      fourfall play 6x7 --second
    """
    board = Board.random(seed) if position is None else read_position(position)
    human = 1 if second else 0
    start = board.ply
    typer.echo(f"You are {'XO'[human]}. Type {_HELP}.")
    while not board.is_over:
        if board.turn != human:
            column = _best_column(board, games, seed or 0)
            board.push(column)
            typer.echo(f"\nThe opponent plays {COLUMN_NAMES[column]}.")
            continue
        typer.echo("\n" + render.text(board, color=wants_color()), color=True)
        if not _human_turn(board, start, games):
            return
    typer.echo("\n" + render.text(board, color=wants_color()), color=True)
    typer.echo(f"\n{status(board)}")


def _human_turn(board: Board, start: int, games: int) -> bool:
    """Ask until a move is made or taken back; False ends the game."""
    while True:
        try:
            word = input("\nYour move: ").strip().lower()
        except EOFError:
            typer.echo()
            word = "q"
        if word in ("q", "r"):
            typer.echo("You resigned." if word == "r" else "Left off here:")
            typer.echo(f"{status(board)}")
            return False
        if word == "h":
            typer.echo(f"Try {COLUMN_NAMES[_best_column(board, games, 0)]}.")
        elif word == "u":
            if board.ply - start < 2:
                typer.echo("There is no move of yours to take back.")
                continue
            board.pop()
            board.pop()
            return True
        elif len(word) == 1 and word in COLUMN_NAMES[: board.cols]:
            column = COLUMN_NAMES.index(word)
            if board.is_legal(column):
                board.push(column)
                return True
            typer.echo(f"Column {word} is full.")
        else:
            typer.echo(f"{word!r} is not a move: {_HELP}")


def _best_column(board: Board, games: int, seed: int) -> int:
    """Win or block at once, otherwise the column that does best in random games."""
    candidates = board.winning_moves or board.safe_moves or board.legal_moves

    def score(column: int) -> float:
        after = board.copy()
        after.push(column)
        counts = playouts(after, games, seed + board.ply)
        mine, theirs = (counts.first, counts.second) if board.turn == 0 else (counts.second, counts.first)
        return mine - theirs

    return max(candidates, key=score)
