"""Owns the tests of the searches."""
