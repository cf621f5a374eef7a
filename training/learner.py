"""Owns learning: samples from the memory, the loss, Adam, and the averaged weights that play and are exported."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from training.network import ILLEGAL, Size, Weights, judge, start
from training.replay import Replay, Targets
from training.rules import Position, cells, choose, look, mirrored, planes, wins_and_threes

FIRST_DECAY, SECOND_DECAY = 0.9, 0.99
LOSSES = ("policy", "value", "aids")


@dataclass(frozen=True)
class LossWeights:
    """How much each part of the loss counts beside the policy's."""

    value: float
    aids: float


class Learner(NamedTuple):
    """A network on its way: the weights, Adam's two moments, the average of the weights, and the steps made."""

    weights: Weights
    first: Weights
    second: Weights
    average: Weights
    steps: Array  # float32


class Batch(NamedTuple):
    """Samples ready for the network; mirrored at random."""

    seen: Array  # [n, height, column, PLANES]
    safe: Array  # bool [n, 12]
    policy: Array  # float32 [n, 12]
    value: Array  # float32 [n]
    aids: Array  # float32 [n, height, column, AIDS]
    aids_where: Array  # bool [n, height, column]: cells still empty, in games whose end is known


def new_learner(key: Array, size: Size) -> Learner:
    """Start a network from nothing."""
    weights = start(key, size)
    zeros = jax.tree.map(jnp.zeros_like, weights)
    return Learner(weights, zeros, jax.tree.map(jnp.copy, zeros), jax.tree.map(jnp.copy, weights), jnp.float32(0))


def sample(replay: Replay, goals: Targets, key: Array, count: int, dtype: jnp.dtype) -> Batch:
    """Draw moves from the memory, each as likely as any other, half of them mirrored."""
    by_time, by_board, by_mirror = jax.random.split(key, 3)
    moves = replay.moves
    time = jax.random.randint(by_time, (count,), 0, replay.filled)
    board = jax.random.randint(by_board, (count,), 0, moves.value.shape[1])
    end = goals.end[time, board]
    ends = [stones[jnp.maximum(end, 0), board].astype(jnp.int32) for stones in (moves.end_first, moves.end_second)]
    second = (moves.ply[time, board] % 2 == 1)[:, None]
    mine_last, theirs_last = jnp.where(second, ends[1], ends[0]), jnp.where(second, ends[0], ends[1])
    stored = (moves.mine, moves.theirs, moves.board, moves.playable)
    position = Position(*(sets[time, board].astype(jnp.int32) for sets in stored))
    last = position._replace(mine=mine_last, theirs=theirs_last)
    policy = moves.policy[time, board].astype(jnp.float32)
    flip = jax.random.bernoulli(by_mirror, 0.5, (count,))
    position, last = choose(flip, mirrored(position), position), choose(flip, mirrored(last), last)
    policy = jnp.where(flip[:, None], policy[:, ::-1], policy)
    outlook = look(position)
    return Batch(
        seen=planes(position, outlook, dtype),
        safe=outlook.safe,
        policy=policy / policy.sum(-1, keepdims=True),
        value=goals.value[time, board],
        aids=_aids(last),
        aids_where=cells(outlook.empty) & (end >= 0)[:, None, None],
    )


def _aids(last: Position) -> Array:
    """Return the maps to be foretold: both sides' stones and winning cells in the game's last position."""
    empty = last.playable & ~(last.mine | last.theirs)
    wins, _ = wins_and_threes(jnp.stack([last.mine, last.theirs]), empty)
    return jnp.moveaxis(cells(jnp.stack([last.mine, last.theirs, wins[0], wins[1]], 1)), 1, -1).astype(jnp.float32)


def loss(weights: Weights, batch: Batch, share: LossWeights) -> tuple[Array, Array]:
    """Return what is minimised, and its parts in the order of LOSSES; the policy's is its divergence."""
    judgement = judge(weights, batch.seen)
    log_policy = jax.nn.log_softmax(jnp.where(batch.safe, judgement.policy, ILLEGAL))
    divergence = (batch.policy * (jnp.log(batch.policy + 1e-9) - jnp.where(batch.policy > 0, log_policy, 0))).sum(-1)
    policy = divergence.mean()
    value = _cross_entropy(judgement.value, (1 + batch.value) / 2).mean()
    surprise = _cross_entropy(judgement.aids, batch.aids) * batch.aids_where[..., None]
    aids = surprise.sum() / jnp.maximum(batch.aids_where.sum() * surprise.shape[-1], 1)
    return policy + share.value * value + share.aids * aids, jnp.stack([policy, value, aids])


def _cross_entropy(logit: Array, probability: Array) -> Array:
    return jax.nn.softplus(logit) - probability * logit


def improved(
    learner: Learner, batch: Batch, share: LossWeights, rate: Array, decay: float, averaging: float
) -> tuple[Learner, Array]:
    """Make one step of Adam with decoupled decay, on a gradient no longer than 1, and move the average towards it."""
    (_, parts), gradient = jax.value_and_grad(loss, has_aux=True)(learner.weights, batch, share)
    length = jnp.sqrt(sum(jnp.square(part).sum() for part in jax.tree.leaves(gradient)))
    gradient = jax.tree.map(lambda part: part / jnp.maximum(length, 1), gradient)
    steps = learner.steps + 1
    first = jax.tree.map(lambda old, new: FIRST_DECAY * old + (1 - FIRST_DECAY) * new, learner.first, gradient)
    second = jax.tree.map(lambda old, new: SECOND_DECAY * old + (1 - SECOND_DECAY) * new**2, learner.second, gradient)

    def moved(weight: Array, mean: Array, square: Array) -> Array:
        push = mean / (1 - FIRST_DECAY**steps) / (jnp.sqrt(square / (1 - SECOND_DECAY**steps)) + 1e-8)
        return weight - rate * (push + decay * weight)

    weights = jax.tree.map(moved, learner.weights, first, second)
    pace = jnp.maximum(averaging, 1 / steps)
    average = jax.tree.map(lambda old, new: old + pace * (new - old), learner.average, weights)
    return Learner(weights, first, second, average, steps), parts


def improved_all(
    learners: Sequence[Learner], batch: Batch, share: LossWeights, rate: Array, decay: float, averaging: float
) -> tuple[tuple[Learner, ...], Array]:
    """Let every network learn from the same batch; the parts of the losses are [network, part]."""
    pairs = [improved(learner, batch, share, rate, decay, averaging) for learner in learners]
    return tuple(learner for learner, _ in pairs), jnp.stack([parts for _, parts in pairs])
