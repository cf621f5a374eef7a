"""The command ``fourfall rate``: ratings of all agents from the games of databases."""

import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from fourfall.arena.rating_input import RatingInput
from fourfall.arena.store import StoreError
from fourfall.arena.tables import describe_unconnected
from fourfall.cli.database import DEFAULT_DATABASE, JsonOption, print_grid


def rate(
    databases: Annotated[
        list[Path] | None,
        typer.Argument(metavar="DB", help="Databases of the arena (SQLite files).", show_default="arena.db"),
    ] = None,
    event: Annotated[
        list[int] | None,
        typer.Option(
            "--event", metavar="N", help="Number of an event; may be given several times.", show_default="all events"
        ),
    ] = None,
    anchor: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=ELO",
            help="Agent with a known rating; may be given several times.",
            show_default="mean rating 0",
        ),
    ] = None,
    matrix: Annotated[
        bool, typer.Option("--matrix", help="Print the likelihood of superiority of every agent over every other.")
    ] = False,
    residuals: Annotated[
        int, typer.Option(min=0, max=10_000, help="Maximum number of results against expectation to print.")
    ] = 5,
    keep_apart: Annotated[
        bool,
        typer.Option("--keep-apart", help="Treat agents of one name in different databases as different agents."),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Rate all agents by the games of one or more databases.

    An agent is known by its name: games under one name in several events and databases count as games of one agent.

    The table has the ratings with 95 % intervals, the difference to the next agent, and the likelihood of superiority
    (LOS) over it. Without an anchor the mean rating is 0; the ratings of anchors are fixed. The model estimates draws
    and the first-move advantage (docs/ratings.md).

    Examples:

      fourfall rate

      fourfall rate monday.db tuesday.db --anchor level-50=1000

      fourfall rate arena.db --event 3 --event 4 --matrix
    """
    paths = databases or [DEFAULT_DATABASE]
    anchors = parse_anchors(anchor or [])
    _check_databases(paths, event)
    results = RatingInput.from_stores(paths, event, keep_apart=keep_apart)
    _report_left_out(results)
    if not results.games:
        listed = ", ".join(str(path) for path in paths)
        what = "games of two agents" if results.self_play else "games"
        raise StoreError(
            f"{listed}: there are no {what} to rate; play some with fourfall match, gauntlet or tournament"
        )
    # Imported here because NumPy takes longer to import than most commands run.
    from fourfall.arena.rating_model import fit_rating_model
    from fourfall.arena.rating_summary import (
        format_ratings,
        format_residuals,
        format_shared_parameters,
        format_superiority_matrix,
        summarise_ratings,
    )

    model = fit_rating_model(results, anchors)
    if as_json:
        typer.echo(json.dumps(asdict(summarise_ratings(results, model, residuals))))
        return
    typer.echo(_describe_input(results, len(paths)))
    if unconnected := describe_unconnected(model.components):
        typer.echo("\n" + "\n".join(unconnected))
    for grid in format_ratings(results, model):
        typer.echo()
        print_grid(grid)
    typer.echo("\n" + "\n".join(format_shared_parameters(model)))
    if matrix:
        for names in model.components:
            typer.echo("\nLikelihood in % that the agent of the row is stronger than the agent of the column")
            print_grid(format_superiority_matrix(model, names))
    grid, notes = format_residuals(model, residuals)
    if grid.rows:
        typer.echo()
        print_grid(grid)
        typer.echo("\n".join(notes))


def parse_anchors(texts: Sequence[str]) -> dict[str, float]:
    """Parse anchors written NAME=ELO; a name may contain =.

    >>> parse_anchors(["seed-001?simulations=20=1500"])
    {'seed-001?simulations=20': 1500.0}
    """
    anchors: dict[str, float] = {}
    for text in texts:
        name, _, rating = text.rpartition("=")
        try:
            value = float(rating)
        except ValueError:
            value = math.nan
        if not name or not math.isfinite(value):
            raise typer.BadParameter(
                f"{text!r} is not NAME=ELO with a finite number, for example level-50=1000", param_hint="--anchor"
            )
        if name in anchors:
            raise typer.BadParameter(f"{name} is given twice", param_hint="--anchor")
        anchors[name] = value
    return anchors


def _check_databases(paths: list[Path], events: list[int] | None) -> None:
    if events and len(paths) > 1:
        raise typer.BadParameter("events can be chosen only in one database", param_hint="--event")
    seen: set[Path] = set()
    for path in paths:
        if path.resolve() in seen:
            raise typer.BadParameter(f"{path} is given twice; its games would count twice", param_hint="DB")
        seen.add(path.resolve())


def _describe_input(results: RatingInput, databases: int) -> str:
    text = f"{results.games} games of {len(results.names)} agents"
    if databases > 1:
        text += f" in {databases} databases"
    return f"{text}, {results.pairs} pairs" + (
        f", {results.unpaired} games of incomplete pairs" if results.unpaired else ""
    )


def _report_left_out(results: RatingInput) -> None:
    for path, count in results.damaged.items():
        typer.echo(f"fourfall: {path}: {count} damaged rows are left out", err=True)
    if results.self_play:
        typer.echo(f"fourfall: {results.self_play} games of an agent against itself are left out", err=True)
