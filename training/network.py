"""The evaluation network: residual trunk, value head, policy head at the landing cells, auxiliary head.

Activations are multiplied by the board mask after every layer, so that a small board inside the 12 x 12 array gives
exactly the same outputs as the board alone.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from fourfall.weights.tensors import list_shapes
from training.rules import Features, Position, make_input_planes

Weights = dict[str, Array]

AUXILIARY = 4
"""Auxiliary output planes, used in training and not exported: final stones and final winning cells of both sides."""

ILLEGAL = -1e9
"""Policy logit of moves that are not safe."""


@dataclass(frozen=True)
class Size:
    """Width and depth of a network."""

    channels: int
    blocks: int

    @property
    def name(self) -> str:
        """The size as text.

        >>> Size(64, 4).name
        '64x4'
        """
        return f"{self.channels}x{self.blocks}"

    def list_shapes(self) -> dict[str, tuple[int, ...]]:
        """Return the exported tensors' names and shapes in the order of the weights file.

        >>> list(Size(8, 2).list_shapes())[:4]
        ['stem', 'stem_bias', 'a0', 'a0_bias']
        """
        return list_shapes(self.channels, self.blocks)


class NetworkOutput(NamedTuple):
    """Outputs of the network; a value logit v means the value tanh(v / 2) for the side to move."""

    policy: Array  # logits [n, 12], defined in open columns
    value: Array  # logits [n]
    auxiliary: Array  # logits [n, row, column, AUXILIARY]


INITIAL_SCALES = {"c": 0.1, "pool": 0.1, "value_2": 0.01, "policy_2": 0.1, "policy_pool": 0.1, "auxiliary": 0.1}
"""Factors for the last layers of residual branches and heads: blocks start near the identity, heads near zero."""


def initialize_weights(key: Array, size: Size) -> Weights:
    """Draw the weights of an untrained network (He initialization with the factors above)."""
    shapes = size.list_shapes() | {"auxiliary": (size.channels, AUXILIARY), "auxiliary_bias": (AUXILIARY,)}
    weights = {}
    for name, shape in shapes.items():
        key, tensor_key = jax.random.split(key)
        if name.endswith("bias"):
            weights[name] = jnp.zeros(shape)
            continue
        inputs = 9 * 6 if name == "stem" else shape[0] if len(shape) < 4 else 9 * shape[2]  # about 6 planes are nonzero
        scale = (2 / inputs) ** 0.5 * INITIAL_SCALES.get(name if "_" in name else name.rstrip("0123456789"), 1)
        weights[name] = scale * jax.random.normal(tensor_key, shape)
    return weights


def apply_network(weights: Weights, planes: Array) -> NetworkOutput:
    """Evaluate input planes [n, row, column, PLANES].

    The trunk computes in the precision of `planes`, pooling and heads in float32.
    """
    trunk, pooled = _apply_trunk(weights, planes)
    dense = partial(_multiply, weights, _choose_precision(planes))
    value = dense(_apply_value_units(weights, planes, pooled), "value_2") + weights["value_2_bias"]
    local, shared = _apply_policy_units(weights, planes, trunk, pooled)
    policy = dense(jax.nn.relu(local + shared[:, None, :]), "policy_2")
    auxiliary = (
        dense(trunk.astype(jnp.float32), "auxiliary") + weights["auxiliary_bias"]
        if "auxiliary" in weights
        else jnp.zeros((*trunk.shape[:3], 0))
    )
    return NetworkOutput(policy, value, auxiliary)


def find_unit_maxima(weights: Weights, planes: Array) -> dict[str, Array]:
    """Return the greatest activation of each hidden unit, [units], by the name of the weights that compute it.

    The units are those inside the blocks (`a0`, `a1`, ...), the channels after the last block (`c3` of four blocks) and
    the hidden units of the heads (`value_1`, `policy_1`; the latter in open columns).
    """
    maxima: dict[str, Array] = {}

    def observe(name: str, activations: Array) -> None:
        maxima[name] = activations.max(tuple(range(activations.ndim - 1))).astype(jnp.float32)

    trunk, pooled = _apply_trunk(weights, planes, observe)
    observe("value_1", _apply_value_units(weights, planes, pooled))
    local, shared = _apply_policy_units(weights, planes, trunk, pooled)
    is_open = planes[..., 4].sum(1) > 0
    observe("policy_1", jnp.where(is_open[..., None], jax.nn.relu(local + shared[:, None, :]), 0))
    return maxima


def apply_policy_units(weights: Weights, planes: Array) -> tuple[Array, Array]:
    """Return the two parts of the inputs of the policy head's hidden units.

    The first, [n, 12, units], comes from each column's landing cell, the second, [n, units], from the pooled trunk.
    """
    return _apply_policy_units(weights, planes, *_apply_trunk(weights, planes))


def _apply_value_units(weights: Weights, planes: Array, pooled: Array) -> Array:
    """Return the hidden units of the value head, [n, units]."""
    inputs = _multiply(weights, _choose_precision(planes), pooled, "value_1")
    return jax.nn.relu(inputs + weights["value_1_bias"])


def _apply_policy_units(weights: Weights, planes: Array, trunk: Array, pooled: Array) -> tuple[Array, Array]:
    dense = partial(_multiply, weights, _choose_precision(planes))
    at_landing = (trunk * planes[..., 4, None]).sum(1).astype(jnp.float32)  # one cell in each column
    return dense(at_landing, "policy_1"), dense(pooled, "policy_pool") + weights["policy_1_bias"]


def _ignore(name: str, activations: Array) -> None:
    """Observe nothing."""


def _apply_trunk(
    weights: Weights, planes: Array, observe: Callable[[str, Array], None] = _ignore
) -> tuple[Array, Array]:
    """Return the trunk's activations [n, row, column, channel] and their means and maxima over the board.

    `observe` is called with the hidden activations of each block and with those after the last one.
    """
    precision = _choose_precision(planes)
    board = planes[..., 2:3]
    cells = board.astype(jnp.float32).sum((1, 2))

    def conv(x: Array, name: str) -> Array:
        kernel, bias = weights[name].astype(x.dtype), weights[name + "_bias"].astype(x.dtype)
        if precision is not None:
            return jnp.matmul(_stack_neighbours(x), kernel.reshape(-1, kernel.shape[-1]), precision=precision) + bias
        axes = ("NHWC", "HWIO", "NHWC")
        return jax.lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=axes) + bias

    def pool(x: Array) -> Array:
        x = x.astype(jnp.float32)
        return jnp.concatenate([x.sum((1, 2)) / cells, x.max((1, 2))], -1)

    x = jax.nn.relu(conv(planes, "stem")) * board
    blocks = sum(name.startswith("a") and name[1:].isdigit() for name in weights)
    for block in range(blocks):
        hidden = jax.nn.relu(conv(x, f"a{block}")) * board
        observe(f"a{block}", hidden)
        change = conv(hidden, f"c{block}")
        if f"pool{block}" in weights:
            change += _multiply(weights, precision, pool(hidden), f"pool{block}").astype(x.dtype)[:, None, None, :]
        x = jax.nn.relu(x + change) * board
    observe(f"c{blocks - 1}", x)
    return x, pool(x)


def _choose_precision(planes: Array) -> jax.lax.Precision | None:
    """Return the precision of matrix products: the highest for float32 planes, else the default."""
    return jax.lax.Precision.HIGHEST if planes.dtype == jnp.float32 else None


def _multiply(weights: Weights, precision: jax.lax.Precision | None, x: Array, name: str) -> Array:
    return jnp.matmul(x, weights[name], precision=precision)


def _stack_neighbours(x: Array) -> Array:
    """Concatenate the 3 x 3 cells around every cell, so that a convolution is one matrix product (fast on CPUs)."""
    height, width = x.shape[1:3]
    padded = jnp.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
    return jnp.concatenate(
        [padded[:, row : row + height, col : col + width] for row in range(3) for col in range(3)], -1
    )


def evaluate(weights: Weights, position: Position, features: Features, dtype: jnp.dtype) -> tuple[Array, Array]:
    """Return policy logits [n, 12], ILLEGAL where a move is not safe, and values in [-1, 1] for the side to move."""
    output = apply_network(weights, make_input_planes(position, features, dtype))
    return jnp.where(features.safe, output.policy, ILLEGAL), jnp.tanh(output.value / 2)
