"""Chooses the moves of opponents: built-in engines and third-party agents, in the thread pool for moves."""

import zlib
from dataclasses import replace

from fourfall import Board, Limit
from fourfall.agents.base import Agent, AgentMove, Conditions
from fourfall.agents.registry import open_agent
from fourfall.web import limits
from fourfall.web.access.clients import NO_OWNER, Owner
from fourfall.web.analysis.kept_agents import KeptAgents
from fourfall.web.analysis.thread_pool import MovePool
from fourfall.web.engine_catalogue import EngineCatalogue
from fourfall.web.messages.schemas import Defaults
from fourfall.web.play.game import Game


class SingleMoveAgent:
    """Plays one move with another agent, which is started before the move and closed after it."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    @property
    def stderr(self) -> str:
        """Standard error of the other agent."""
        return self._agent.stderr

    def start(self, board: Board) -> float:
        """Do nothing: `play` starts the other agent."""
        return 0.0

    def play(self, board: Board, limit: Limit | None = None) -> AgentMove:
        """Start the other agent, play the move and close it. Raises AgentError if it fails."""
        try:
            self._agent.start(board)
            return self._agent.play(board, limit)
        finally:
            self._agent.close()

    def stop(self) -> None:
        """Stop the other agent."""
        self._agent.stop()

    def close(self) -> None:
        """Close the other agent."""
        self._agent.close()


class Opponents:
    """Chooses the moves of opponents, and hints."""

    def __init__(self, pool: MovePool, catalogue: EngineCatalogue, server_limits: limits.Limits) -> None:
        self._pool = pool
        self._catalogue = catalogue
        self._limits = server_limits
        self._kept = KeptAgents(server_limits.kept_agents)

    async def choose_move(self, game: Game, clock_time_s: float | None = None, owner: Owner = NO_OWNER) -> AgentMove:
        """Return the opponent's move, which may be illegal. Raises AgentError if a third-party agent fails.

        `clock_time_s` is the time that the game's clock allows for this move, if the game has one. It replaces the
        default time per move and shortens a chosen one. `owner` is the connection that requested the move.
        """
        if self._catalogue.is_third_party(game.opponent):
            return await self._ask_third_party(game, clock_time_s, owner)
        engine = self._catalogue.find_engine(game.opponent)
        agent = self._kept.take(game.id)
        if agent is None:
            agent = engine.create_agent(self._limits.move_memory_mb, seed=zlib.crc32(game.id.encode()))
        simulations = engine.simulations or game.simulations
        if game.move_time_s is not None:
            move_time_s = game.move_time_s
        elif engine.simulations is not None:
            move_time_s = limits.MAX_LEVEL_TIME_S
        elif clock_time_s is not None:
            move_time_s = limits.MAX_MOVE_TIME_S
        else:
            move_time_s = Defaults().move_time_s if simulations is None else limits.MAX_MOVE_TIME_S
        move_time_s = _shorten(move_time_s, clock_time_s)
        move = await self._pool.play(agent, game.board, move_time_s, simulations, owner=owner)
        self._kept.keep(game.id, agent)
        return move

    async def find_hint(self, board: Board, owner: Owner = NO_OWNER) -> AgentMove:
        """Return the move that the strongest engine would play."""
        agent = self._catalogue.find_engine("fourfall").create_agent(self._limits.move_memory_mb)
        return await self._pool.play(agent, board, self._limits.hint_s, owner=owner)

    def drop(self, game: str) -> None:
        """Release the memory of a game's opponent."""
        self._kept.drop(game)

    async def _ask_third_party(self, game: Game, clock_time_s: float | None, owner: Owner) -> AgentMove:
        move_time_s = _shorten(game.move_time_s or Defaults().move_time_s, clock_time_s)
        sandbox = self._catalogue.sandbox
        conditions = Conditions(move_time_s=move_time_s, memory_mb=limits.THIRD_PARTY_MEMORY_MB, sandbox=sandbox)
        game.sandboxed = game.sandboxed and sandbox
        agent = SingleMoveAgent(open_agent(game.opponent, conditions))
        move = await self._pool.play(agent, game.board, move_time_s, can_shorten=False, owner=owner)
        return replace(move, score=None)  # scores of other programs are on other scales


def _shorten(move_time_s: float, clock_time_s: float | None) -> float:
    return move_time_s if clock_time_s is None else min(move_time_s, clock_time_s)
