"""Owns ``fourfall events``: lists the tournaments of a database, or shows the table of one."""

import json
import math
from typing import Annotated

import typer

from fourfall.arena.claim import holder
from fourfall.arena.report import Grid, cross_grid, failure_lines, match_lines, sprt_line, standings_grid, verdict_of
from fourfall.arena.sprt import Walk
from fourfall.arena.standings import Standing, standings_by_group
from fourfall.arena.store import Event, Store
from fourfall.cli.database import DEFAULT_DATABASE, DatabaseArgument, JsonOption, print_grid


def events(
    db: DatabaseArgument = DEFAULT_DATABASE,
    event: Annotated[
        int | None, typer.Option("--event", metavar="N", help="Show the table of this event.", show_default=False)
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the tournaments of a database, or show the table of one.

    Examples:

      fourfall events

      fourfall events arena.db --event 3
    """
    with Store(db, read_only=True) as store:
        if event is not None:
            show_event(store, store.event(event), as_json)
            return
        listed = [(event, state(store, event), walk_of(store, event)) for event in store.events()]
    if as_json:
        for found, status, walk in listed:
            typer.echo(json.dumps({"id": found.id, "state": status, **event_dict(found), "sprt": walk_dict(walk)}))
    else:
        rows = [
            (
                f"{found.id}",
                found.name,
                f"{found.games}",
                f"{found.planned or ''}",
                status if walk is None else f"{status}, SPRT {verdict_of(walk)}",
                found.created,
            )
            for found, status, walk in listed
        ]
        print_grid(Grid(("event", "name", "games", "of", "state", "begun"), tuple(rows), frozenset({"name", "state"})))


def state(store: Store, event: Event) -> str:
    """Say whether an event is complete, going on, or waits to be resumed."""
    if event.planned is None:
        return "imported"
    if event.is_complete:
        return "complete"
    return "stopped" if holder(store.path, event.id) is None else "running"


def walk_of(store: Store, event: Event) -> Walk | None:
    """Return where the test of an event stands, if it has one."""
    return None if event.spec is None or event.spec.sprt is None else Walk(event.spec.sprt, store.results(event.id))


def event_dict(event: Event) -> dict[str, object]:
    """Put what is known of an event into plain data."""
    return {"name": event.name, "games": event.games, "planned": event.planned, "created": event.created}


def show_event(store: Store, event: Event, as_json: bool) -> None:
    """Print the table of each group, who fared how against whom, and the failures."""
    games = list(store.games(event.id))
    records = [game.record for game in games]
    groups = standings_by_group(records, event.spec.members if event.spec else None)
    walk = walk_of(store, event)
    if as_json:
        for group, lines in groups.items():
            for rank, line in enumerate(lines, 1):
                typer.echo(json.dumps({"group": group, "rank": rank, **standing_dict(line)}))
        if walk is not None:
            typer.echo(json.dumps({"sprt": walk_dict(walk)}))
        return
    of = "" if event.planned is None else f" of {event.planned}"
    typer.echo(f"event {event.id}, {event.name}: {event.games}{of} games, {state(store, event)}")
    for group, lines in groups.items():
        own = [record for record in records if record.group == group]
        typer.echo()
        print_grid(standings_grid(lines, group))
        if len(lines) == 2:
            one, other = event.spec.members[group] if event.spec else (line.name for line in lines)
            typer.echo("\n" + "\n".join(match_lines(own, one, other)))
        elif own:
            typer.echo()
            print_grid(cross_grid(own, [line.name for line in lines]))
    if walk is not None and event.spec is not None:
        typer.echo("\n" + sprt_line(walk, event.spec))
    failed = failure_lines((game.id, game.record) for game in games)
    if failed:
        typer.echo("\n" + "\n".join(failed))


def walk_dict(walk: Walk | None) -> dict[str, object] | None:
    """Put where a test stands into plain data."""
    if walk is None:
        return None
    return {**vars(walk.test), "accepted": walk.accepted, "llr": walk.llr, "pairs": walk.pairs}


def standing_dict(line: Standing) -> dict[str, object]:
    """Put a line of the table into plain data; an open bound is null, because infinity is no JSON."""
    total = line.tally.total
    rating = {key: value if math.isfinite(value) else None for key, value in vars(line.rating).items()}
    return {
        "agent": line.name,
        "games": total.games,
        "won": total.wins,
        "drawn": total.draws,
        "lost": total.losses,
        "score": vars(line.tally.score),
        "elo": rating,
        "failures": line.tally.failures,
    }
