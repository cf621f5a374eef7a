"""Tests that hidden units are prepared for more training without a change of the network's outputs."""

import pytest

pytest.importorskip("jax", reason="needs JAX: pip install '.[train]'")

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from training.check_file import apply_network_jit, compute_features_jit, input_planes_jit, sample_positions
from training.hidden_units import find_balance, find_inactive_units, rescale_heads, restart_units
from training.learner import create_learner, prepare_units
from training.network import Size, Weights, apply_network

PLANTED = {"a0": 1, "a1": 2, "c1": 3, "value_1": 4, "policy_1": 5}
"""For each layer of an 8x2 network, the unit that is made inactive."""


@pytest.fixture(scope="module")
def batches() -> Array:
    """Return input planes of random positions, [batch, n, row, column, PLANES]."""
    positions = [sample_positions(seed)[1] for seed in range(200, 203)]
    planes = [input_planes_jit(each, compute_features_jit(each), jnp.dtype(jnp.float32)) for each in positions]
    return jnp.stack(planes)


@pytest.fixture(scope="module")
def inactive_weights(weights: Weights) -> Weights:
    """Return a network in which the planted units are never positive."""
    return weights | {f"{name}_bias": weights[f"{name}_bias"].at[unit].set(-1e4) for name, unit in PLANTED.items()}


def assert_same_outputs(before: Weights, after: Weights, batches: Array, tolerance: float) -> None:
    """Assert that two networks have the same values, and the same policy logits of open columns."""
    for planes in batches:
        expected, actual = apply_network_jit(before, planes), apply_network_jit(after, planes)
        is_open = np.asarray(planes[..., 4].sum(1) > 0)
        np.testing.assert_allclose(actual.value, expected.value, atol=tolerance)
        np.testing.assert_allclose(actual.policy[is_open], expected.policy[is_open], atol=tolerance)


def test_inactive_units_are_found(inactive_weights: Weights, batches: Array) -> None:
    """Every planted unit is found, and not all units of its layer are inactive."""
    inactive = find_inactive_units(inactive_weights, batches)
    assert inactive.keys() == PLANTED.keys()
    for name, unit in PLANTED.items():
        assert bool(inactive[name][unit])
        assert not bool(inactive[name].all())


def test_restarted_units_are_active_and_change_nothing(size: Size, inactive_weights: Weights, batches: Array) -> None:
    """After the restart the outputs are the same, the planted units are positive somewhere and have gradients."""
    inactive = find_inactive_units(inactive_weights, batches)
    restarted = restart_units(jax.random.key(7), size, inactive_weights, inactive)
    assert_same_outputs(inactive_weights, restarted, batches, tolerance=1e-6)
    left = find_inactive_units(restarted, batches)
    for name, unit in PLANTED.items():
        assert not bool(left[name][unit]), name
    gradient = jax.grad(lambda weights: apply_network(weights, batches[0]).value.sum())(restarted)
    assert float(jnp.abs(gradient["value_2"][PLANTED["value_1"]]).sum()) > 0
    assert float(jnp.abs(gradient["c0"][:, :, PLANTED["a0"]]).sum()) > 0
    assert float(jnp.abs(gradient["value_1"][PLANTED["c1"]]).sum()) > 0


def test_active_units_keep_their_weights(size: Size, inactive_weights: Weights, batches: Array) -> None:
    """A network without inactive units stays as it is."""
    inactive = {name: jnp.zeros_like(units) for name, units in find_inactive_units(inactive_weights, batches).items()}
    for name, tensor in restart_units(jax.random.key(7), size, inactive_weights, inactive).items():
        np.testing.assert_array_equal(tensor, inactive_weights[name])


def test_balanced_heads_have_the_same_outputs(weights: Weights, batches: Array) -> None:
    """Weights before and after each used hidden unit have the same size; units without an effect stay."""
    drifted = weights | {
        "value_1": weights["value_1"] * 50,
        "value_2": weights["value_2"].at[0].set(0) / 50,
        "policy_1": weights["policy_1"] * 20,
        "policy_pool": weights["policy_pool"] * 20,
    }
    balanced = rescale_heads(drifted, find_balance(drifted))
    assert_same_outputs(drifted, balanced, batches, tolerance=1e-4)
    inputs = jnp.sqrt(jnp.square(balanced["value_1"]).mean(0))
    np.testing.assert_allclose(inputs[1:], jnp.abs(balanced["value_2"][1:]), rtol=1e-4)
    np.testing.assert_array_equal(balanced["value_1"][:, 0], drifted["value_1"][:, 0])
    both = jnp.concatenate([balanced["policy_1"], balanced["policy_pool"]])
    np.testing.assert_allclose(jnp.sqrt(jnp.square(both).mean(0)), jnp.abs(balanced["policy_2"]), rtol=1e-4)


def test_weights_and_average_are_prepared_alike(size: Size, weights: Weights, batches: Array) -> None:
    """Weights that are twice the average stay twice the average, where no unit was restarted; moments are forgotten."""
    state = create_learner(jax.random.key(3), size)
    ones = {name: jnp.ones_like(tensor) for name, tensor in weights.items()}
    state = state._replace(weights={name: 2 * tensor for name, tensor in state.average.items()}, first_moment=ones)
    prepared, counts = prepare_units(state, size, batches, jax.random.key(8))
    assert counts.keys() == PLANTED.keys()
    inactive = find_inactive_units(state.average, batches)
    for name, layer in (("value_1", "value_1"), ("value_2", "value_1"), ("policy_2", "policy_1")):
        is_kept = ~np.asarray(inactive[layer])
        np.testing.assert_allclose(
            prepared.weights[name][..., is_kept], 2 * prepared.average[name][..., is_kept], rtol=1e-5
        )
    assert not any(bool(tensor.any()) for tensor in prepared.first_moment.values())
