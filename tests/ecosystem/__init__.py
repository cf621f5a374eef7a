"""Tests with heavy frameworks, run by make test-ecosystem in environments of their own."""
