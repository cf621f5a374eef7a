"""Owns the agents: anything that plays, named by a short address."""

from fourfall.agents.base import Agent, AgentError, AgentMove, Conditions, Fault

__all__ = ["Agent", "AgentError", "AgentMove", "Conditions", "Fault"]
