"""First-come-first-served queue in which analyses and reviews wait for a thread, turn by turn."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

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
    """Queue for `slots` turns at once; at most `max_members` are in a turn or wait.

    Background members wait behind all others, and no turn ends early for them. They may use half of the places.
    """

    def __init__(self, slots: int, max_members: int) -> None:
        self._free_slots = slots
        self._max_members = max_members
        self._members = 0
        self._waiting: deque[QueueMember] = deque()

    @property
    def has_waiting(self) -> bool:
        """Whether a member that is not a background member waits for its turn."""
        return any(not member.is_background for member in self._waiting)

    @contextmanager
    def enter(self, on_place: OnPlace, *, is_background: bool = False) -> Iterator[QueueMember]:
        """Become a member for the duration of the context. Raises RequestError `busy` if the queue is full."""
        limit = self._max_members // 2 if is_background else self._max_members
        if self._members >= limit:
            raise RequestError("busy", limit=limit)
        self._members += 1
        try:
            yield QueueMember(self, on_place, is_background=is_background)
        finally:
            self._members -= 1

    def append(self, member: QueueMember) -> None:
        """Add a member at the end, but before background members; its turn may begin at once."""
        foreground = sum(not waiting.is_background for waiting in self._waiting)
        self._waiting.insert(len(self._waiting) if member.is_background else foreground, member)
        self._begin_turns()

    def remove(self, member: QueueMember) -> bool:
        """Remove a waiting member; False if it does not wait."""
        if member not in self._waiting:
            return False
        self._waiting.remove(member)
        self._begin_turns()
        return True

    def end_turn(self) -> None:
        """End a turn; the next member's turn begins."""
        self._free_slots += 1
        self._begin_turns()

    def _begin_turns(self) -> None:
        while self._free_slots and self._waiting:
            self._free_slots -= 1
            self._waiting.popleft().begin_turn()
        for place, member in enumerate(self._waiting, 1):
            member.report_place(place)
