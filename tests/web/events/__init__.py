"""Tests of watching events and starting matches."""
