"""Tests that the exported network has the policy of the trained one without the number that all columns share."""

import pytest

pytest.importorskip("jax", reason="needs JAX: pip install '.[train]'")

import jax
import jax.numpy as jnp
import numpy as np

from training.check_file import apply_network_jit, compute_features_jit, input_planes_jit, sample_positions
from training.network import Size, initialize_weights
from training.policy_offset import remove_policy_offset

SEEDS = range(100, 104)
"""Sets of positions that `remove_policy_offset` does not see."""


def test_policy_is_the_same_without_offset() -> None:
    """With units that are positive everywhere the logits lose their offset, and their differences stay the same."""
    weights = initialize_weights(jax.random.key(1), Size(8, 2))
    linear = jnp.arange(weights["policy_1_bias"].shape[0]) < 4
    weights["policy_1_bias"] += jnp.where(linear, 3000.0, 0.0)
    weights["policy_2"] = weights["policy_2"].at[:4].set(0.25)
    changed = remove_policy_offset(weights)
    for seed in SEEDS:
        position = sample_positions(seed)[1]
        features = compute_features_jit(position)
        planes = input_planes_jit(position, features, jnp.dtype(jnp.float32))
        before, after = apply_network_jit(weights, planes), apply_network_jit(changed, planes)
        is_open = np.asarray(features.landing) != 0
        offset = np.asarray(before.policy - after.policy)
        for board in range(len(offset)):
            columns = offset[board][is_open[board]]
            np.testing.assert_allclose(columns, np.full_like(columns, columns[0]), atol=2e-3)
        np.testing.assert_array_equal(before.value, after.value)
        assert np.abs(np.asarray(before.policy)[is_open]).min() > 1000
        assert np.abs(np.asarray(after.policy)[is_open]).max() < 100


def test_other_units_stay() -> None:
    """The units of an untrained network are not positive everywhere: nothing changes."""
    weights = initialize_weights(jax.random.key(2), Size(8, 2))
    for name, tensor in remove_policy_offset(weights).items():
        np.testing.assert_array_equal(tensor, weights[name])
