"""Thread pools for searches: one for opponents' moves, shared fairly, and one for analyses and reviews.

The threads have a lower priority than the event loop, which must respond at once, but all the same one. If their
priorities differ, the system may suspend a thread with a low priority while it holds Python's global lock, and all
others wait (measured: up to half a second).
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Generic, TypeVar

from fourfall import Analysis, Board, Limit
from fourfall.agents.base import Agent, AgentMove
from fourfall.agents.native import EngineAgent
from fourfall.system.priority import lower_thread_priority
from fourfall.web.access.clients import NO_OWNER, Owner
from fourfall.web.analysis.fair_queue import FairQueue

_NICENESS = 5
_PREEMPT_S = 0.1  # time before its deadline at which a waiting move preempts another one
_MIN_SEARCH_S = 0.005

T = TypeVar("T")


class RunningSearch(Generic[T]):
    """A search of an agent in a thread of a pool."""

    def __init__(self, agent: Agent, search: Callable[[], T], pool: ThreadPoolExecutor) -> None:
        self._agent = agent
        self._loop = asyncio.get_running_loop()
        self._start = self._loop.time()
        self.future = self._loop.run_in_executor(pool, search)

    @property
    def seconds(self) -> float:
        """Time since the start."""
        return self._loop.time() - self._start

    def stop(self) -> None:
        """Stop the search; an engine returns the best move so far."""
        if not self.future.done():
            self._agent.stop()


class _SearchThreads:
    """A thread pool with the set of searches that run in it."""

    def __init__(self, threads: int, name: str) -> None:
        self.size = threads
        self.running: set[RunningSearch[Any]] = set()
        self._pool = ThreadPoolExecutor(threads, name, initializer=partial(lower_thread_priority, _NICENESS))

    def start(self, agent: Agent, search: Callable[[], T], on_end: Callable[[], None]) -> RunningSearch[T]:
        running = RunningSearch(agent, search, self._pool)
        self.running.add(running)

        def end(done: "asyncio.Future[T]") -> None:
            self.running.discard(running)
            if not done.cancelled():
                done.exception()  # marks it as retrieved: after a cancelled request nothing else awaits the future
            on_end()

        running.future.add_done_callback(end)
        return running

    async def close(self) -> None:
        while self.running:
            for running in list(self.running):
                running.stop()
            await asyncio.wait({running.future for running in self.running}, timeout=0.1)
        self._pool.shutdown(wait=False, cancel_futures=True)


class _MoveRequest:
    """A move that waits for a thread, or the search for it."""

    def __init__(
        self,
        owner: Owner,
        agent: Agent,
        board: Board,
        deadline: float,
        simulations: int | None,
        full_time_s: float | None,
    ) -> None:
        self.owner = owner
        self.agent = agent
        self.board = board.copy()
        self.deadline = deadline
        self.simulations = simulations
        self.full_time_s = full_time_s
        self.started: asyncio.Future[RunningSearch[AgentMove]] = asyncio.get_running_loop().create_future()


class MovePool:
    """Thread pool for opponents' moves, which clients and their connections share equally.

    When more moves wait than threads exist, each search gets a shorter time so that all meet their deadlines. A client
    that uses more threads than another one, whose move waits, has one of its searches stopped.
    """

    def __init__(self, threads: int) -> None:
        self._threads = _SearchThreads(threads, "move")
        self._waiting: FairQueue[_MoveRequest] = FairQueue()
        self._can_preempt: dict[RunningSearch[AgentMove], Owner] = {}
        # Searches that nobody can stop early must leave threads for all others.
        self._max_fixed = max(1, threads // 2)
        self._fixed = 0

    async def play(
        self,
        agent: Agent,
        board: Board,
        move_time_s: float,
        simulations: int | None = None,
        *,
        can_shorten: bool = True,
        owner: Owner = NO_OWNER,
    ) -> AgentMove:
        """Run `agent.play` in a thread; the move is due `move_time_s` from now. Cancelling stops the search.

        Args:
            agent: plays the move; no other call of it may be running.
            board: position to play at; it is copied.
            move_time_s: time per move in seconds, which includes waiting for a thread.
            simulations: maximum number of simulations.
            can_shorten: whether the search may get less than `move_time_s` when other moves wait. If not, its time
                begins when it gets a thread, and no other move preempts it. At most half of the threads run such
                searches.
            owner: connection that requested the move.
        """
        loop = asyncio.get_running_loop()
        request = _MoveRequest(
            owner, agent, board, loop.time() + move_time_s, simulations, None if can_shorten else move_time_s
        )
        self._waiting.push(request)
        self._start_waiting()
        if not request.started.done():
            self._preempt_larger_share(request)
        preemption = loop.call_at(request.deadline - _PREEMPT_S, self._preempt_longest, request)
        running: RunningSearch[AgentMove] | None = None
        try:
            running = await request.started
            return await asyncio.shield(running.future)
        except asyncio.CancelledError:
            request.started.cancel()
            self._waiting.remove(request)
            if running is None and request.started.done() and not request.started.cancelled():
                running = request.started.result()
            if running is not None:
                running.stop()
            raise
        finally:
            preemption.cancel()

    async def close(self) -> None:
        """Stop all searches."""
        for request in self._waiting:
            request.started.cancel()
        self._waiting.clear()
        await self._threads.close()

    def _start_waiting(self) -> None:
        while len(self._threads.running) < self._threads.size:
            request = self._waiting.pop(self._can_start)
            if request is None:
                return
            request.started.set_result(self._start(request))

    def _can_start(self, request: _MoveRequest) -> bool:
        return not request.started.done() and (request.full_time_s is None or self._fixed < self._max_fixed)

    def _start(self, request: _MoveRequest) -> RunningSearch[AgentMove]:
        owner, seconds = request.owner, request.full_time_s
        if seconds is None:
            left_s = request.deadline - asyncio.get_running_loop().time()
            rounds = 1 + self._waiting.count_competing(owner) / self._threads.size
            seconds = max(_MIN_SEARCH_S, left_s / rounds)
        else:
            self._fixed += 1
        self._waiting.begin(owner)

        def end() -> None:
            if request.full_time_s is not None:
                self._fixed -= 1
                self._waiting.end(owner)
            elif self._can_preempt.pop(running, None) is not None:
                self._waiting.end(owner)
            self._start_waiting()

        search = partial(request.agent.play, request.board, Limit(seconds, request.simulations))
        running = self._threads.start(request.agent, search, end)
        if request.full_time_s is None:
            self._can_preempt[running] = owner
        return running

    def _preempt_larger_share(self, request: _MoveRequest) -> None:
        """Stop a search of a client, or of a connection of the same client, that has more than its share."""
        found = self._find_preemptable()
        if found is not None and self._waiting.has_larger_share(found[1], request.owner):
            self._preempt(*found)

    def _preempt_longest(self, request: _MoveRequest) -> None:
        """Stop a search so that `request` can start before its deadline."""
        found = self._find_preemptable()
        if not request.started.done() and found is not None:
            self._preempt(*found)

    def _preempt(self, running: RunningSearch[AgentMove], owner: Owner) -> None:
        del self._can_preempt[running]
        self._waiting.end(owner)
        running.stop()

    def _find_preemptable(self) -> tuple[RunningSearch[AgentMove], Owner] | None:
        """Return the longest-running search of the client and the connection with the most threads."""
        return max(
            self._can_preempt.items(),
            key=lambda found: (*self._waiting.count_running(found[1]), found[0].seconds),
            default=None,
        )


class AnalysisPool:
    """Thread pool for analyses and reviews, which wait in a TurnQueue for a free thread."""

    def __init__(self, threads: int) -> None:
        self._threads = _SearchThreads(threads, "analysis")
        self._snapshot_threads = ThreadPoolExecutor(threads, "snapshot")

    def start(
        self, agent: EngineAgent, board: Board, limit: Limit, on_end: Callable[[], None], *, every_column: bool = True
    ) -> RunningSearch[Analysis]:
        """Start a search in a free thread; the event loop calls `on_end` when the thread is free again.

        With `every_column` the search is an analysis with a score for every column, otherwise for the best move only.
        """
        agent.clear_stop()
        search = agent.analyse if every_column else agent.search
        return self._threads.start(agent, partial(search, board.copy(), limit), on_end)

    def start_task(self, agent: EngineAgent, task: Callable[[], T], on_end: Callable[[], None]) -> RunningSearch[T]:
        """Start a function that may search with `agent` in a free thread; `on_end` as in `start`."""
        agent.clear_stop()
        return self._threads.start(agent, task, on_end)

    async def take_snapshot(self, agent: EngineAgent) -> Analysis | None:
        """Return the present result of a search; in a thread, because a busy search takes a moment to answer."""
        return await asyncio.get_running_loop().run_in_executor(self._snapshot_threads, agent.snapshot)

    async def close(self) -> None:
        """Stop all searches."""
        await self._threads.close()
        self._snapshot_threads.shutdown(wait=False, cancel_futures=True)
