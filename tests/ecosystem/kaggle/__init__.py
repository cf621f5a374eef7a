"""Tests with kaggle-environments."""
