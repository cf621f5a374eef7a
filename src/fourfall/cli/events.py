"""The command ``fourfall events``: lists the events of a database, or prints the standings of one."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated

import typer

from fourfall.arena.event_summary import (
    find_event_state,
    load_sprt_state,
    summarise_event,
    summarise_groups,
    summarise_sprt,
)
from fourfall.arena.record import GameRecord
from fourfall.arena.standings import Standing, list_unconnected, rank_groups
from fourfall.arena.store import Event, Store
from fourfall.arena.tables import (
    Grid,
    describe_unconnected,
    format_cross_table,
    format_failures,
    format_match,
    format_repeats,
    format_sprt,
    format_sprt_decision,
    format_standings,
    replace_control_characters,
)
from fourfall.cli.database import DEFAULT_DATABASE, DatabaseArgument, JsonOption, print_grid


def events(
    db: DatabaseArgument = DEFAULT_DATABASE,
    event: Annotated[
        int | None,
        typer.Option("--event", metavar="N", help="Number of the event to print.", show_default=False),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the matches, gauntlets and tournaments of a database, or print the standings of one.

    Examples:

      fourfall events

      fourfall events arena.db --event 3
    """
    with Store(db, read_only=True) as store:
        if event is not None:
            show_event(store, store.get_event(event), as_json)
            return
        listed = [(summarise_event(store, found), load_sprt_state(store, found)) for found in store.list_events()]
    if as_json:
        for summary, _ in listed:
            typer.echo(json.dumps(asdict(summary)))
    else:
        rows = [
            (
                f"{summary.id}",
                summary.name,
                f"{summary.games}",
                f"{summary.planned or ''}",
                summary.state if test is None else f"{summary.state}, SPRT {format_sprt_decision(test)}",
                summary.created,
            )
            for summary, test in listed
        ]
        header = ("event", "name", "games", "planned", "state", "created")
        print_grid(Grid(header, tuple(rows), frozenset({"name", "state"})))


def print_event(store: Store, event: Event) -> None:
    """Print an event as text."""
    show_event(store, event, as_json=False)


def show_event(store: Store, event: Event, as_json: bool) -> None:
    """Print an event: the standings and the results of each group, the sequential test, failures and repeats."""
    games = [(game.id, game.record.without_moves()) for game in store.find_games(event.id)]
    records = [record for _, record in games]
    test = load_sprt_state(store, event)
    if as_json:
        for summary in summarise_groups(records, event):
            for row in summary.standings:
                typer.echo(json.dumps({"group": summary.name, **asdict(row)}))
        if test is not None:
            typer.echo(json.dumps({"sprt": asdict(summarise_sprt(test))}))
        return
    planned = "" if event.planned is None else f" of {event.planned}"
    name = replace_control_characters(event.name)
    typer.echo(f"event {event.id}, {name}: {event.games}{planned} games, {find_event_state(store, event)}")
    members = event.spec.members if event.spec else {}
    for group, standings in rank_groups(records, members).items():
        played = [record for record in records if record.group == group]
        _show_group(group, standings, played, members.get(group, ()))
    if test is not None and event.spec is not None:
        typer.echo("\n" + format_sprt(test, event.spec))
    for lines in filter(None, (format_failures(games), format_repeats(games))):
        typer.echo("\n" + "\n".join(lines))


def _show_group(
    group: str, standings: Sequence[Standing], records: Sequence[GameRecord], scheduled: Sequence[str]
) -> None:
    """Print the standings of a group, and the summary of a match or the cross table."""
    names = [row.name for row in standings]
    typer.echo()
    print_grid(format_standings(standings, group))
    if unconnected := describe_unconnected(list_unconnected(standings)):
        typer.echo("\n" + "\n".join(unconnected))
    if len(standings) == 2:
        one, other = scheduled or names
        typer.echo("\n" + "\n".join(format_match(records, one, other)))
    elif records:
        grid = format_cross_table(records, names)
        typer.echo()
        if grid is None:
            typer.echo("fourfall report --html FILE has the results of each agent against each.")
        else:
            print_grid(grid)
