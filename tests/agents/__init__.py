"""Owns the tests of the agents."""
