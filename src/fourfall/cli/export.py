"""Owns ``fourfall export``: what leaves the laboratory in a form that others read."""

import typer

export = typer.Typer(
    no_args_is_help=True,
    help="""Write games, or our engine behind another interface, for use elsewhere.

    Examples:

      fourfall export games arena.db games.jsonl
    """,
)
