"""Owns the tests of the programs that are written in C++."""
