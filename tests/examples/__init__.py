"""Tests that run the examples as a user would, at toy size."""
