"""Owns the making of the learned evaluation: self-play, learning, matches and export, all on one accelerator."""
