"""Tests of drawing in notebooks."""
