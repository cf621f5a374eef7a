"""Tests of clusters: scheduler and workers are processes of their own on loopback."""
