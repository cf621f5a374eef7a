"""Tests the thread pools: deadlines, preemption, cancelling and closing."""

import asyncio
import threading
import time

import pytest

from fourfall import Board, Limit, presets
from fourfall.agents.base import AgentMove, Conditions
from fourfall.agents.native import EngineAgent
from fourfall.web.access.clients import Owner
from fourfall.web.analysis.thread_pool import AnalysisPool, MovePool

BOARD = Board.parse("9x9@4,4")


class WaitingAgent:
    """Agent that uses all its time unless it is stopped; the seconds of its move are the time that it was given."""

    stderr = ""

    def __init__(self) -> None:
        self._stopped = threading.Event()

    def start(self, board: Board) -> float:
        """Do nothing."""
        return 0.0

    def play(self, board: Board, limit: Limit | None = None) -> AgentMove:
        """Wait."""
        assert limit is not None
        assert limit.time is not None
        self._stopped.wait(limit.time)
        return AgentMove(0, limit.time)

    def stop(self) -> None:
        """End the wait; an agent that is stopped before its move does not wait."""
        self._stopped.set()

    def close(self) -> None:
        """Do nothing."""


def create_quick_agent() -> WaitingAgent:
    """Create an agent that moves at once, so that a test can give it much time without waiting."""
    agent = WaitingAgent()
    agent.stop()
    return agent


def create_engine(preset: str) -> EngineAgent:
    """Create an agent that searches in one thread."""
    return EngineAgent(presets.load(preset), Conditions(), threads=1, memory_mb=32)


def test_many_moves_share_the_time() -> None:
    """Thirty moves of 0.5 s on two threads take little more than 0.5 s, not 7.5 s; a single one is not shortened.

    The limit is half of the time that they would take one after the other, because the machine may be busy.
    """

    async def run() -> tuple[float, float]:
        pool = MovePool(2)
        start = time.monotonic()
        await asyncio.gather(*(pool.play(WaitingAgent(), BOARD, 0.5) for _ in range(30)))
        seconds = time.monotonic() - start
        single = await pool.play(create_quick_agent(), BOARD, 60)
        await pool.close()
        return seconds, single.seconds

    seconds, single_s = asyncio.run(run())
    assert seconds < 30 / 2 * 0.5 / 2
    assert 30 < single_s <= 60


def test_short_move_preempts_the_longest_search() -> None:
    """If long searches occupy all threads, one of them is stopped so that a short move meets its deadline."""

    async def run() -> tuple[float, int]:
        pool = MovePool(2)
        searches = [asyncio.create_task(pool.play(WaitingAgent(), BOARD, 30)) for _ in range(2)]
        await asyncio.sleep(0.05)
        start = time.monotonic()
        await pool.play(WaitingAgent(), BOARD, 0.3)
        seconds = time.monotonic() - start
        stopped = sum(task.done() for task in searches)
        await pool.close()
        return seconds, stopped

    seconds, stopped = asyncio.run(run())
    assert seconds < 30 / 2
    assert stopped == 1


def test_search_with_a_fixed_time_is_neither_shortened_nor_preempted() -> None:
    """A third-party agent gets its whole time, although other moves wait; an engine is preempted instead."""

    async def run() -> tuple[float, bool]:
        pool = MovePool(2)
        fixed = asyncio.create_task(pool.play(WaitingAgent(), BOARD, 0.6, can_shorten=False))
        await asyncio.sleep(0.02)
        engine = asyncio.create_task(pool.play(WaitingAgent(), BOARD, 30))
        await asyncio.sleep(0.02)
        await pool.play(WaitingAgent(), BOARD, 0.2)
        is_engine_stopped = engine.done()
        move = await fixed
        await pool.close()
        return move.seconds, is_engine_stopped

    seconds, is_engine_stopped = asyncio.run(run())
    assert seconds == 0.6
    assert is_engine_stopped


async def start_greedy_searches(pool: MovePool, owners: list[Owner]) -> list[asyncio.Task[AgentMove]]:
    """Start long searches that occupy all threads of a pool and its queue."""
    tasks = [asyncio.create_task(pool.play(WaitingAgent(), BOARD, 30, owner=owner)) for owner in owners]
    await asyncio.sleep(0.05)
    return tasks


@pytest.mark.parametrize(
    "greedy",
    [
        [Owner("127.0.0.1", 1)] * 8,
        [Owner("192.0.2.7", number) for number in range(2, 40)],
        [Owner("192.0.2.7", number % 9) for number in range(64)],
    ],
    ids=["one connection", "one client", "one client with many connections"],
)
def test_searches_of_others_get_nearly_their_whole_time(greedy: list[Owner]) -> None:
    """Many long searches of one connection or client do not shorten a move of another one to a minimum."""

    async def run() -> tuple[float, float]:
        pool = MovePool(4)
        tasks = await start_greedy_searches(pool, greedy)
        start = time.monotonic()
        move = await pool.play(create_quick_agent(), BOARD, 8, owner=Owner("127.0.0.1", 99))
        seconds = time.monotonic() - start
        await pool.close()
        await asyncio.gather(*tasks, return_exceptions=True)
        return move.seconds, seconds

    given_s, seconds = asyncio.run(run())
    assert given_s > 8 / 2
    assert seconds < 30 / 2


def test_two_greedy_clients_share_the_threads() -> None:
    """The second of two clients with many searches gets half of the threads, not more and not less."""

    async def run() -> list[int]:
        pool = MovePool(4)
        running: list[int] = []

        class CountingAgent(WaitingAgent):
            def __init__(self, client: int) -> None:
                super().__init__()
                self.client = client

            def play(self, board: Board, limit: Limit | None = None) -> AgentMove:
                running.append(self.client)
                move = super().play(board, limit)
                running.remove(self.client)
                return move

        tasks = [
            asyncio.create_task(
                pool.play(CountingAgent(client), BOARD, 30, owner=Owner(f"192.0.2.{client}", number % 2))
            )
            for client in (1, 2)
            for number in range(8)
        ]
        deadline = time.monotonic() + 30
        while sorted(running) != [1, 1, 2, 2] and time.monotonic() < deadline:
            await asyncio.sleep(0.02)
        found = sorted(running)
        await pool.close()
        await asyncio.gather(*tasks, return_exceptions=True)
        return found

    assert asyncio.run(run()) == [1, 1, 2, 2]


def test_searches_with_a_fixed_time_leave_threads_for_others() -> None:
    """Third-party agents, which nobody can stop early, occupy at most half of the threads."""

    async def run() -> float:
        pool = MovePool(4)
        fixed = [
            asyncio.create_task(pool.play(WaitingAgent(), BOARD, 30, can_shorten=False, owner=Owner("192.0.2.7", each)))
            for each in range(4)
        ]
        await asyncio.sleep(0.05)
        move = await pool.play(create_quick_agent(), BOARD, 8)
        is_fixed_running = not any(task.done() for task in fixed)
        await pool.close()
        await asyncio.gather(*fixed, return_exceptions=True)
        assert is_fixed_running
        return move.seconds

    assert asyncio.run(run()) > 8 / 3


def test_stop_before_the_search_begins_is_effective() -> None:
    """A search that is stopped right after its start, before its thread runs, ends at once."""

    async def run() -> float:
        pool, ended = AnalysisPool(1), asyncio.Event()
        start = time.monotonic()
        running = pool.start(create_engine("fourfall"), BOARD, Limit(30), ended.set)
        running.stop()
        await ended.wait()
        await pool.close()
        return time.monotonic() - start

    assert asyncio.run(run()) < 30 / 2


def test_late_stop_does_not_end_the_next_search() -> None:
    """A stop that arrives after the end of a search has no effect on the next search of the same agent."""

    async def run() -> str:
        pool, agent = AnalysisPool(1), create_engine("seed-002")
        await pool.start(agent, BOARD, Limit(30, 10), lambda: None).future
        agent.stop()
        analysis = await pool.start(agent, BOARD, Limit(30, 50), lambda: None).future
        await pool.close()
        return analysis.stopped_by

    assert asyncio.run(run()) == "simulations"


def test_cancelled_move_frees_its_thread() -> None:
    """After cancelling a search of 30 s, the next move starts at once."""

    async def run() -> float:
        pool = MovePool(1)
        cancelled = asyncio.create_task(pool.play(WaitingAgent(), BOARD, 30))
        await asyncio.sleep(0.02)
        cancelled.cancel()
        start = time.monotonic()
        await pool.play(WaitingAgent(), BOARD, 0.05)
        await pool.close()
        return time.monotonic() - start

    assert asyncio.run(run()) < 30 / 2


def test_close_stops_engines() -> None:
    """Searches of 60 s end at once, and none is left running."""

    async def run() -> float:
        moves, analyses = MovePool(2), AnalysisPool(1)
        tasks = [asyncio.create_task(moves.play(create_engine("fourfall"), BOARD, 60)) for _ in range(3)]
        analyses.start(create_engine("seed-002"), BOARD, Limit(60), lambda: None)
        await asyncio.sleep(0.1)
        start = time.monotonic()
        await asyncio.gather(moves.close(), analyses.close())
        await asyncio.gather(*tasks, return_exceptions=True)
        return time.monotonic() - start

    assert asyncio.run(run()) < 60 / 4
