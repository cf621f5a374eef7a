"""Owns the network: a residual trunk over the board, a value, a policy at the landing cells, and learning aids.

Activations are multiplied by the board after every layer, so that a small board inside the 12 x 12 array gives exactly
what it would give alone.
"""

from dataclasses import dataclass
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from training.rules import PLANES, Outlook, Position, planes

Weights = dict[str, Array]

VALUE_HIDDEN = 64
POLICY_HIDDEN = 32
AIDS = 4
"""Maps that are only learned, never exported: both sides' final stones and both sides' final winning cells."""

ILLEGAL = -1e9


@dataclass(frozen=True)
class Size:
    """How wide and how deep a network is."""

    channels: int
    blocks: int

    @property
    def name(self) -> str:
        """The size as people write it.

        >>> Size(64, 4).name
        '64x4'
        """
        return f"{self.channels}x{self.blocks}"

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """List the tensors in the order of the weights file, and their shapes.

        >>> list(Size(8, 2).shapes())[:4]
        ['stem', 'stem_bias', 'a0', 'a0_bias']
        """
        width = self.channels
        shapes: dict[str, tuple[int, ...]] = {"stem": (3, 3, PLANES, width), "stem_bias": (width,)}
        for block in range(self.blocks):
            for conv in "ac":
                shapes[f"{conv}{block}"] = (3, 3, width, width)
                shapes[f"{conv}{block}_bias"] = (width,)
            if block % 2 == 1:
                shapes[f"pool{block}"] = (2 * width, width)
        shapes["value_1"], shapes["value_1_bias"] = (2 * width, VALUE_HIDDEN), (VALUE_HIDDEN,)
        shapes["value_2"], shapes["value_2_bias"] = (VALUE_HIDDEN,), (1,)
        shapes["policy_1"], shapes["policy_pool"] = (width, POLICY_HIDDEN), (2 * width, POLICY_HIDDEN)
        shapes["policy_1_bias"], shapes["policy_2"] = (POLICY_HIDDEN,), (POLICY_HIDDEN,)
        return shapes


class Judgement(NamedTuple):
    """What the network says; the value's logit v means tanh(v / 2) for the side to move."""

    policy: Array  # logits [n, 12], meaningful in open columns
    value: Array  # logits [n]
    aids: Array  # logits [n, height, column, AIDS]


SMALL_STARTS = {"c": 0.1, "pool": 0.1, "value_2": 0.01, "policy_2": 0.1, "policy_pool": 0.1, "aids": 0.1}
"""Layers that end a residual branch or a head begin small: at first blocks hand on what they get, heads say nothing."""


def start(key: Array, size: Size) -> Weights:
    """Draw the weights of an untrained network."""
    shapes = size.shapes() | {"aids": (size.channels, AIDS), "aids_bias": (AIDS,)}
    weights = {}
    for name, shape in shapes.items():
        key, own = jax.random.split(key)
        if name.endswith("bias"):
            weights[name] = jnp.zeros(shape)
            continue
        inputs = 9 * 6 if name == "stem" else shape[0] if len(shape) < 4 else 9 * shape[2]  # few planes are set at once
        scale = (2 / inputs) ** 0.5 * SMALL_STARTS.get(name if "_" in name else name.rstrip("0123456789"), 1)
        weights[name] = scale * jax.random.normal(own, shape)
    return weights


def judge(weights: Weights, seen: Array) -> Judgement:
    """Evaluate planes [n, height, column, PLANES] in their own precision; pooling and heads are always float32."""
    exact = seen.dtype == jnp.float32
    precision = jax.lax.Precision.HIGHEST if exact else None
    board, landing = seen[..., 2:3], seen[..., 4]
    cells = board.astype(jnp.float32).sum((1, 2))

    def conv(x: Array, name: str) -> Array:
        kernel, bias = weights[name].astype(x.dtype), weights[name + "_bias"].astype(x.dtype)
        if exact:
            return jnp.matmul(_neighbourhoods(x), kernel.reshape(-1, kernel.shape[-1]), precision=precision) + bias
        axes = ("NHWC", "HWIO", "NHWC")
        return jax.lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=axes) + bias

    def pool(x: Array) -> Array:
        x = x.astype(jnp.float32)
        return jnp.concatenate([x.sum((1, 2)) / cells, x.max((1, 2))], -1)

    def dense(x: Array, name: str) -> Array:
        return jnp.matmul(x, weights[name], precision=precision)

    x = jax.nn.relu(conv(seen, "stem")) * board
    for block in range(sum(name.startswith("a") and name[1:].isdigit() for name in weights)):
        hidden = jax.nn.relu(conv(x, f"a{block}")) * board
        change = conv(hidden, f"c{block}")
        if f"pool{block}" in weights:
            change += dense(pool(hidden), f"pool{block}").astype(x.dtype)[:, None, None, :]
        x = jax.nn.relu(x + change) * board
    pooled = pool(x)
    value = dense(jax.nn.relu(dense(pooled, "value_1") + weights["value_1_bias"]), "value_2") + weights["value_2_bias"]
    at_landing = (x * landing[..., None]).sum(1).astype(jnp.float32)  # [n, column, channel]: one cell in each column
    context = dense(pooled, "policy_pool") + weights["policy_1_bias"]
    policy = dense(jax.nn.relu(dense(at_landing, "policy_1") + context[:, None, :]), "policy_2")
    aids = (
        dense(x.astype(jnp.float32), "aids") + weights["aids_bias"]
        if "aids" in weights
        else jnp.zeros((*x.shape[:3], 0))
    )
    return Judgement(policy, value, aids)


def _neighbourhoods(x: Array) -> Array:
    """Lay the 3 x 3 cells around every cell side by side: a convolution is then one product, best for processors."""
    height, width = x.shape[1:3]
    wide = jnp.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
    return jnp.concatenate([wide[:, row : row + height, col : col + width] for row in range(3) for col in range(3)], -1)


def prior_and_value(weights: Weights, position: Position, outlook: Outlook, dtype: jnp.dtype) -> tuple[Array, Array]:
    """Return policy logits [n, 12], ILLEGAL where a move is not safe, and values in [-1, 1] for the side to move."""
    judgement = judge(weights, planes(position, outlook, dtype))
    return jnp.where(outlook.safe, judgement.policy, ILLEGAL), jnp.tanh(judgement.value / 2)
