"""Analyses and reviews, and the thread pools in which all searches run."""
