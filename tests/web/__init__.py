"""Owns the tests of the page."""
