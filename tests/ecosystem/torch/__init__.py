"""Tests with PyTorch, JAX and Stable-Baselines3."""
