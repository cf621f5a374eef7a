"""Tests of the engine with the Universal Game Interface."""
