"""Tests of puzzles: text format, proofs, the shipped set, ratings and progress."""
