"""Owns the tests of the threads in which engines think."""

import asyncio
import threading
import time

import pytest

from fourfall import Board, Engine
from fourfall.web.searches import Analyses, EngineThought, Moves


class Pause:
    """A thought that takes all the time it is given, unless it is stopped."""

    def __init__(self, deaf_s: float = 0.0) -> None:
        self._stopped = threading.Event()
        self._deaf_until = time.monotonic() + deaf_s

    def think(self, seconds: float) -> float:
        """Wait."""
        self._stopped.wait(seconds)
        return seconds

    def stop(self) -> None:
        """Stop waiting, if it is not too early."""
        if time.monotonic() >= self._deaf_until:
            self._stopped.set()


def test_many_moves_share_the_time() -> None:
    """Thirty moves of 0.5 s each on two threads are all answered in about 0.5 s; alone a move has all its time."""

    async def run() -> tuple[list[float], float]:
        moves = Moves(2)
        began = time.monotonic()

        async def timed() -> float:
            await moves.think(Pause(), 0.5)
            return time.monotonic() - began

        took = await asyncio.gather(*(timed() for _ in range(30)))
        alone = await moves.think(Pause(), 0.1)
        await moves.close()
        return list(took), alone

    took, alone = asyncio.run(run())
    assert max(took) < 0.5 + 0.5
    assert alone == pytest.approx(0.1, abs=0.02)


def test_a_short_move_is_not_held_up_by_long_ones() -> None:
    """Where every thread thinks for long, the longest thought is ended so that a short one is in time."""

    async def run() -> tuple[float, int]:
        moves = Moves(2)
        long = [asyncio.create_task(moves.think(Pause(), 30)) for _ in range(2)]
        await asyncio.sleep(0.05)
        began = time.monotonic()
        await moves.think(Pause(), 0.3)
        took = time.monotonic() - began
        answered = sum(task.done() for task in long)
        await moves.close()
        return took, answered

    took, answered = asyncio.run(run())
    assert took < 0.3 + 0.3
    assert answered == 1


def test_a_stop_that_comes_too_early_comes_again() -> None:
    """A search that cannot hear yet is stopped a moment later."""

    async def run() -> float:
        analyses, ended = Analyses(1), asyncio.Event()
        began = time.monotonic()
        running = analyses.begin(Pause(deaf_s=0.1), 30, ended.set)
        running.stop()
        await ended.wait()
        await analyses.close()
        return time.monotonic() - began

    assert 0.09 < asyncio.run(run()) < 5


def test_a_cancelled_move_gives_its_thread_back() -> None:
    """Nobody waits for a thought that nobody wants."""

    async def run() -> float:
        moves = Moves(1)
        unwanted = asyncio.create_task(moves.think(Pause(), 30))
        await asyncio.sleep(0.02)
        unwanted.cancel()
        began = time.monotonic()
        await moves.think(Pause(), 0.05)
        await moves.close()
        return time.monotonic() - began

    assert asyncio.run(run()) < 5


def test_closing_stops_real_engines_at_once() -> None:
    """Engines that would think for a minute end within a second, and nothing is left running."""

    async def run() -> float:
        moves, analyses = Moves(2), Analyses(1)
        board = Board.parse("9x9@4,4")
        thoughts = [EngineThought(Engine("fourfall", memory_mb=32, threads=1), board) for _ in range(3)]
        tasks = [asyncio.create_task(moves.think(thought, 60)) for thought in thoughts]
        analyses.begin(EngineThought(Engine("seed-002"), board), 60, lambda: None)
        await asyncio.sleep(0.1)
        began = time.monotonic()
        await asyncio.gather(moves.close(), analyses.close())
        await asyncio.gather(*tasks, return_exceptions=True)
        return time.monotonic() - began

    assert asyncio.run(run()) < 1
