"""Tests of games between a person and an engine."""
