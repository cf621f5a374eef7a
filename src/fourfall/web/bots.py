"""Owns the moves of bots with foreign code: each asked in a jail of its own, begun and ended with the question."""

from fourfall import Board
from fourfall.agents.base import Agent, AgentMove, Conditions
from fourfall.agents.registry import open_agent

_MEMORY_MB = 512


class BotThought:
    """A bot's move; its time is what it was promised, however busy the server is."""

    def __init__(self, address: str, board: Board, limit_s: float) -> None:
        self._address = address
        self._board = board.copy()
        self._terms = Conditions(move_time_s=limit_s, memory_mb=_MEMORY_MB)
        self._agent: Agent | None = None
        self._is_stopped = False

    def think(self, seconds: float) -> AgentMove:
        """Start the bot, ask it, end it; AgentError says how it failed."""
        agent = self._agent = open_agent(self._address, self._terms)
        try:
            if not self._is_stopped:
                agent.start(self._board)
            return agent.play(self._board)
        finally:
            agent.close()

    def stop(self) -> None:
        """End the bot; nobody wants its answer any more."""
        self._is_stopped = True
        if self._agent is not None:
            self._agent.close()
