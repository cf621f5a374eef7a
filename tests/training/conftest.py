"""Settings and fixtures of the training tests."""

import os

import pytest

# Compilation takes most of the time of these tests: lower optimization halves it and hardly slows down toy sizes.
os.environ["XLA_FLAGS"] = "--xla_backend_optimization_level=1 " + os.environ.get("XLA_FLAGS", "")

pytest.importorskip("jax", reason="needs JAX: pip install '.[train]'")

import jax

from training import network


@pytest.fixture(scope="session")
def size() -> network.Size:
    """Return a small network size with a pooling block."""
    return network.Size(8, 2)


@pytest.fixture(scope="session")
def weights(size: network.Size) -> network.Weights:
    """Return an untrained network."""
    untrained: network.Weights = jax.jit(network.initialize_weights, static_argnums=1)(jax.random.key(3), size)
    return untrained
