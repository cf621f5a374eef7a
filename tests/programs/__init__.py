"""Tests of the exported engines and of the export commands."""
