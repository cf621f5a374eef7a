"""Settings and fixtures of the training tests."""

import os
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:  # the tests are skipped where JAX is not installed
    from training.network import Size, Weights

# Compilation takes most of the time of these tests: lower optimization shortens it and hardly slows down toy sizes.
os.environ["XLA_FLAGS"] = "--xla_backend_optimization_level=1 " + os.environ.get("XLA_FLAGS", "")


@pytest.fixture(scope="session")
def size() -> "Size":
    """Return a small network size with a pooling block."""
    from training.network import Size

    return Size(8, 2)


@pytest.fixture(scope="session")
def weights(size: "Size") -> "Weights":
    """Return an untrained network."""
    import jax

    from training.network import initialize_weights

    untrained: Weights = jax.jit(initialize_weights, static_argnums=1)(jax.random.key(3), size)
    return untrained
