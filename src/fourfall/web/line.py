"""Owns the line before the engines: who is next, and telling everybody who waits which place is theirs."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from fourfall.web.refusal import Refusal

Tell = Callable[[int], None]
"""Is told one's place, counted from 1, whenever it changes."""

_ORDINALS = ("next", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def busy_message(place: int) -> str:
    """Say how long the line is.

    >>> busy_message(1), busy_message(3), busy_message(12)
    ('the engine is busy, you are next', 'the engine is busy, you are third', 'the engine is busy, you are number 12')
    """
    where = _ORDINALS[place - 1] if place <= len(_ORDINALS) else f"number {place}"
    return f"the engine is busy, you are {where}"


class Place:
    """One who wants turns, again and again; made by `Line.place`."""

    def __init__(self, line: "Line", tell: Tell) -> None:
        self._line = line
        self._tell = tell
        self._told = 0
        self._is_withdrawn = False
        self._turn: asyncio.Future[bool] | None = None

    async def take(self) -> bool:
        """Wait for a turn, which `Line.give` ends; False where `withdraw` came first."""
        if self._is_withdrawn:
            return False
        self._told = 0
        self._turn = asyncio.get_running_loop().create_future()
        self._line.join(self)
        try:
            return await self._turn
        except asyncio.CancelledError:
            if not self._line.leave(self) and not self._is_withdrawn:
                self._line.give()  # the turn came in the same moment
            raise

    def withdraw(self) -> None:
        """Want no more turns; one that has begun is not ended."""
        self._is_withdrawn = True
        if self._line.leave(self) and self._turn is not None:
            self._turn.set_result(False)

    def begin(self) -> None:
        """Let the turn begin."""
        if self._turn is not None and not self._turn.done():
            self._turn.set_result(True)

    def say(self, place: int) -> None:
        """Tell the place, where it has changed."""
        if place != self._told:
            self._told = place
            self._tell(place)


class Line:
    """First come, first served, for so many at once; `crowd` is how many may be around, being served or waiting."""

    def __init__(self, slots: int, crowd: int) -> None:
        self._free = slots
        self._crowd = crowd
        self._around = 0
        self._waiting: deque[Place] = deque()

    @property
    def is_wanted(self) -> bool:
        """Whether somebody waits."""
        return bool(self._waiting)

    @contextmanager
    def place(self, tell: Tell) -> Iterator[Place]:
        """Be around for as long as one wants turns."""
        if self._around >= self._crowd:
            raise Refusal("busy", "the engine is busy, and too many are waiting for it; try again in a minute")
        self._around += 1
        try:
            yield Place(self, tell)
        finally:
            self._around -= 1

    def join(self, place: Place) -> None:
        """Line up at the end; the turn may begin at once."""
        self._waiting.append(place)
        self._serve()

    def leave(self, place: Place) -> bool:
        """Leave the line; False where one does not stand in it."""
        if place not in self._waiting:
            return False
        self._waiting.remove(place)
        self._serve()
        return True

    def give(self) -> None:
        """End a turn."""
        self._free += 1
        self._serve()

    def _serve(self) -> None:
        while self._free and self._waiting:
            self._free -= 1
            self._waiting.popleft().begin()
        for at, place in enumerate(self._waiting, 1):
            place.say(at)
