"""The tests of the game core."""
