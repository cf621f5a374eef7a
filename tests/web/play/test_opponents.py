"""Tests the agents of opponents: kept between moves, and third-party agents that live for one move."""

import asyncio

import pytest

from fourfall import Board, Limit
from fourfall.agents.base import AgentError, AgentMove, Fault
from fourfall.web.analysis.kept_agents import KeptAgents
from fourfall.web.analysis.thread_pool import MovePool
from fourfall.web.engine_catalogue import EngineCatalogue
from fourfall.web.limits import Limits
from fourfall.web.play.game import Game, create_id
from fourfall.web.play.opponents import Opponents, SingleMoveAgent


class RecordingAgent:
    """Agent that records its calls."""

    stderr = "text of the agent"

    def __init__(self, *, fails: bool = False) -> None:
        self.calls: list[str] = []
        self._fails = fails

    def start(self, board: Board) -> float:
        """Record the call."""
        self.calls.append("start")
        return 0.5

    def play(self, board: Board, limit: Limit | None = None) -> AgentMove:
        """Record the call and play column 2, or fail."""
        self.calls.append("play")
        if self._fails:
            raise AgentError(Fault.CRASH, "failed")
        return AgentMove(2, 0.1)

    def stop(self) -> None:
        """Record the call."""
        self.calls.append("stop")

    def close(self) -> None:
        """Record the call."""
        self.calls.append("close")


def test_single_move_agent_starts_and_closes_the_agent() -> None:
    """One move starts the other agent, plays and closes it, also if it fails."""
    agent = RecordingAgent()
    assert SingleMoveAgent(agent).play(Board(6, 7)).column == 2
    assert agent.calls == ["start", "play", "close"]
    failing = RecordingAgent(fails=True)
    with pytest.raises(AgentError):
        SingleMoveAgent(failing).play(Board(6, 7))
    assert failing.calls == ["start", "play", "close"]


def test_kept_agents_are_limited_and_removed_while_in_use() -> None:
    """The agent that was kept first is dropped when there are too many; `take` removes an agent."""
    engine = EngineCatalogue().find_engine("level-2")
    agents = {name: engine.create_agent(memory_mb=1) for name in "abc"}
    kept = KeptAgents(2)
    for name, agent in agents.items():
        kept.keep(name, agent)
    assert kept.take("a") is None
    assert kept.take("b") is agents["b"]
    assert kept.take("b") is None
    kept.drop("c")
    assert kept.take("c") is None


@pytest.mark.parametrize(
    ("opponent", "move_time_s", "simulations", "max_s"),
    [
        ("level-40", None, None, 5.0),
        ("seed-002", None, 50, 30.0),
        ("seed-002", 0.1, None, 0.5),
        ("fourfall", 0.1, 5, 0.5),
    ],
)
def test_limits_of_an_opponents_move(
    opponent: str, move_time_s: float | None, simulations: int | None, max_s: float
) -> None:
    """Levels and a number of simulations end a search early; otherwise the time per move ends it."""

    async def run() -> AgentMove:
        pool = MovePool(1)
        opponents = Opponents(pool, EngineCatalogue(), Limits())
        game = Game(create_id(), "6x7", 1, opponent, move_time_s, simulations)
        move = await opponents.choose_move(game)
        await pool.close()
        return move

    move = asyncio.run(run())
    assert Board(6, 7).is_legal(move.column)
    assert move.score is not None
    assert move.seconds < max_s
