"""Prepares the hidden units of a trained network for more training, without a change of its outputs.

A unit that is never positive has no effect and no gradient, so it never learns again; runs that continue each other
collect such units. They are restarted with new random inputs and outgoing weights of zero.

The weights before and after the hidden units of the heads drift apart: the former grow, the latter shrink. As Adam's
steps have about the same size in all layers, the small ones become noisy. The weights are therefore balanced: if the
inputs of a unit are divided by a number and its outgoing weight is multiplied by it, the outputs stay the same.
"""

from functools import partial

import jax
import jax.numpy as jnp
from jax import Array

from training.network import Size, Weights, find_unit_maxima, initialize_weights

HEADS = {"value_2": ("value_1",), "policy_2": ("policy_1", "policy_pool")}
"""For the outgoing weights of the hidden units of each head, the weights of their inputs."""

InactiveUnits = dict[str, Array]
"""For each layer, named by its weights, whether its units are inactive: bool [units]."""


def find_inactive_units(weights: Weights, batches: Array) -> InactiveUnits:
    """Return which units are never positive on input planes [batch, n, row, column, PLANES]."""
    maxima = jax.lax.map(partial(find_unit_maxima, weights), batches)
    return {name: values.max(0) <= 0 for name, values in maxima.items()}


def restart_units(key: Array, size: Size, weights: Weights, inactive: InactiveUnits) -> Weights:
    """Return weights with the same outputs in which the inactive units have new random inputs."""
    fresh = initialize_weights(key, size)
    changed = dict(weights)

    def draw_inputs(units: Array, *names: str) -> None:
        for name in names:
            if name in changed:
                changed[name] = jnp.where(units, fresh[name], changed[name])

    def clear_outputs(units: Array, name: str, axis: int) -> None:
        if name in changed:
            count = changed[name].shape[axis]  # pooled channels have two inputs, the mean and the maximum
            is_cleared = jnp.tile(units, count // units.shape[0])
            shape = [1] * changed[name].ndim
            shape[axis] = count
            changed[name] = jnp.where(is_cleared.reshape(shape), 0, changed[name])

    last = size.blocks - 1
    trunk = inactive[f"c{last}"]
    for block in range(size.blocks):
        draw_inputs(inactive[f"a{block}"], f"a{block}", f"a{block}_bias")
    draw_inputs(trunk, f"c{last}", f"c{last}_bias", f"pool{last}")
    draw_inputs(inactive["value_1"], "value_1", "value_1_bias")
    draw_inputs(inactive["policy_1"], "policy_1", "policy_1_bias", "policy_pool")
    for block in range(size.blocks):
        clear_outputs(inactive[f"a{block}"], f"c{block}", 2)
        clear_outputs(inactive[f"a{block}"], f"pool{block}", 0)
    for name in ("value_1", "policy_1", "policy_pool", "auxiliary"):
        clear_outputs(trunk, name, 0)
    clear_outputs(inactive["value_1"], "value_2", 0)
    clear_outputs(inactive["policy_1"], "policy_2", 0)
    return changed


def find_balance(weights: Weights) -> dict[str, Array]:
    """Return the factors that balance the heads: for each tensor of outgoing weights one factor per unit.

    With them, the mean square of a unit's input weights equals the square of its outgoing weight. The factor of a unit
    whose outgoing weight is zero is 1.
    """
    factors = {}
    for output, inputs in HEADS.items():
        square = jnp.concatenate([jnp.square(weights[name]) for name in inputs]).mean(0)
        is_used = (weights[output] != 0) & (square > 0)
        ratio = jnp.sqrt(square) / jnp.abs(jnp.where(is_used, weights[output], 1))
        factors[output] = jnp.where(is_used, jnp.sqrt(ratio), 1)
    return factors


def rescale_heads(weights: Weights, factors: dict[str, Array]) -> Weights:
    """Return weights with the same outputs: units' inputs divided by the factors, outgoing weights multiplied."""
    changed = dict(weights)
    for output, inputs in HEADS.items():
        for name in (*inputs, f"{inputs[0]}_bias"):
            changed[name] = weights[name] / factors[output]
        changed[output] = weights[output] * factors[output]
    return changed
