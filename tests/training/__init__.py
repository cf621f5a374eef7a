"""Tests of the training code; they need JAX, which runs on the processor here."""
