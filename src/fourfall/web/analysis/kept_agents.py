"""Keeps the agents that were used last, so that they can continue their searches."""

from collections import OrderedDict

from fourfall.agents.native import EngineAgent


class KeptAgents:
    """Agents that were used last, with their search trees: opponents between two moves, analyses that may continue.

    An agent is removed while it searches, so no other search uses it at the same time.
    """

    def __init__(self, max_agents: int) -> None:
        self._max_agents = max_agents
        self._agents: OrderedDict[str, EngineAgent] = OrderedDict()

    def take(self, key: str) -> EngineAgent | None:
        """Remove and return an agent, if it was kept."""
        agent = self._agents.pop(key, None)
        if agent is not None:
            agent.clear_stop()
        return agent

    def keep(self, key: str, agent: EngineAgent) -> None:
        """Keep an agent; drop the one that was not used for the longest time if there are too many."""
        self._agents[key] = agent
        while len(self._agents) > self._max_agents:
            self._agents.popitem(last=False)

    def drop(self, key: str) -> None:
        """Drop an agent."""
        self._agents.pop(key, None)
