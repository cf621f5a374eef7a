"""Describes events for the page: state, standings, last finished games and live games."""

import time
from dataclasses import dataclass, field

from fourfall.arena.event_summary import (
    GroupSummary,
    find_event_state,
    summarise_game,
    summarise_groups,
)
from fourfall.arena.live_games import list_live_games
from fourfall.arena.store import Event, Store, StoredGame, StoreError
from fourfall.web.errors import RequestError
from fourfall.web.events.ladder_view import LadderView
from fourfall.web.messages import schemas
from fourfall.web.positions import convert_player

_RECENT_GAMES = 20
_MANY_GAMES = 1000
_REST_FACTOR = 10  # with many games, standings are computed in at most 1/11 of the time


def list_events(store: Store, own_event: int | None) -> schemas.EventList:
    """List all events, newest first; `own_event` is the one that this server is running."""
    events = [_describe_event(store, event, own_event) for event in reversed(store.list_events())]
    return schemas.EventList(events=events)


@dataclass
class EventView:
    """An event with its standings, which are computed again only when there are new games.

    The standings of thousands of games take a while, so they are then updated less often the longer they take.
    """

    event: int
    _games: list[StoredGame] = field(default_factory=list)
    _groups: list[GroupSummary] = field(default_factory=list)
    _counted_games: int = -1
    _next_update: float = 0.0

    def __post_init__(self) -> None:
        self._ladder = LadderView(self.event)

    def describe(self, store: Store, own_event: int | None) -> schemas.EventDetails:
        """Describe the present state of the event."""
        try:
            event = store.get_event(self.event)
        except StoreError:
            raise RequestError("unknown_event", event=self.event) from None
        self._update(store, event)
        info = _describe_event(store, event, own_event)
        finished = {game.record.number for game in self._games}
        return schemas.EventDetails(
            **vars(info),
            groups=self._groups,
            recent=[_describe_finished_game(game) for game in self._games[: -_RECENT_GAMES - 1 : -1]],
            live=list_live_games(store.path, event.id, finished) if info.state == "running" else [],
            ladder=self._ladder.describe(store, event),
        )

    def _update(self, store: Store, event: Event) -> None:
        start = time.monotonic()
        if event.games == self._counted_games or (start < self._next_update and not event.is_complete):
            return
        self._games = store.read_new_games(event.id, self._games)
        self._groups = summarise_groups([game.record for game in self._games], event)
        self._counted_games = event.games
        if event.games >= _MANY_GAMES and not event.is_complete:
            self._next_update = start + _REST_FACTOR * (time.monotonic() - start)


def _describe_event(store: Store, event: Event, own_event: int | None) -> schemas.EventInfo:
    # The process of a match that was started here takes a moment until it claims its event.
    state = find_event_state(store, event, starting=own_event)
    return schemas.EventInfo(
        id=event.id,
        name=event.name,
        state=state,
        games=event.games,
        planned=event.planned,
        created=event.created,
        can_stop=event.id == own_event and state == "running",
    )


def _describe_finished_game(game: StoredGame) -> schemas.FinishedGameInfo:
    summary = summarise_game(game)
    winner = convert_player(summary.winner)
    return schemas.FinishedGameInfo(**vars(summary) | {"id": f"a{summary.id}", "winner": winner})
