"""Gumbel search for self-play: sequential halving at the root, all trees of a batch in dense arrays.

The algorithm is that of Danihelka et al., "Policy improvement by planning with Gumbel" (ICLR 2022), with two additions
for this game: forced moves are followed without a network evaluation, and proofs are propagated towards the root. Every
simulation processes all nodes of all trees at once: one or two memory-bound kernels, which is cheaper than descending
the trees one level at a time.

Values in a tree are from the view of the side to move at the root; `side` is 1 at nodes where that side is to move,
else -1.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray

from training.config import SearchConfig
from training.network import ILLEGAL, Weights, evaluate
from training.rules import SIDE, Features, Position, find_landing_cells, follow_forced_moves, play

MAX_DEPTH = 16
"""Maximum number of nodes on a path; a longer descent is evaluated at the last of them."""

PENALTY = -1e4
"""Added to the score of moves that are chosen only if there is no other."""


class Tree(NamedTuple):
    """A batch of trees; node 0 is the root, node i + 1 is the node that simulation i added, if any."""

    own: Array  # int16 [n, nodes, 12]
    opponent: Array  # int16 [n, nodes, 12]
    children: Array  # int32 [n, nodes, 12]: child node of each move, 0 if there is none yet
    prior: Array  # float32 [n, nodes, 12]: logits, ILLEGAL where the move is not safe
    visits: Array  # float32 [n, nodes]
    value_sum: Array  # float32 [n, nodes]: sum of backed-up values, for the side to move at the root
    network_value: Array  # float32 [n, nodes]: for the side to move at the node
    side: Array  # float32 [n, nodes]
    terminal: Array  # bool [n, nodes]: the value is exact, the search does not descend further
    proof: Array  # float32 [n, nodes]: 1 or -1 if proven, for the side to move at the root; else 0


class SearchResult(NamedTuple):
    """Result of the search for each root."""

    action: Array  # int32 [n]
    policy: Array  # float32 [n, 12]: the improved policy
    value: Array  # float32 [n], for the side to move
    proof: Array  # float32 [n]: 1 or -1 if the search proved the result, else 0


def make_halving_table(considered: int, simulations: int, max_simulations: int) -> NDArray[np.int32]:
    """Return the schedule of sequential halving, int32 [considered + 1, max_simulations].

    Entry [m, i] is the number of visits that a root move must have to be searched in simulation i when m root moves
    take part.

    >>> make_halving_table(4, 8, 8)[4].tolist()
    [0, 0, 0, 0, 1, 1, 2, 2]
    """
    table = np.zeros((considered + 1, max_simulations), np.int32)
    for moves in range(considered + 1):
        order: list[int] = []
        visits, remaining = [0] * max(moves, 1), moves
        rounds = max(1, int(np.ceil(np.log2(max(moves, 1)))))
        while len(order) < simulations:
            if moves <= 1:
                order = list(range(simulations))
                break
            for _ in range(max(1, simulations // (rounds * remaining))):
                order += visits[:remaining]
                visits = [count + (move < remaining) for move, count in enumerate(visits)]
            remaining = max(2, remaining // 2)
        table[moves, :simulations] = order[:simulations]
    return table


class GumbelSearch(NamedTuple):
    """A search with its configuration; the fields that are arrays may change between calls without recompilation."""

    config: SearchConfig
    dtype: jnp.dtype
    simulations: Array  # int32
    table: Array  # int32 [considered_moves + 1, max_simulations], from make_halving_table
    noise: Array  # float32: factor of the Gumbel noise at the root, 1 in self-play, 0 in evaluation matches

    def search(self, weights: Weights, key: Array, position: Position, features: Features) -> SearchResult:
        """Search positions that are not over."""
        count = position.own.shape[0]
        tree = self._create_root(weights, position, features)
        gumbel = self.noise * jax.random.gumbel(key, (count, SIDE))
        considered = jnp.minimum(features.safe.sum(-1), self.config.considered_moves)
        schedule = self.table[considered]  # [n, max_simulations]

        def simulate(step: Array, tree: Tree) -> Tree:
            return self._simulate(weights, position, tree, gumbel, schedule, step)

        tree = jax.lax.fori_loop(0, self.simulations, simulate, tree)
        return self._select_result(tree, gumbel)

    def _create_root(self, weights: Weights, position: Position, features: Features) -> Tree:
        count, nodes = position.own.shape[0], self.config.max_simulations + 1
        prior, value = evaluate(weights, position, features, self.dtype)
        by_move, by_node = (count, nodes, SIDE), (count, nodes)
        return Tree(
            own=jnp.zeros(by_move, jnp.int16).at[:, 0].set(position.own.astype(jnp.int16)),
            opponent=jnp.zeros(by_move, jnp.int16).at[:, 0].set(position.opponent.astype(jnp.int16)),
            children=jnp.zeros(by_move, jnp.int32),
            prior=jnp.full(by_move, ILLEGAL).at[:, 0].set(prior),
            visits=jnp.zeros(by_node).at[:, 0].set(1),
            value_sum=jnp.zeros(by_node).at[:, 0].set(value),
            network_value=jnp.zeros(by_node).at[:, 0].set(value),
            side=jnp.ones(by_node),
            terminal=jnp.zeros(by_node, bool),
            proof=jnp.zeros(by_node),
        )

    def _evaluate_moves(self, tree: Tree) -> tuple[Array, Array, Array, Array]:
        """Return visits, improved logits, completed values and proofs of every move, each [n, nodes, 12].

        All but the visits are for the side to move at the node.
        """
        has_child = tree.children > 0
        flat = tree.children.reshape(tree.children.shape[0], -1)

        def of_child(numbers: Array) -> Array:
            return jnp.take_along_axis(numbers, flat, axis=1).reshape(tree.children.shape)

        visits = jnp.where(has_child, of_child(tree.visits), 0)
        proof = jnp.where(has_child, of_child(tree.proof), 0) * tree.side[..., None]
        mean = of_child(tree.value_sum / jnp.maximum(tree.visits, 1)) * tree.side[..., None]
        value = jnp.where(proof != 0, proof, mean)
        legal, visited = tree.prior > ILLEGAL / 2, visits > 0
        weight = jax.nn.softmax(tree.prior) * visited
        visited_value = (weight * value).sum(-1) / jnp.maximum(weight.sum(-1), 1e-9)
        total_visits = visits.sum(-1)
        mixed_value = (tree.network_value + total_visits * visited_value) / (1 + total_visits)
        completed = jnp.where(visited, value, mixed_value[..., None])
        low = jnp.where(legal, completed, jnp.inf).min(-1, keepdims=True)
        high = jnp.where(legal, completed, -jnp.inf).max(-1, keepdims=True)
        value_range = jnp.maximum(high - low, self.config.min_value_range)
        scale = self.config.value_scale * (self.config.visits_offset + visits.max(-1, keepdims=True))
        improved = jnp.where(legal, tree.prior + scale * (completed - low) / value_range, ILLEGAL)
        return visits, improved, completed, proof

    def _simulate(
        self, weights: Weights, position: Position, tree: Tree, gumbel: Array, schedule: Array, step: Array
    ) -> Tree:
        """Descend each tree once, add a node, and back up its value."""
        visits, improved, _, proof = self._evaluate_moves(tree)
        legal = tree.prior > ILLEGAL / 2
        tree = tree._replace(proof=_propagate_proofs(tree, proof, legal))
        scheduled = visits[:, 0] == jax.lax.dynamic_slice_in_dim(schedule, step, 1, axis=1)
        root_score = gumbel + improved[:, 0] + jnp.where(scheduled, 0, PENALTY)
        root_move = jnp.where(legal[:, 0], root_score, -jnp.inf).argmax(-1)
        score = jax.nn.softmax(improved) - visits / (1 + visits.sum(-1, keepdims=True))
        move = jnp.where(legal & (proof > -1), score, -jnp.inf).argmax(-1).at[:, 0].set(root_move)  # [n, nodes]
        child = jnp.take_along_axis(tree.children, move[..., None], axis=2)[..., 0]
        stops = (child == 0) | tree.terminal | (tree.proof != 0)
        stops = stops.at[:, 0].set(child[:, 0] == 0)
        path, leaf = _descend(jnp.where(stops, jnp.arange(child.shape[1]), child))
        expands = _at(child, leaf) == 0
        expands &= ~_at(tree.terminal, leaf) & ((_at(tree.proof, leaf) == 0) | (leaf == 0))
        tree, value = self._expand(weights, position, tree, leaf, _at(move, leaf), expands, step + 1)
        node = jnp.arange(tree.visits.shape[1])
        is_new = expands[:, None] & (node == step + 1)
        on_path = (node[None, :, None] == path[:, None, :]).any(-1) | is_new
        return tree._replace(visits=tree.visits + on_path, value_sum=tree.value_sum + on_path * value[:, None])

    def _expand(
        self, weights: Weights, position: Position, tree: Tree, leaf: Array, move: Array, expands: Array, node: Array
    ) -> tuple[Tree, Array]:
        """Add a child to `leaf` where `expands`; return the value to back up, for the side to move at the root."""
        batch = jnp.arange(leaf.shape[0])
        before = Position(
            tree.own[batch, leaf].astype(jnp.int32),
            tree.opponent[batch, leaf].astype(jnp.int32),
            position.board,
            position.playable,
        )
        after = play(before, find_landing_cells(before), move)
        after, features, played = follow_forced_moves(after, jnp.ones_like(expands), self.config.max_forced_moves)
        prior, value = evaluate(weights, after, features, self.dtype)
        value = jnp.where(features.over, features.result, value)
        side = _at(tree.side, leaf) * jnp.where(played % 2 == 0, -1.0, 1.0)
        proof = jnp.where(features.over & expands, features.result * side, 0)
        mean = _at(tree.value_sum / jnp.maximum(tree.visits, 1), leaf)  # exact at terminal nodes
        known = jnp.where(_at(tree.proof, leaf) != 0, _at(tree.proof, leaf), mean)
        child = jnp.where(expands, node, tree.children[batch, leaf, move])
        tree = tree._replace(
            own=_put(tree.own, node, after.own.astype(jnp.int16)),
            opponent=_put(tree.opponent, node, after.opponent.astype(jnp.int16)),
            children=tree.children.at[batch, leaf, move].set(child),
            prior=_put(tree.prior, node, prior),
            network_value=_put(tree.network_value, node, value),
            side=_put(tree.side, node, side),
            terminal=_put(tree.terminal, node, features.over),
            proof=_put(tree.proof, node, proof),
        )
        return tree, jnp.where(expands, value * side, known)

    def _select_result(self, tree: Tree, gumbel: Array) -> SearchResult:
        """Choose the move among the most visited root moves; compute policy, value and proof of the roots."""
        evaluated = self._evaluate_moves(tree)
        legal = tree.prior > ILLEGAL / 2
        root_proof = _propagate_proofs(tree, evaluated[3], legal)[:, 0]
        visits, improved, value, proof = (numbers[:, 0] for numbers in evaluated)
        most = visits.max(-1, keepdims=True)
        score = gumbel + improved + jnp.where(visits == most, 0, PENALTY) - 2 * PENALTY * proof
        policy = jax.nn.softmax(improved)
        visited = policy * (visits > 0)
        mean = (visited * value).sum(-1) / jnp.maximum(visited.sum(-1), 1e-9)
        action = jnp.where(legal[:, 0], score, -jnp.inf).argmax(-1).astype(jnp.int32)
        return SearchResult(action, policy, jnp.where(root_proof != 0, root_proof, jnp.clip(mean, -1, 1)), root_proof)


def _propagate_proofs(tree: Tree, proof: Array, legal: Array) -> Array:
    """Propagate proofs by one level: one winning move proves a win, and only losing moves prove a loss."""
    wins = (legal & (proof > 0)).any(-1)
    loses = (~legal | (proof < 0)).all(-1) & legal.any(-1)
    derived = jnp.where(wins, tree.side, jnp.where(loses, -tree.side, 0))
    return jnp.where(tree.proof != 0, tree.proof, derived)


def _descend(next_node: Array) -> tuple[Array, Array]:
    """Follow `next_node` from the root until a node points to itself; return the path [n, MAX_DEPTH] and its end."""
    node = jnp.zeros(next_node.shape[0], jnp.int32)
    path = [node]
    for _ in range(MAX_DEPTH - 1):
        node = _at(next_node, node)
        path.append(node)
    return jnp.stack(path, -1), node


def _at(numbers: Array, node: Array) -> Array:
    """Read the entry of one node in every tree."""
    return jnp.take_along_axis(numbers, node[:, None], axis=1)[:, 0]


def _put(numbers: Array, node: Array, new: Array) -> Array:
    """Write the entries of one node in every tree."""
    return jax.lax.dynamic_update_slice_in_dim(numbers, new[:, None].astype(numbers.dtype), node, axis=1)
