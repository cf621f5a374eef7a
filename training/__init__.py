"""Trains the evaluation network by self-play on one accelerator and exports its weights."""
