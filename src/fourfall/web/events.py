"""Owns what there is to see of an event: its state, its tables, its last games and the boards of its running ones."""

import math
import time
from dataclasses import dataclass, field

from fourfall.arena.claim import holder
from fourfall.arena.live import live
from fourfall.arena.ratings import Interval, Results
from fourfall.arena.record import GameRecord
from fourfall.arena.standings import Standing, cross_table, standings_by_group
from fourfall.arena.store import Event, Store, StoredGame, StoreError
from fourfall.web import shapes
from fourfall.web.refusal import Refusal

_RECENT = 20
_MANY, _RARER = 1000, 10


def state(store: Store, event: Event, ours: int | None = None) -> shapes.State:
    """Say whether an event is complete, going on, or waits to be resumed."""
    if event.planned is None:
        return "imported"
    if event.is_complete:
        return "complete"
    # A match that was begun here takes a moment to claim its event.
    return "running" if event.id == ours or holder(store.path, event.id) is not None else "stopped"


def event_line(store: Store, event: Event, ours: int | None) -> shapes.EventLine:
    """Describe an event in a line; `ours` is the one that was begun from the page and runs."""
    return shapes.EventLine(
        id=event.id,
        name=event.name,
        state=(status := state(store, event, ours)),
        games=event.games,
        planned=event.planned,
        created=event.created,
        ours=event.id == ours and status == "running",
    )


def event_list(store: Store, ours: int | None) -> shapes.EventList:
    """List all events, newest first."""
    return shapes.EventList(events=[event_line(store, event, ours) for event in reversed(store.events())])


@dataclass
class Look:
    """An event that somebody looks at: its games are read once, and its tables made anew when there are more.

    Making the tables of thousands of games takes a while, so it is done less often the longer it takes.
    """

    event: int
    _games: list[StoredGame] = field(default_factory=list)
    _groups: list[shapes.EventGroup] = field(default_factory=list)
    _seen: int = -1
    _due: float = 0.0

    def shown(self, store: Store, ours: int | None) -> shapes.EventShown:
        """Describe the event as it is now."""
        try:
            event = store.event(self.event)
        except StoreError:
            raise Refusal("unknown_event", f"there is no event {self.event}") from None
        began = time.monotonic()
        if event.games != self._seen and (began >= self._due or event.is_complete):
            self._games = store.games_after(event.id, self._games)
            self._groups = _groups([game.record for game in self._games], event)
            self._seen = event.games
            if event.games >= _MANY and not event.is_complete:
                self._due = began + _RARER * (time.monotonic() - began)
        line = event_line(store, event, ours)
        running = live(store.path, event.id) if line.state == "running" else []
        played = {game.record.number for game in self._games}
        return shapes.EventShown(
            **line.model_dump(),
            groups=self._groups,
            recent=[_played(game) for game in self._games[: -_RECENT - 1 : -1]],
            live=[
                shapes.RunningGame(number=game.number, group=game.group, names=game.names, position=game.board)
                for game in running
                if game.number not in played
            ],
        )


def _groups(records: list[GameRecord], event: Event) -> list[shapes.EventGroup]:
    groups = []
    for name, lines in standings_by_group(records, event.spec.members if event.spec else None).items():
        table = cross_table(record for record in records if record.group == name)
        cross = [[_cell(table.get((line.name, other.name))) for other in lines] for line in lines]
        standings = [_standing(rank, line) for rank, line in enumerate(lines, 1)]
        groups.append(shapes.EventGroup(name=name, standings=standings, cross=cross))
    return groups


def _standing(rank: int, line: Standing) -> shapes.StandingLine:
    total = line.tally.total
    return shapes.StandingLine(
        rank=rank,
        agent=line.name,
        games=total.games,
        won=total.wins,
        drawn=total.draws,
        lost=total.losses,
        first=_triple(line.tally.first),
        second=_triple(line.tally.second),
        score=_span(line.tally.score, 4),
        elo=_span(line.rating, 1),
        failures={ending.value: count for ending, count in line.tally.failures.items()},
    )


def _triple(results: Results) -> shapes.Triple:
    return results.wins, results.draws, results.losses


def _cell(results: Results | None) -> shapes.Triple | None:
    return None if results is None else _triple(results)


def _span(interval: Interval, digits: int) -> shapes.Span:
    """Write an interval; infinity is no JSON."""
    low, value, high = (
        round(bound, digits) if math.isfinite(bound) else None
        for bound in (interval.low, interval.value, interval.high)
    )
    return shapes.Span(value=value, low=low, high=high)


def _played(game: StoredGame) -> shapes.PlayedGame:
    record = game.record
    return shapes.PlayedGame(
        id=f"a{game.id}",
        number=record.number,
        names=record.names,
        winner=None if record.winner is None else 1 if record.winner else 0,
        ending=record.ending.value,
        moves=len(record.moves),
    )
