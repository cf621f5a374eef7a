"""Owns the built-in engines as agents: they think in this process, and never longer than the judge allows."""

import math
import time

from fourfall._core import Board, Limit
from fourfall.agents.base import AgentMove, Conditions
from fourfall.engine import Engine
from fourfall.presets import Preset


def thinking_s(limit_s: float) -> float:
    """Return how long to think so that the answer is not late: the limit less 50 ms and 2 %, or less 20 %.

    >>> thinking_s(3.0), thinking_s(0.1)
    (2.89, 0.08)
    """
    return limit_s - min(0.05 + 0.02 * limit_s, 0.2 * limit_s)


class EngineAgent:
    """A built-in engine that plays a game.

    `seconds` and `simulations`, where one is given, take the place of the preset's own limits. The judge's limit less a
    margin holds in any case, and alone where neither says anything.
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
        if seconds is None and simulations is None:
            seconds, simulations = preset.config.move_time_s, preset.config.simulations
        most_s = thinking_s(conditions.move_time_s)
        self._limit = Limit(min(most_s, math.inf if seconds is None else seconds), simulations)
        self._engine: Engine | None = Engine(preset, seed=conditions.seed, memory_mb=memory_mb, threads=threads)

    def start(self, board: Board) -> float:
        """Have nothing to do: the engine was made with the agent and takes its memory as it needs it."""
        return 0.0

    def play(self, board: Board) -> AgentMove:
        """Think about the move and say what it is worth."""
        if self._engine is None:
            raise RuntimeError("this agent is closed")
        asked = time.perf_counter()
        analysis = self._engine.analyse(board, self._limit)
        return AgentMove(analysis.move, time.perf_counter() - asked, score=analysis.score)

    def close(self) -> None:
        """Give the engine's memory back."""
        self._engine = None
