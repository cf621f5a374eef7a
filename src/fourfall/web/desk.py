"""Owns the one thread that uses the database: everybody else hands it work and waits."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from fourfall.arena.store import Store
from fourfall.web.shelf import Shelf

P = ParamSpec("P")
T = TypeVar("T")


class Desk:
    """The shelf and the arena's store, behind a thread each: a long look at an event does not hold up a move."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._writer = ThreadPoolExecutor(1, "shelf")
        self._reader = ThreadPoolExecutor(1, "store")
        self._shelf = self._writer.submit(Shelf, path).result()
        self._store = self._reader.submit(Store, path).result()

    async def shelf(self, do: Callable[Concatenate[Shelf, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do something with the games of the page."""
        return await _in(self._writer, lambda: do(self._shelf, *args, **kwargs))

    async def store(self, do: Callable[Concatenate[Store, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do something with the events of the arena."""
        return await _in(self._reader, lambda: do(self._store, *args, **kwargs))

    def close(self) -> None:
        """Close the database; what was handed over before is still done."""
        self._writer.submit(self._shelf.close)
        self._reader.submit(self._store.close)
        self._writer.shutdown()
        self._reader.shutdown()


async def _in(thread: ThreadPoolExecutor, do: Callable[[], T]) -> T:
    # Shielded: whoever stops waiting does not take back what was handed over.
    return await asyncio.shield(asyncio.get_running_loop().run_in_executor(thread, do))
