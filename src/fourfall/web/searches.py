"""Owns the threads in which engines think: opponents' moves with deadlines, and few analyses beside them.

A move has a deadline; where more moves are wanted than there are threads, those that wait shorten everybody's time, so
that all are answered within theirs. The threads are nicer than the event loop, which has to answer at once, but all
alike: one that is nicer than the others and is put aside while it holds the interpreter's lock holds up everybody
(measured: by up to half a second).
"""

import asyncio
import heapq
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Generic, Protocol, TypeVar

from fourfall import Analysis, Board, Engine, Limit

_NICENESS = 5
_AGAIN_S = 0.01  # a search that has not quite begun cannot hear that it should stop
_LAST_CALL_S = 0.1  # so long before its deadline a waiting move gets a thread at the cost of another one
_LEAST_S = 0.005

T = TypeVar("T", covariant=True)


class Thought(Protocol[T]):
    """Something to think about in a thread: it takes at most so many seconds, and can be stopped from another one."""

    def think(self, seconds: float) -> T:
        """Think, and answer."""
        ...

    def stop(self) -> None:
        """Let it answer with what it has; may come too early, and then comes again."""
        ...


class EngineThought:
    """A search of a built-in engine."""

    def __init__(self, engine: Engine, board: Board, nodes: int | None = None) -> None:
        self.engine = engine
        self._board = board.copy()
        self._nodes = nodes

    def think(self, seconds: float) -> Analysis:
        """Search the position."""
        return self.engine.analyse(self._board, Limit(seconds, self._nodes))

    def stop(self) -> None:
        """End the search; its answer is what it has found."""
        self.engine.stop()


class Running(Generic[T]):
    """A thought in a thread; `stop` is heard however early it comes."""

    def __init__(self, thought: Thought[T], pool: ThreadPoolExecutor, seconds: float) -> None:
        self._thought = thought
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()
        self.future = self._loop.run_in_executor(pool, thought.think, seconds)

    @property
    def seconds(self) -> float:
        """For how long it has been thinking."""
        return self._loop.time() - self._began

    def stop(self) -> None:
        """Stop it, and again until it has stopped."""
        if not self.future.done():
            self._thought.stop()
            self._loop.call_later(_AGAIN_S, self.stop)


class _Threads:
    """A pool of threads that knows what runs in it."""

    def __init__(self, most: int, name: str) -> None:
        self.most = most
        self.running: set[Running[object]] = set()
        self._pool = ThreadPoolExecutor(most, name, initializer=_be_nice)

    def begin(self, thought: Thought[T], seconds: float, on_end: Callable[[], None]) -> Running[T]:
        running = Running(thought, self._pool, seconds)
        self.running.add(running)

        def ended(done: "asyncio.Future[T]") -> None:
            self.running.discard(running)
            if not done.cancelled():
                done.exception()  # whoever waits for it sees it; nobody may be waiting any more
            on_end()

        running.future.add_done_callback(ended)
        return running

    async def close(self) -> None:
        while self.running:
            for running in list(self.running):
                running.stop()
            await asyncio.wait({running.future for running in self.running}, timeout=0.1)
        self._pool.shutdown(wait=False, cancel_futures=True)


def _be_nice() -> None:
    # On Linux the priority of a thread is its own.
    os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), os.getpriority(os.PRIO_PROCESS, 0) + _NICENESS)


class _Wanted(Generic[T]):
    """A move that waits for a thread."""

    def __init__(self, thought: Thought[T], deadline: float) -> None:
        self.thought = thought
        self.deadline = deadline
        self.begun: asyncio.Future[Running[T]] = asyncio.get_running_loop().create_future()


class Moves:
    """Thinks about moves, the most urgent first, each within its time."""

    def __init__(self, threads: int) -> None:
        self._threads = _Threads(threads, "move")
        self._waiting: list[tuple[float, int, _Wanted[object]]] = []
        self._numbers = count()

    async def think(self, thought: Thought[T], seconds: float) -> T:
        """Return what a thought comes to within so many seconds from now; when cancelled, it is stopped."""
        loop = asyncio.get_running_loop()
        wanted = _Wanted(thought, loop.time() + seconds)
        heapq.heappush(self._waiting, (wanted.deadline, next(self._numbers), wanted))
        self._begin_some()
        last_call = loop.call_at(wanted.deadline - _LAST_CALL_S, self._make_room, wanted)
        running: Running[T] | None = None
        try:
            running = await wanted.begun
            return await asyncio.shield(running.future)
        except asyncio.CancelledError:
            wanted.begun.cancel()
            if running is None and wanted.begun.done() and not wanted.begun.cancelled():
                running = wanted.begun.result()
            if running is not None:
                running.stop()
            raise
        finally:
            last_call.cancel()

    async def close(self) -> None:
        """Stop everything."""
        for _, _, wanted in self._waiting:
            wanted.begun.cancel()
        self._waiting.clear()
        await self._threads.close()

    def _begin_some(self) -> None:
        while self._waiting and len(self._threads.running) < self._threads.most:
            _, _, wanted = heapq.heappop(self._waiting)
            if wanted.begun.done():  # given up while it waited
                continue
            left_s = wanted.deadline - asyncio.get_running_loop().time()
            rounds = 1 + len(self._waiting) / self._threads.most
            seconds = max(_LEAST_S, left_s / rounds)
            wanted.begun.set_result(self._threads.begin(wanted.thought, seconds, self._begin_some))

    def _make_room(self, wanted: _Wanted[T]) -> None:
        """Let the move that has been thought about for longest be made now, so that this one is not late."""
        if not wanted.begun.done() and self._threads.running:
            max(self._threads.running, key=lambda running: running.seconds).stop()


class Analyses:
    """Threads for analyses and reviews; whoever wants one lines up elsewhere."""

    def __init__(self, threads: int) -> None:
        self._threads = _Threads(threads, "analysis")
        self._onlookers = ThreadPoolExecutor(threads, "onlooker")

    def begin(self, thought: Thought[T], seconds: float, on_end: Callable[[], None]) -> Running[T]:
        """Begin to think in a thread; `on_end` is called when the thread is free again."""
        return self._threads.begin(thought, seconds, on_end)

    async def snapshot(self, engine: Engine) -> Analysis | None:
        """Ask a search what it thinks now, in a thread because a busy one takes a moment to answer."""
        return await asyncio.get_running_loop().run_in_executor(self._onlookers, engine.snapshot)

    async def close(self) -> None:
        """Stop everything."""
        await self._threads.close()
        self._onlookers.shutdown(wait=False, cancel_futures=True)
