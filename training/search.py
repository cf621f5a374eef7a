"""Owns the search of self-play: Gumbel root choice with sequential halving, all trees of a batch in dense arrays.

Danihelka et al., "Policy improvement by planning with Gumbel" (ICLR 2022), with two additions for this game: only moves
are followed without asking the network, and proofs travel towards the root. Every simulation looks at all nodes of all
trees at once; that is one or two memory-bound kernels, cheaper than walking the trees one level at a time.

Values in a tree are the root mover's; `side` is 1 at nodes where the root's mover is to move, else -1.
"""

from dataclasses import dataclass
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray

from training.network import ILLEGAL, Weights, prior_and_value
from training.rules import SIDE, Outlook, Position, landing, play, settle

PATH = 16
"""No descent goes deeper than this many nodes; one that would be is valued where it stands."""

LAST_RESORT = -1e4
"""Added to moves that are chosen only if there is no other."""


@dataclass(frozen=True)
class SearchSettings:
    """How to search; the simulations themselves are an argument, because they change during a run."""

    considered: int = 8
    """Root moves that take part in sequential halving."""
    most_simulations: int = 64
    """Room in the trees."""
    value_scale: float = 0.1
    """How much the search's values outweigh the prior."""
    visits_offset: float = 50.0
    """Visits added in that weighing, so that a few simulations already count."""
    spread_floor: float = 0.2
    """Values closer together than this are not stretched further apart: their differences are mostly noise."""
    only_moves: int = 2
    """How many only moves in a row are followed without asking the network."""


class Tree(NamedTuple):
    """A batch of trees; node 0 is the root, node i + 1 is what simulation i added, if it added one."""

    mine: Array  # int16 [n, nodes, 12]
    theirs: Array
    children: Array  # int32 [n, nodes, 12]: the node behind each move, 0 where there is none yet
    prior: Array  # float32 [n, nodes, 12]: logits, ILLEGAL where the move is not safe
    visits: Array  # float32 [n, nodes]
    total: Array  # float32 [n, nodes]: sum of the values that came through here, for the root's mover
    first: Array  # float32 [n, nodes]: the network's value, for the node's mover
    side: Array  # float32 [n, nodes]
    closed: Array  # bool [n, nodes]: exact, never descended into
    proof: Array  # float32 [n, nodes]: 1 or -1 where the result is known, for the root's mover; else 0


class Found(NamedTuple):
    """What a search says about each root."""

    action: Array  # int32 [n]
    policy: Array  # float32 [n, 12]: the improved policy
    value: Array  # float32 [n], for the side to move
    proof: Array  # float32 [n]: 1 or -1 where the search proved it, else 0


def halving_table(considered: int, simulations: int, most: int) -> NDArray[np.int32]:
    """Return, for each number of root moves, how often a move must have been visited to be next in each simulation.

    >>> halving_table(4, 8, 8)[4].tolist()
    [0, 0, 0, 0, 1, 1, 2, 2]
    """
    table = np.zeros((considered + 1, most), np.int32)
    for moves in range(considered + 1):
        order: list[int] = []
        visits, left = [0] * max(moves, 1), moves
        rounds = max(1, int(np.ceil(np.log2(max(moves, 1)))))
        while len(order) < simulations:
            if moves <= 1:
                order = list(range(simulations))
                break
            for _ in range(max(1, simulations // (rounds * left))):
                order += visits[:left]
                visits = [count + (move < left) for move, count in enumerate(visits)]
            left = max(2, left // 2)
        table[moves, :simulations] = order[:simulations]
    return table


class Searcher(NamedTuple):
    """A search made ready: how, with how many simulations, and with how much chance at the root."""

    settings: SearchSettings
    dtype: jnp.dtype
    simulations: Array  # int32
    table: Array  # int32 [considered + 1, most_simulations], of halving_table
    chance: Array  # float32: 1 in self-play, 0 in matches

    def search(self, weights: Weights, key: Array, position: Position, outlook: Outlook) -> Found:
        """Search positions that are not over."""
        count = position.mine.shape[0]
        tree = self._root(weights, position, outlook)
        gumbel = self.chance * jax.random.gumbel(key, (count, SIDE))
        considered = jnp.minimum(outlook.safe.sum(-1), self.settings.considered)
        wanted = self.table[considered]  # [n, most_simulations]

        def simulate(step: Array, tree: Tree) -> Tree:
            return self._simulate(weights, position, tree, gumbel, wanted, step)

        tree = jax.lax.fori_loop(0, self.simulations, simulate, tree)
        return self._conclude(tree, gumbel)

    def _root(self, weights: Weights, position: Position, outlook: Outlook) -> Tree:
        count, nodes = position.mine.shape[0], self.settings.most_simulations + 1
        prior, value = prior_and_value(weights, position, outlook, self.dtype)
        wide, narrow = (count, nodes, SIDE), (count, nodes)
        return Tree(
            mine=jnp.zeros(wide, jnp.int16).at[:, 0].set(position.mine.astype(jnp.int16)),
            theirs=jnp.zeros(wide, jnp.int16).at[:, 0].set(position.theirs.astype(jnp.int16)),
            children=jnp.zeros(wide, jnp.int32),
            prior=jnp.full(wide, ILLEGAL).at[:, 0].set(prior),
            visits=jnp.zeros(narrow).at[:, 0].set(1),
            total=jnp.zeros(narrow).at[:, 0].set(value),
            first=jnp.zeros(narrow).at[:, 0].set(value),
            side=jnp.ones(narrow),
            closed=jnp.zeros(narrow, bool),
            proof=jnp.zeros(narrow),
        )

    def _moves(self, tree: Tree) -> tuple[Array, Array, Array, Array]:
        """Return for every move of every node its visits, and for the node's mover improved logits, values, proofs."""
        there = tree.children > 0
        flat = tree.children.reshape(tree.children.shape[0], -1)

        def of_child(numbers: Array) -> Array:
            return jnp.take_along_axis(numbers, flat, axis=1).reshape(tree.children.shape)

        visits = jnp.where(there, of_child(tree.visits), 0)
        proof = jnp.where(there, of_child(tree.proof), 0) * tree.side[..., None]
        mean = of_child(tree.total / jnp.maximum(tree.visits, 1)) * tree.side[..., None]
        value = jnp.where(proof != 0, proof, mean)
        legal, tried = tree.prior > ILLEGAL / 2, visits > 0
        share = jax.nn.softmax(tree.prior) * tried
        tried_value = (share * value).sum(-1) / jnp.maximum(share.sum(-1), 1e-9)
        number = visits.sum(-1)
        mixed = (tree.first + number * tried_value) / (1 + number)
        complete = jnp.where(tried, value, mixed[..., None])
        low = jnp.where(legal, complete, jnp.inf).min(-1, keepdims=True)
        high = jnp.where(legal, complete, -jnp.inf).max(-1, keepdims=True)
        spread = jnp.maximum(high - low, self.settings.spread_floor)
        weight = self.settings.value_scale * (self.settings.visits_offset + visits.max(-1, keepdims=True))
        improved = jnp.where(legal, tree.prior + weight * (complete - low) / spread, ILLEGAL)
        return visits, improved, complete, proof

    def _simulate(
        self, weights: Weights, position: Position, tree: Tree, gumbel: Array, wanted: Array, step: Array
    ) -> Tree:
        """Walk down each tree once, add a node, and hand its value to all nodes above it."""
        visits, improved, _, proof = self._moves(tree)
        legal = tree.prior > ILLEGAL / 2
        tree = tree._replace(proof=_proved(tree, proof, legal))
        at_turn = visits[:, 0] == jax.lax.dynamic_slice_in_dim(wanted, step, 1, axis=1)
        root_score = gumbel + improved[:, 0] + jnp.where(at_turn, 0, LAST_RESORT)
        root_move = jnp.where(legal[:, 0], root_score, -jnp.inf).argmax(-1)
        hope = jax.nn.softmax(improved) - visits / (1 + visits.sum(-1, keepdims=True))
        move = jnp.where(legal & (proof > -1), hope, -jnp.inf).argmax(-1).at[:, 0].set(root_move)  # [n, nodes]
        below = jnp.take_along_axis(tree.children, move[..., None], axis=2)[..., 0]
        stops = (below == 0) | tree.closed | (tree.proof != 0)
        stops = stops.at[:, 0].set(below[:, 0] == 0)
        path, leaf = _walk(jnp.where(stops, jnp.arange(below.shape[1]), below))
        grows = _at(below, leaf) == 0
        grows &= ~_at(tree.closed, leaf) & ((_at(tree.proof, leaf) == 0) | (leaf == 0))
        tree, value = self._grow(weights, position, tree, leaf, _at(move, leaf), grows, step + 1)
        here = jnp.arange(tree.visits.shape[1])
        new = grows[:, None] & (here == step + 1)
        passed = (here[None, :, None] == path[:, None, :]).any(-1) | new
        return tree._replace(visits=tree.visits + passed, total=tree.total + passed * value[:, None])

    def _grow(
        self, weights: Weights, position: Position, tree: Tree, leaf: Array, move: Array, grows: Array, node: Array
    ) -> tuple[Tree, Array]:
        """Add a node behind a leaf's move where the tree grows; return the simulation's value for the root's mover."""
        batch = jnp.arange(leaf.shape[0])
        before = Position(
            tree.mine[batch, leaf].astype(jnp.int32),
            tree.theirs[batch, leaf].astype(jnp.int32),
            position.board,
            position.playable,
        )
        after = play(before, landing(before), move)
        after, outlook, made = settle(after, jnp.ones_like(grows), self.settings.only_moves)
        prior, value = prior_and_value(weights, after, outlook, self.dtype)
        value = jnp.where(outlook.over, outlook.result, value)
        side = _at(tree.side, leaf) * jnp.where(made % 2 == 0, -1.0, 1.0)
        proof = jnp.where(outlook.over & grows, outlook.result * side, 0)
        mean = _at(tree.total / jnp.maximum(tree.visits, 1), leaf)  # exact at closed nodes: nothing else came through
        known = jnp.where(_at(tree.proof, leaf) != 0, _at(tree.proof, leaf), mean)
        tree = tree._replace(
            mine=_put(tree.mine, node, after.mine.astype(jnp.int16)),
            theirs=_put(tree.theirs, node, after.theirs.astype(jnp.int16)),
            children=tree.children.at[batch, leaf, move].set(jnp.where(grows, node, tree.children[batch, leaf, move])),
            prior=_put(tree.prior, node, prior),
            first=_put(tree.first, node, value),
            side=_put(tree.side, node, side),
            closed=_put(tree.closed, node, outlook.over),
            proof=_put(tree.proof, node, proof),
        )
        return tree, jnp.where(grows, value * side, known)

    def _conclude(self, tree: Tree, gumbel: Array) -> Found:
        """Choose among the most visited root moves, and say what the roots are worth."""
        roots = self._moves(tree)
        legal = tree.prior > ILLEGAL / 2
        proved = _proved(tree, roots[3], legal)[:, 0]
        visits, improved, value, proof = (numbers[:, 0] for numbers in roots)
        most = visits.max(-1, keepdims=True)
        score = gumbel + improved + jnp.where(visits == most, 0, LAST_RESORT) - 2 * LAST_RESORT * proof
        policy = jax.nn.softmax(improved)
        tried = policy * (visits > 0)
        mean = (tried * value).sum(-1) / jnp.maximum(tried.sum(-1), 1e-9)
        action = jnp.where(legal[:, 0], score, -jnp.inf).argmax(-1).astype(jnp.int32)
        return Found(action, policy, jnp.where(proved != 0, proved, jnp.clip(mean, -1, 1)), proved)


def _proved(tree: Tree, proof: Array, legal: Array) -> Array:
    """Let proofs rise by one node: a move that wins is a win, and where every move loses all is lost."""
    wins = (legal & (proof > 0)).any(-1)
    loses = (~legal | (proof < 0)).all(-1) & legal.any(-1)
    risen = jnp.where(wins, tree.side, jnp.where(loses, -tree.side, 0))
    return jnp.where(tree.proof != 0, tree.proof, risen)


def _walk(onward: Array) -> tuple[Array, Array]:
    """Follow the chosen moves from the root until a node leads to itself; return all nodes [n, PATH], and the last."""
    node = jnp.zeros(onward.shape[0], jnp.int32)
    path = [node]
    for _ in range(PATH - 1):
        node = _at(onward, node)
        path.append(node)
    return jnp.stack(path, -1), node


def _at(numbers: Array, node: Array) -> Array:
    """Pick one node's number in every tree."""
    return jnp.take_along_axis(numbers, node[:, None], axis=1)[:, 0]


def _put(numbers: Array, node: Array, new: Array) -> Array:
    """Write one node's numbers in every tree."""
    return jax.lax.dynamic_update_slice_in_dim(numbers, new[:, None].astype(numbers.dtype), node, axis=1)
