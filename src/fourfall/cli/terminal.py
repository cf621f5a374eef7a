"""Owns what the commands share: how a position is given and whether to use colour."""

import os
import sys
from typing import Annotated

import typer

from fourfall import Board

PositionArgument = Annotated[
    str,
    typer.Argument(metavar="POSITION", help="ROWSxCOLS\\[@row,col]\\[:moves], or - for standard input."),
]
EngineOption = Annotated[str, typer.Option("--engine", "-e", metavar="NAME", help="A preset, or a TOML file.")]


def read_position(text: str) -> Board:
    """Parse a position given on the command line.

    >>> read_position("6x7:44").ply
    2
    """
    return Board.parse(sys.stdin.read().strip() if text == "-" else text)


def wants_color() -> bool:
    """Whether standard output is a terminal that has not asked for plain text (the NO_COLOR convention)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")
