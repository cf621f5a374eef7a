"""Agents: everything that plays the game, named by short addresses."""

from fourfall.agents.base import Agent, AgentError, AgentMove, Conditions, Fault

__all__ = ["Agent", "AgentError", "AgentMove", "Conditions", "Fault"]
