"""Tests of data sets."""
