"""The command ``fourfall board``: draws a position as text or SVG."""

from pathlib import Path
from typing import Annotated

import typer

from fourfall import Board, render
from fourfall.cli.terminal import PositionArgument, read_position, wants_color


def board(
    position: PositionArgument,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="SVG file to write instead of printing text.")
    ] = None,
    color: Annotated[bool | None, typer.Option(help="Colour on or off.", show_default="on in a terminal")] = None,
) -> None:
    """Draw a position.

    Examples:

      fourfall board 6x7:44

      fourfall board 10x11@4,7:6655 --svg board.svg
    """
    drawn = read_position(position)
    if svg is not None:
        svg.write_text(render.draw_svg(drawn) + "\n", encoding="utf-8")
        typer.echo(f"wrote {svg}")
        return
    typer.echo(render.draw_text(drawn, color=wants_color() if color is None else color), color=True)
    typer.echo(f"\n{describe_state(drawn)}")


def describe_state(board: Board) -> str:
    """Describe the state of a game in one line.

    >>> describe_state(Board.parse("6x7:1212121"))
    '6x7:1212121  X, the first player, won with stone 7'
    """
    outcome = board.outcome()
    players = ("X, the first player", "O, the second player")
    if outcome is None:
        state = f"{players[board.turn]}, to move"
    elif outcome.winner is None:
        state = f"a draw with stone {board.ply}"
    else:
        state = f"{players[outcome.winner]}, won with stone {board.ply}"
    return f"{board.notation}  {state}"
