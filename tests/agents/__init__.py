"""Tests of the package fourfall.agents."""
