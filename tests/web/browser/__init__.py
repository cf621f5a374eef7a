"""Owns the tests of the page in a real browser."""
