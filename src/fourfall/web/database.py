"""Runs database calls on three worker threads, so that the event loop never waits for the disk."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from fourfall.arena.store import Store
from fourfall.web.explorer import Explorer
from fourfall.web.game_repository import GameRepository

P = ParamSpec("P")
T = TypeVar("T")


class Database:
    """The games of the page and the events of the arena, in one file.

    Games, events and the opening explorer each have a thread and a connection, so that a long query does not delay
    saving a move.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._games_thread = ThreadPoolExecutor(1, "games")
        self._events_thread = ThreadPoolExecutor(1, "events")
        self._repository = self._games_thread.submit(GameRepository, path).result()
        self._store = self._events_thread.submit(Store, path).result()
        self._explorer_thread = ThreadPoolExecutor(1, "explorer")
        self._explorer = self._explorer_thread.submit(Explorer, path).result()

    async def run_with_games(
        self, call: Callable[Concatenate[GameRepository, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Call a function with the repository of the page's games."""
        return await _run(self._games_thread, lambda: call(self._repository, *args, **kwargs))

    async def run_with_events(self, call: Callable[Concatenate[Store, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a function with the arena's store of events."""
        return await _run(self._events_thread, lambda: call(self._store, *args, **kwargs))

    async def run_with_explorer(
        self, call: Callable[Concatenate[Explorer, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Call a function with the opening explorer."""
        return await _run(self._explorer_thread, lambda: call(self._explorer, *args, **kwargs))

    def close(self) -> None:
        """Finish the calls that were submitted, then close the connections."""
        self._games_thread.submit(self._repository.close)
        self._events_thread.submit(self._store.close)
        self._explorer_thread.submit(self._explorer.close)
        self._games_thread.shutdown()
        self._events_thread.shutdown()
        self._explorer_thread.shutdown()


async def _run(thread: ThreadPoolExecutor, call: Callable[[], T]) -> T:
    # Shielded: cancelling the caller does not cancel a call that was submitted, such as saving a move.
    return await asyncio.shield(asyncio.get_running_loop().run_in_executor(thread, call))
