"""Tests of games and their reviews."""
