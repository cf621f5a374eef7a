"""Built-in engines as agents: they search in this process and keep to the time per move."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from fourfall._core import Analysis, Board, Limit, StopToken
from fourfall.agents.base import AgentMove, Conditions
from fourfall.engine import Engine
from fourfall.presets import Preset
from fourfall.system.load import read_thread_delay_s


def compute_search_time_s(move_time_s: float) -> float:
    """Return the search time that keeps a margin: the time per move less 50 ms and 2 %, but at most 20 % less.

    >>> compute_search_time_s(3.0), compute_search_time_s(0.1)
    (2.89, 0.08)
    """
    return move_time_s - min(0.05 + 0.02 * move_time_s, 0.2 * move_time_s)


class EngineAgent:
    """A built-in engine that plays one game. It keeps its engine, and so its search tree, between the moves.

    Several limits may apply to a move; the first one reached ends the search:

    - the time per move of `play`'s limit or of the conditions, less a margin (`compute_search_time_s`), always;
    - `seconds` and `simulations` of this agent (from an address or a level), where given;
    - the simulations of `play`'s limit, where given;
    - the limits of the preset, only if neither this agent nor `play` was given a limit.
    """

    stderr = ""

    def __init__(
        self,
        preset: Preset,
        conditions: Conditions,
        *,
        seconds: float | None = None,
        simulations: int | None = None,
        threads: int | None = None,
        memory_mb: int = 256,
    ) -> None:
        self.preset = preset
        self._conditions = conditions
        self._move_time_s = conditions.move_time_s
        self._seconds = seconds
        self._simulations = simulations
        self._threads = threads
        self._memory_mb = memory_mb
        # An agent with a fixed number of simulations, such as a level, judges by its own search.
        self._engine: Engine | None = Engine(
            preset, seed=conditions.seed, memory_mb=memory_mb, threads=threads, use_census=simulations is None
        )
        self._stop_token = StopToken()  # of the running search, or of the next one

    def with_seed(self, seed: int) -> "EngineAgent":
        """Return a new agent with the same preset and limits and another seed, for another game.

        This is faster than `open_agent`, which reads the preset again.
        """
        return EngineAgent(
            self.preset,
            replace(self._conditions, seed=seed),
            seconds=self._seconds,
            simulations=self._simulations,
            threads=self._threads,
            memory_mb=self._memory_mb,
        )

    def start(self, board: Board) -> float:
        """Do nothing: the constructor has created the engine, which allocates its memory when it searches."""
        return 0.0

    def play(self, board: Board, limit: Limit | None = None) -> AgentMove:
        """Search the position; the move comes with its score."""
        begin = time.perf_counter()
        delay_s = read_thread_delay_s()
        analysis = self.search_move(board, limit)
        seconds = time.perf_counter() - begin
        if seconds <= (self._move_time_s if limit is None or limit.time is None else limit.time):
            return AgentMove(analysis.move, seconds, score=analysis.score)
        delay_s = read_thread_delay_s() - delay_s
        return AgentMove(analysis.move, seconds - delay_s, score=analysis.score, delay_s=delay_s)

    def search_move(self, board: Board, limit: Limit | None = None) -> Analysis:
        """Search with the limits of `play`, without measuring the time, which is slow for short searches."""
        return self.search(board, self._combine_limits(limit))

    def search(self, board: Board, limit: Limit) -> Analysis:
        """Search for the best move with exactly this limit; `stop` ends it like `play`."""
        with self._use_engine() as (engine, stop_token):
            return engine.search(board, limit, stop_token=stop_token)

    def analyse(self, board: Board, limit: Limit) -> Analysis:
        """Analyse every column with exactly this limit; `stop` ends it like `play`."""
        with self._use_engine() as (engine, stop_token):
            return engine.analyse(board, limit, stop_token=stop_token)

    def snapshot(self) -> Analysis | None:
        """Return the current analysis of the running search, or the last one; None before the first."""
        return None if self._engine is None else self._engine.snapshot()

    def stop(self) -> None:
        """End the running search, or the next one if none is running; it returns its best move so far."""
        self._stop_token.stop()

    def clear_stop(self) -> None:
        """Discard a `stop` that came after the end of its search, so that it does not end the next one.

        Call it between two moves, when no search is running and `stop` may have been called too late.
        """
        self._stop_token = StopToken()

    def close(self) -> None:
        """Release the engine's memory."""
        self._engine = None

    @contextmanager
    def _use_engine(self) -> Iterator[tuple[Engine, StopToken]]:
        """Yield the engine with the stop token of one search; the next search gets a new token."""
        if self._engine is None:
            raise RuntimeError("this agent is closed")
        try:
            yield self._engine, self._stop_token
        finally:
            self._stop_token = StopToken()

    def _combine_limits(self, limit: Limit | None) -> Limit:
        limit = limit or Limit()
        seconds, simulations = self._seconds, self._simulations
        if seconds is None and simulations is None and limit.time is None and limit.simulations is None:
            seconds, simulations = self.preset.config.move_time_s, self.preset.config.simulations
        most_s = compute_search_time_s(self._move_time_s if limit.time is None else limit.time)
        return Limit(
            most_s if seconds is None else min(most_s, seconds),
            min((number for number in (simulations, limit.simulations) if number is not None), default=None),
            stop_early=limit.stop_early,
        )
