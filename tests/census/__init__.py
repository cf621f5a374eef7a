"""Tests of the census of solved boards."""
