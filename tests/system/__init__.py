"""Tests of the package `fourfall.system`, and of commands on simulated other systems."""
