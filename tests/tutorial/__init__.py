"""Tests of the tutorial."""
