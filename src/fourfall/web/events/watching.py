"""Polls the events that pages watch and sends them to the pages when they have changed."""

import asyncio
import logging
from collections.abc import Callable

from fourfall.web.database import Database
from fourfall.web.events.event_view import EventView, list_events
from fourfall.web.messages.replies import EventListReply, EventReply, Reply, Subscriber
from fourfall.web.messages.schemas import EventDetails

log = logging.getLogger(__name__)

_INTERVAL_S = 0.5


class EventWatcher:
    """Records which event each subscriber watches; None is the list of all events.

    All subscribers of an event share one query per interval. `own_event` returns the event that this server is
    running, or None.
    """

    def __init__(self, database: Database, own_event: Callable[[], int | None]) -> None:
        self._database = database
        self._own_event = own_event
        self._watched: dict[Subscriber, int | None] = {}
        self._last_reply: dict[Subscriber, Reply] = {}
        self._views: dict[int, EventView] = {}

    async def watch(self, subscriber: Subscriber, event: int | None, ref: str | None) -> None:
        """Send an event or the list, and from then on its changes."""
        reply = await self._query(event)
        self._watched[subscriber] = event
        self._last_reply[subscriber] = reply
        subscriber.send(reply.model_copy(update={"ref": ref}))

    def unwatch(self, subscriber: Subscriber) -> None:
        """Send no more changes."""
        self._watched.pop(subscriber, None)
        self._last_reply.pop(subscriber, None)

    async def describe_event(self, event: int) -> EventDetails:
        """Describe an event once."""
        view = self._views.get(event) or EventView(event)
        return await self._database.run_with_events(view.describe, self._own_event())

    async def run(self) -> None:
        """Poll the watched events until cancelled."""
        while True:
            await asyncio.sleep(_INTERVAL_S)
            events = set(self._watched.values())
            self._views = {event: view for event, view in self._views.items() if event in events}
            for event in events:
                try:
                    reply = await self._query(event)
                except Exception as error:  # the next poll may succeed
                    log.error("event %s cannot be read: %s", event, error)
                    continue
                self._publish(event, reply)

    def _publish(self, event: int | None, reply: Reply) -> None:
        for subscriber, watched in list(self._watched.items()):
            if watched == event and self._last_reply.get(subscriber) != reply:
                self._last_reply[subscriber] = reply
                subscriber.send(reply)

    async def _query(self, event: int | None) -> Reply:
        if event is None:
            events = await self._database.run_with_events(list_events, self._own_event())
            return EventListReply(**vars(events))
        view = self._views.setdefault(event, EventView(event))
        return EventReply(**vars(await self._database.run_with_events(view.describe, self._own_event())))
