"""Removes from the policy head what is the same number for every column: it has no effect on the policy, but it grows.

A hidden unit of the policy head that is positive everywhere is linear. What it takes from the pooled channels then adds
the same number to the logits of all columns. No gradient limits that number: after several runs the logits were about
2000, and their differences had lost digits.
"""

import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from training.check_file import compute_features_jit, input_planes_jit, sample_positions
from training.network import Weights, apply_policy_units

SAMPLES = 16
"""Sets of random positions in which the units are observed."""
MARGIN = 10.0
"""A unit counts as positive everywhere if its share of the pool is this many times its greatest share of the cell."""


def remove_policy_offset(weights: Weights) -> Weights:
    """Return weights with the same policy; units that are positive everywhere get a constant instead of the pool."""
    local, shared = _observe_units(weights)
    needed = MARGIN * np.abs(local).max((0, 1))
    is_linear = shared.min(0) > needed
    pool = np.where(is_linear, 0, np.asarray(weights["policy_pool"]))
    bias = np.where(is_linear, needed, np.asarray(weights["policy_1_bias"]))
    return weights | {"policy_pool": jnp.asarray(pool), "policy_1_bias": jnp.asarray(bias)}


def _observe_units(weights: Weights) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the parts of the units' inputs in random positions, [n, column, unit] and [n, unit]."""
    parts = []
    for seed in range(SAMPLES):
        position = sample_positions(seed)[1]
        planes = input_planes_jit(position, compute_features_jit(position), jnp.dtype(jnp.float32))
        parts.append(apply_policy_units(weights, planes))
    local, shared = (np.concatenate([np.asarray(part) for part in each]) for each in zip(*parts, strict=True))
    return local, shared
