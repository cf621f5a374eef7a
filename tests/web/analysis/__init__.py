"""Tests of analyses, reviews and their thread pools."""
