"""Owns the tests of the arena."""
