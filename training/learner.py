"""Learner: samples batches from the replay buffer, computes the loss, updates the weights with Adam, averages them."""

from collections.abc import Sequence
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from training.config import LossWeights
from training.hidden_units import find_balance, find_inactive_units, rescale_heads, restart_units
from training.network import ILLEGAL, Size, Weights, apply_network, initialize_weights
from training.replay_buffer import ReplayBuffer, Targets
from training.rules import (
    Position,
    compute_features,
    find_wins_and_threes,
    make_input_planes,
    mirror,
    select_boards,
    unpack_cells,
)

ADAM_BETA_1, ADAM_BETA_2 = 0.9, 0.99
LOSSES = ("policy", "value", "auxiliary")


class LearnerState(NamedTuple):
    """State of one network in training."""

    weights: Weights
    first_moment: Weights
    second_moment: Weights
    average: Weights  # exponential moving average of the weights: plays, and is exported
    steps: Array  # float32: number of Adam steps


class Batch(NamedTuple):
    """Training samples; each is mirrored with probability one half."""

    planes: Array  # [n, row, column, PLANES]
    safe: Array  # bool [n, 12]
    policy: Array  # float32 [n, 12]
    value: Array  # float32 [n]
    auxiliary: Array  # float32 [n, row, column, AUXILIARY]
    auxiliary_mask: Array  # bool [n, row, column]: cells still empty, in games whose end is known


def create_learner(key: Array, size: Size) -> LearnerState:
    """Return the state of an untrained network."""
    weights = initialize_weights(key, size)
    zeros = jax.tree.map(jnp.zeros_like, weights)
    return LearnerState(weights, zeros, jax.tree.map(jnp.copy, zeros), jax.tree.map(jnp.copy, weights), jnp.float32(0))


def sample_batch(buffer: ReplayBuffer, targets: Targets, key: Array, count: int, dtype: jnp.dtype) -> Batch:
    """Draw `count` stored moves uniformly; half of them are mirrored."""
    time_key, board_key, mirror_key = jax.random.split(key, 3)
    stored = buffer.transitions
    time = jax.random.randint(time_key, (count,), 0, buffer.filled)
    board = jax.random.randint(board_key, (count,), 0, stored.value.shape[1])
    end = targets.end[time, board]
    first, second = (
        stones[jnp.maximum(end, 0), board].astype(jnp.int32) for stones in (stored.final_first, stored.final_second)
    )
    second_moves = (stored.ply[time, board] % 2 == 1)[:, None]
    shape = (stored.own, stored.opponent, stored.board, stored.playable)
    position = Position(*(sets[time, board].astype(jnp.int32) for sets in shape))
    final = position._replace(
        own=jnp.where(second_moves, second, first), opponent=jnp.where(second_moves, first, second)
    )
    policy = stored.policy[time, board].astype(jnp.float32)
    flip = jax.random.bernoulli(mirror_key, 0.5, (count,))
    position, final = select_boards(flip, mirror(position), position), select_boards(flip, mirror(final), final)
    policy = jnp.where(flip[:, None], policy[:, ::-1], policy)
    features = compute_features(position)
    return Batch(
        planes=make_input_planes(position, features, dtype),
        safe=features.safe,
        policy=policy / policy.sum(-1, keepdims=True),
        value=targets.value[time, board],
        auxiliary=_compute_auxiliary_targets(final),
        auxiliary_mask=unpack_cells(features.empty) & (end >= 0)[:, None, None],
    )


def _compute_auxiliary_targets(final: Position) -> Array:
    """Return both sides' stones and winning cells in the final position of the game, [n, row, column, AUXILIARY]."""
    empty = final.playable & ~(final.own | final.opponent)
    wins, _ = find_wins_and_threes(jnp.stack([final.own, final.opponent]), empty)
    planes = unpack_cells(jnp.stack([final.own, final.opponent, wins[0], wins[1]], 1))
    return jnp.moveaxis(planes, 1, -1).astype(jnp.float32)


def compute_loss(weights: Weights, batch: Batch, loss_weights: LossWeights) -> tuple[Array, Array]:
    """Return the total loss and its parts in the order of LOSSES; the policy loss is a KL divergence."""
    output = apply_network(weights, batch.planes)
    log_policy = jax.nn.log_softmax(jnp.where(batch.safe, output.policy, ILLEGAL))
    divergence = (batch.policy * (jnp.log(batch.policy + 1e-9) - jnp.where(batch.policy > 0, log_policy, 0))).sum(-1)
    policy = divergence.mean()
    value = _cross_entropy(output.value, (1 + batch.value) / 2).mean()
    by_cell = _cross_entropy(output.auxiliary, batch.auxiliary) * batch.auxiliary_mask[..., None]
    auxiliary = by_cell.sum() / jnp.maximum(batch.auxiliary_mask.sum() * by_cell.shape[-1], 1)
    total = policy + loss_weights.value * value + loss_weights.auxiliary * auxiliary
    total += loss_weights.policy_offset * _compute_squared_offset(output.policy, batch.safe)
    return total, jnp.stack([policy, value, auxiliary])


def _compute_squared_offset(logits: Array, safe: Array) -> Array:
    """Return the mean square of what the logits of the safe moves have in common."""
    offset = jnp.where(safe, logits, 0).sum(-1) / jnp.maximum(safe.sum(-1), 1)
    return jnp.square(offset).mean()


def _cross_entropy(logit: Array, probability: Array) -> Array:
    return jax.nn.softplus(logit) - probability * logit


def prepare_units(state: LearnerState, size: Size, batches: Array, key: Array) -> tuple[LearnerState, dict[str, Array]]:
    """Restart the units that are never positive on input planes [batch, n, ...], and balance the heads.

    The weights and their average are changed in the same way; Adam's moments of the old weights are forgotten. Also
    returns the number of restarted units in each layer.
    """
    inactive = find_inactive_units(state.average, batches)
    weights, average = (restart_units(key, size, tensors, inactive) for tensors in (state.weights, state.average))
    factors = find_balance(average)
    zeros = jax.tree.map(jnp.zeros_like, weights)
    prepared = state._replace(
        weights=rescale_heads(weights, factors),
        average=rescale_heads(average, factors),
        first_moment=zeros,
        second_moment=jax.tree.map(jnp.copy, zeros),
    )
    return prepared, {name: units.sum() for name, units in inactive.items()}


def update(
    state: LearnerState, batch: Batch, loss_weights: LossWeights, rate: Array, weight_decay: float, ema_rate: float
) -> tuple[LearnerState, Array]:
    """Make one Adam step with decoupled weight decay and the gradient norm clipped to 1, and update the average."""
    (_, losses), gradient = jax.value_and_grad(compute_loss, has_aux=True)(state.weights, batch, loss_weights)
    norm = jnp.sqrt(sum(jnp.square(part).sum() for part in jax.tree.leaves(gradient)))
    gradient = jax.tree.map(lambda part: part / jnp.maximum(norm, 1), gradient)
    steps = state.steps + 1
    first = jax.tree.map(lambda old, new: ADAM_BETA_1 * old + (1 - ADAM_BETA_1) * new, state.first_moment, gradient)
    second = jax.tree.map(
        lambda old, new: ADAM_BETA_2 * old + (1 - ADAM_BETA_2) * new**2, state.second_moment, gradient
    )

    def step(weight: Array, mean: Array, square: Array) -> Array:
        direction = mean / (1 - ADAM_BETA_1**steps) / (jnp.sqrt(square / (1 - ADAM_BETA_2**steps)) + 1e-8)
        return weight - rate * (direction + weight_decay * weight)

    weights = jax.tree.map(step, state.weights, first, second)
    share = jnp.maximum(ema_rate, 1 / steps)
    average = jax.tree.map(lambda old, new: old + share * (new - old), state.average, weights)
    return LearnerState(weights, first, second, average, steps), losses


def update_all(
    states: Sequence[LearnerState],
    batch: Batch,
    loss_weights: LossWeights,
    rate: Array,
    weight_decay: float,
    ema_rate: float,
) -> tuple[tuple[LearnerState, ...], Array]:
    """Update every network with the same batch; the losses are [network, part]."""
    updated = [update(state, batch, loss_weights, rate, weight_decay, ema_rate) for state in states]
    return tuple(state for state, _ in updated), jnp.stack([losses for _, losses in updated])
