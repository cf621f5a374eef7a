"""Describes events for the page: state, standings, last finished games and live games."""

import math
import time
from dataclasses import dataclass, field

from fourfall.arena.claim import holder
from fourfall.arena.live import live
from fourfall.arena.ratings import Interval, Results
from fourfall.arena.record import GameRecord
from fourfall.arena.standings import Standing, cross_table, standings_by_group
from fourfall.arena.store import Event, Store, StoredGame, StoreError
from fourfall.web.errors import RequestError
from fourfall.web.messages import schemas
from fourfall.web.positions import player_or_none

_RECENT_GAMES = 20
_MANY_GAMES = 1000
_REST_FACTOR = 10  # with many games, standings are computed in at most 1/11 of the time


def list_events(store: Store, own_event: int | None) -> schemas.EventList:
    """List all events, newest first; `own_event` is the one that this server is running."""
    return schemas.EventList(events=[_describe_event(store, event, own_event) for event in reversed(store.events())])


@dataclass
class EventView:
    """An event with its standings, which are computed again only when there are new games.

    The standings of thousands of games take a while, so they are then updated less often the longer they take.
    """

    event: int
    _games: list[StoredGame] = field(default_factory=list)
    _groups: list[schemas.EventGroup] = field(default_factory=list)
    _counted_games: int = -1
    _next_update: float = 0.0

    def describe(self, store: Store, own_event: int | None) -> schemas.EventDetails:
        """Describe the present state of the event."""
        try:
            event = store.event(self.event)
        except StoreError:
            raise RequestError("unknown_event", event=self.event) from None
        self._update(store, event)
        info = _describe_event(store, event, own_event)
        live_games = live(store.path, event.id) if info.state == "running" else []
        finished = {game.record.number for game in self._games}
        return schemas.EventDetails(
            **vars(info),
            groups=self._groups,
            recent=[_describe_finished_game(game) for game in self._games[: -_RECENT_GAMES - 1 : -1]],
            live=[
                schemas.LiveGameInfo(number=game.number, group=game.group, names=game.names, position=game.board)
                for game in live_games
                if game.number not in finished
            ],
        )

    def _update(self, store: Store, event: Event) -> None:
        start = time.monotonic()
        if event.games == self._counted_games or (start < self._next_update and not event.is_complete):
            return
        self._games = store.games_after(event.id, self._games)
        self._groups = _describe_groups([game.record for game in self._games], event)
        self._counted_games = event.games
        if event.games >= _MANY_GAMES and not event.is_complete:
            self._next_update = start + _REST_FACTOR * (time.monotonic() - start)


def _describe_event(store: Store, event: Event, own_event: int | None) -> schemas.EventInfo:
    state = _find_state(store, event, own_event)
    return schemas.EventInfo(
        id=event.id,
        name=event.name,
        state=state,
        games=event.games,
        planned=event.planned,
        created=event.created,
        can_stop=event.id == own_event and state == "running",
    )


def _find_state(store: Store, event: Event, own_event: int | None) -> schemas.EventState:
    if event.planned is None:
        return "imported"
    if event.is_complete:
        return "complete"
    # The process of a match that was started here takes a moment until it locks its event.
    return "running" if event.id == own_event or holder(store.path, event.id) is not None else "stopped"


def _describe_groups(records: list[GameRecord], event: Event) -> list[schemas.EventGroup]:
    groups = []
    for name, standings in standings_by_group(records, event.spec.members if event.spec else None).items():
        table = cross_table(record for record in records if record.group == name)
        cross = [[_count_results(table.get((row.name, column.name))) for column in standings] for row in standings]
        rows = [_describe_standing(rank, standing) for rank, standing in enumerate(standings, 1)]
        groups.append(schemas.EventGroup(name=name, standings=rows, cross=cross))
    return groups


def _describe_standing(rank: int, standing: Standing) -> schemas.StandingInfo:
    tally = standing.tally
    return schemas.StandingInfo(
        rank=rank,
        agent=standing.name,
        games=tally.total.games,
        won=tally.total.wins,
        drawn=tally.total.draws,
        lost=tally.total.losses,
        first=(tally.first.wins, tally.first.draws, tally.first.losses),
        second=(tally.second.wins, tally.second.draws, tally.second.losses),
        score=_describe_interval(tally.score, 4),
        elo=_describe_interval(standing.rating, 1),
        failures={ending.value: count for ending, count in tally.failures.items()},
    )


def _count_results(results: Results | None) -> schemas.WinsDrawsLosses | None:
    return None if results is None else (results.wins, results.draws, results.losses)


def _describe_interval(interval: Interval, digits: int) -> schemas.IntervalInfo:
    """Round an interval; JSON has no infinity, so infinite bounds become null."""
    low, value, high = (
        round(bound, digits) if math.isfinite(bound) else None
        for bound in (interval.low, interval.value, interval.high)
    )
    return schemas.IntervalInfo(value=value, low=low, high=high)


def _describe_finished_game(game: StoredGame) -> schemas.FinishedGameInfo:
    record = game.record
    return schemas.FinishedGameInfo(
        id=f"a{game.id}",
        number=record.number,
        names=record.names,
        winner=player_or_none(record.winner),
        ending=record.ending.value,
        moves=len(record.moves),
    )
