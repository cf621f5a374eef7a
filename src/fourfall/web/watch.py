"""Owns the people who watch: one look at each watched event for all of them, and word only when something changed."""

import asyncio
import logging
from collections.abc import Callable

from fourfall.web import replies, shapes
from fourfall.web.desk import Desk
from fourfall.web.events import Look, event_list
from fourfall.web.sessions import Listener

log = logging.getLogger(__name__)

_EVERY_S = 0.5


class Watching:
    """Who watches what: an event, or the list of all of them (None)."""

    def __init__(self, desk: Desk, ours: Callable[[], int | None]) -> None:
        self._desk = desk
        self._ours = ours
        self._watchers: dict[Listener, int | None] = {}
        self._told: dict[Listener, replies.Reply] = {}
        self._looks: dict[int, Look] = {}

    async def watch(self, listener: Listener, event: int | None, ref: str | None) -> None:
        """Show something, and from now on its changes."""
        reply = await self._seen(event)
        self._watchers[listener] = event
        self._told[listener] = reply
        listener.send(reply.model_copy(update={"ref": ref}))

    def unwatch(self, listener: Listener) -> None:
        """Show no more."""
        self._watchers.pop(listener, None)
        self._told.pop(listener, None)

    async def show(self, event: int) -> shapes.EventShown:
        """Describe an event once."""
        look = self._looks.get(event) or Look(event)
        return await self._desk.store(lambda store: look.shown(store, self._ours()))

    async def run(self) -> None:
        """Look again and again, at what somebody watches."""
        while True:
            await asyncio.sleep(_EVERY_S)
            watched = set(self._watchers.values())
            self._looks = {event: look for event, look in self._looks.items() if event in watched}
            for event in watched:
                try:
                    reply = await self._seen(event)
                except Exception as error:  # the next look may succeed
                    log.error("event %s cannot be shown: %s", event, error)
                    continue
                self._tell(event, reply)

    def _tell(self, event: int | None, reply: replies.Reply) -> None:
        for listener, wanted in list(self._watchers.items()):
            if wanted == event and self._told.get(listener) != reply:
                self._told[listener] = reply
                listener.send(reply)

    async def _seen(self, event: int | None) -> replies.Reply:
        if event is None:
            listed = await self._desk.store(event_list, self._ours())
            return replies.Events(events=listed.events)
        look = self._looks.setdefault(event, Look(event))
        shown = await self._desk.store(lambda store: look.shown(store, self._ours()))
        return replies.EventState(**vars(shown))
