"""Owns the agents: anything that plays, named by a short address."""

from fourfall.agents.base import Agent, AgentError, Answer, Fault, Terms

__all__ = ["Agent", "AgentError", "Answer", "Fault", "Terms"]
