"""Queue in which analyses and reviews wait for a thread, turn by turn; clients get equal shares of the threads."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count as count_from

from fourfall.web.errors import RequestError

OnPlace = Callable[[int], None]
"""Receives the place in the queue, counted from 1, whenever it changes."""


class QueueMember:
    """An analysis or review that takes turns; created by `TurnQueue.enter`."""

    def __init__(self, queue: "TurnQueue", on_place: OnPlace, *, is_background: bool = False) -> None:
        self.is_background = is_background
        self._queue = queue
        self._on_place = on_place
        self._reported_place = 0
        self._is_withdrawn = False
        self._turn: asyncio.Future[bool] | None = None

    async def wait_turn(self) -> bool:
        """Wait for a turn, which `TurnQueue.end_turn` ends; False if `withdraw` was called."""
        if self._is_withdrawn:
            return False
        self._reported_place = 0
        self._turn = asyncio.get_running_loop().create_future()
        self._queue.append(self)
        try:
            return await self._turn
        except asyncio.CancelledError:
            if not self._queue.remove(self) and not self._is_withdrawn:
                self._queue.end_turn()  # the turn began in the same iteration of the event loop
            raise

    def withdraw(self) -> None:
        """Wait for no more turns; a turn that has begun continues."""
        self._is_withdrawn = True
        if self._queue.remove(self) and self._turn is not None:
            self._turn.set_result(False)

    @property
    def client(self) -> str:
        """Client to which the analysis or review belongs."""
        return self._queue.client

    def begin_turn(self) -> None:
        """Let `wait_turn` return True."""
        if self._turn is not None and not self._turn.done():
            self._turn.set_result(True)

    def report_place(self, place: int) -> None:
        """Report the place if it has changed."""
        if place != self._reported_place:
            self._reported_place = place
            self._on_place(place)


class TurnQueue:
    """The part of the queue that one client uses; created by `TurnScheduler.for_client`."""

    def __init__(self, scheduler: "TurnScheduler", client: str) -> None:
        self._scheduler = scheduler
        self.client = client

    @property
    def has_waiting(self) -> bool:
        """Whether a member of any client that is not a background member waits for its turn."""
        return self._scheduler.has_waiting

    @contextmanager
    def enter(self, on_place: OnPlace, *, is_background: bool = False) -> Iterator[QueueMember]:
        """Become a member for the duration of the context. Raises RequestError `busy` if the queue is full."""
        with self._scheduler.count_member(self.client, is_background=is_background):
            yield QueueMember(self, on_place, is_background=is_background)

    def append(self, member: QueueMember) -> None:
        """Add a member that waits; its turn may begin at once."""
        self._scheduler.append(member)

    def remove(self, member: QueueMember) -> bool:
        """Remove a waiting member; False if it does not wait."""
        return self._scheduler.remove(member)

    def end_turn(self) -> None:
        """End a turn of this client; the next member's turn begins."""
        self._scheduler.end_turn(self.client)


class TurnScheduler:
    """Queue for `slots` turns at once; at most `max_members` are in a turn or wait, `max_per_client` of one client.

    The next turn goes to the client with the fewest members in a turn; among such clients, to the one whose last turn
    began first. The members of one client take turns in the order in which they came. Background members wait behind
    all others, and no turn ends early for them. They may use half of the places.
    """

    def __init__(self, slots: int, max_members: int, max_per_client: int | None = None) -> None:
        self._free_slots = slots
        self._max_members = max_members
        self._max_per_client = max_members if max_per_client is None else max_per_client
        self._members: Counter[str] = Counter()
        self._turns: Counter[str] = Counter()
        self._last_turns: dict[str, int] = {}  # number of the last turn of each client
        self._numbers = count_from(1)
        self._waiting: list[QueueMember] = []

    def for_client(self, client: str) -> TurnQueue:
        """Return the queue as one client uses it."""
        return TurnQueue(self, client)

    @property
    def has_waiting(self) -> bool:
        """Whether a member that is not a background member waits for its turn."""
        return any(not member.is_background for member in self._waiting)

    @contextmanager
    def count_member(self, client: str, *, is_background: bool) -> Iterator[None]:
        """Count a member for the duration of the context. Raises RequestError `busy` if the queue is full."""
        parts = 2 if is_background else 1
        for count, maximum in (
            (self._members[client], self._max_per_client // parts),
            (self._members.total(), self._max_members // parts),
        ):
            if count >= maximum:
                raise RequestError("busy", limit=maximum)
        self._members[client] += 1
        try:
            yield
        finally:
            self._members -= Counter([client])
            if not self._members[client]:
                self._last_turns.pop(client, None)

    def append(self, member: QueueMember) -> None:
        """Add a member that waits; its turn may begin at once."""
        self._waiting.append(member)
        self._begin_turns()

    def remove(self, member: QueueMember) -> bool:
        """Remove a waiting member; False if it does not wait."""
        if member not in self._waiting:
            return False
        self._waiting.remove(member)
        self._begin_turns()
        return True

    def end_turn(self, client: str) -> None:
        """End a turn of a client; the next member's turn begins."""
        self._free_slots += 1
        self._turns -= Counter([client])
        self._begin_turns()

    def _begin_turns(self) -> None:
        while self._free_slots and self._waiting:
            member = self._sort_waiting()[0]
            self._waiting.remove(member)
            self._free_slots -= 1
            self._turns[member.client] += 1
            self._last_turns[member.client] = next(self._numbers)
            member.begin_turn()
        for place, member in enumerate(self._sort_waiting(), 1):
            member.report_place(place)

    def _sort_waiting(self) -> list[QueueMember]:
        """Return the waiting members in the order of their next turns."""
        turns = self._turns.copy()
        keys: dict[QueueMember, tuple[bool, int, int]] = {}
        for member in sorted(self._waiting, key=lambda waiting: waiting.is_background):
            keys[member] = (member.is_background, turns[member.client], self._last_turns.get(member.client, 0))
            turns[member.client] += 1
        return sorted(self._waiting, key=keys.__getitem__)
