"""Tests of the rules, the board and the position notation."""
