"""Tests of the searches and of the solver."""
