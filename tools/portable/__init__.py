"""Checks that the C++ core compiles for other systems."""
