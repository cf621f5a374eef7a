"""Tests of the starter kits and of watch-bot."""
