"""Reference implementation of one simulation of the tree search, slow and simple: the phases of a TreeConfig."""

import math
import struct
from dataclasses import dataclass, field

from fourfall._core import Expansion, Formula, Proofs, Reward, Sums, TerminalTest, TreeConfig
from tests.random_reference import Random
from tests.search.rollout_reference import Grid, play_rollout, weighted_columns

LOSS, DRAW, WIN = -1, 0, 1


@dataclass
class Node:
    """A position with its statistics; it has edges once it is expanded.

    `mean` and `first_result` (the result of the first visit) are for the side that moved here, `proof` is for the side
    to move.
    """

    edges: "list[Edge]" = field(default_factory=list)
    visits: int = 0
    proof: int | None = None
    distance: int = 0
    mean: float = 0.0
    first_result: int = 0


@dataclass
class Edge:
    """A move; values are for the side that makes it. `reward` is a sum in a tree and the child's mean in a graph."""

    column: int
    visits: int = 0
    reward: float = 0.0
    proof: int | None = None
    distance: int = 0
    child: Node | None = None


class Simulator:
    """Runs simulations from one root: each descends to a position that is new or proven and backs its value up.

    `known` maps every position of a graph to its node.
    """

    def __init__(
        self, config: TreeConfig, root: Node, grid: Grid, side: int, random: Random, known: dict[object, Node]
    ) -> None:
        self.config = config
        self.root = root
        self.grid = grid
        self.side = side
        self.random = random
        self.weighted_columns = weighted_columns(config.expansion_weights, len(grid.columns))
        self.known = known

    def simulate(self) -> None:
        """Descend from the root, evaluate the last position, and back the value up."""
        grid, side, node = self.grid.copy(), self.side, self.root
        path: list[tuple[Node, Edge]] = []
        value: float | None = None
        while value is None:
            edge = self.select(node)
            path.append((node, edge))
            won = grid.wins(edge.column, side)
            grid.drop(edge.column, side)
            side = -side
            follow = self.follow_in_graph if self.config.graph else self.follow_in_tree
            value = follow(edge, grid, side, won)
            if edge.child is not None:
                node = edge.child
        if self.config.graph:
            self.back_up_graph(path)
        else:
            self.back_up_tree(path, value)

    def select(self, node: Node) -> Edge:
        """Return the edge to follow: by the formula, or an unvisited one at random."""
        unvisited = [edge for edge in node.edges if edge.visits == 0]
        if self.config.expansion == Expansion.ALL or not unvisited:
            return self.select_by_formula(node)
        if self.config.revisit_fresh:
            for edge in node.edges:
                if edge.visits == 1 and edge.proof is None:
                    return edge
        while True:
            column = self.weighted_columns[self.random.below(len(self.weighted_columns))]
            for edge in unvisited:
                if edge.column == column:
                    return edge

    def select_by_formula(self, node: Node) -> Edge:
        """Return the leftmost of the edges with the highest upper confidence bound, without proven losses."""
        smoothed = self.config.formula == Formula.SMOOTHED
        best, best_bound = node.edges[0], -math.inf
        for edge in node.edges:
            if self.config.proofs != Proofs.NONE and edge.proof == LOSS:
                continue
            if edge.visits == 0 and not smoothed:
                return edge
            bound = self.upper_bound(node, edge)
            if bound > best_bound:
                best, best_bound = edge, bound
        return best

    def upper_bound(self, node: Node, edge: Edge) -> float:
        """Return the upper confidence bound of an edge by the configured formula."""
        smoothed = self.config.formula == Formula.SMOOTHED
        log = math.log(node.visits + 1.001) if smoothed else math.log(node.visits) if node.visits else -math.inf
        numerator = log if self.config.formula == Formula.UCB1 else 2 * log
        visits = edge.visits + (0.001 if smoothed else 0)
        return self.mean_reward(edge) + self.config.exploration * math.sqrt(numerator / visits)

    def mean_reward(self, edge: Edge) -> float:
        """Return the mean reward of a visited edge, on the configured scale."""
        if self.config.graph:
            return self.to_reward(edge.reward)
        return edge.reward / (edge.visits + (0.001 if self.config.formula == Formula.SMOOTHED else 0))

    def to_reward(self, value: float) -> float:
        """Convert a value of -1..1 to the configured scale."""
        return (1 + value) / 2 if self.config.reward == Reward.UNIT else value

    def test_for_end(self, edge: Edge, grid: Grid, side: int, won: bool) -> None:
        """Set the proof of an edge that ends the game, or that allows an immediate win if `end_on_win` is set."""
        if won:
            edge.proof, edge.distance = WIN, 1
        elif not grid.open_columns():
            edge.proof, edge.distance = DRAW, 1
        elif self.config.end_on_win and grid.immediate_wins(side):
            edge.proof, edge.distance = LOSS, 2

    def follow_in_tree(self, edge: Edge, grid: Grid, side: int, won: bool) -> float | None:
        """Return the value for the side that moved, or None if the simulation continues."""
        if self.config.terminal_test == TerminalTest.INVERTED:
            return self.follow_inverted(edge, grid, side)
        if edge.visits == (0 if self.config.terminal_test == TerminalTest.NEW else 1):
            self.test_for_end(edge, grid, side, won)
        if edge.proof is not None:
            return edge.proof
        if edge.visits == 0:
            return -play_rollout(self.config, grid, side, self.random)
        if edge.child is None:
            edge.child = Node()
            self.expand(edge.child, grid, side)
        return None

    def follow_inverted(self, edge: Edge, grid: Grid, side: int) -> float | None:
        """Do the same with the inverted test: only positions that have ended are expanded, from their second visit on.

        After the end of the game a side still has its four, so the test looks at the whole board.
        """
        if edge.visits == 0 or not grid.has_four(-side) or not grid.open_columns():
            return -play_rollout(self.config, grid, side, self.random)
        if edge.child is None:
            edge.child = Node()
            self.expand(edge.child, grid, side)
        return None

    def follow_in_graph(self, edge: Edge, grid: Grid, side: int, won: bool) -> float | None:
        """Do the same in a graph: a transposition returns the mean of its node."""
        if edge.child is not None:
            if edge.child.proof is not None:
                return edge.child.mean
            if not edge.child.edges:
                self.expand(edge.child, grid, side)
            return None
        edge.child = self.known.get((grid.key(), side))
        if edge.child is None:
            self.test_for_end(edge, grid, side, won)
            first_result = edge.proof if edge.proof is not None else -play_rollout(self.config, grid, side, self.random)
            proof = None if edge.proof is None else -edge.proof
            edge.child = Node([], 1, proof, max(0, edge.distance - 1), first_result, first_result)
            self.known[grid.key(), side] = edge.child
        return edge.child.mean

    def expand(self, node: Node, grid: Grid, side: int) -> None:
        """Create the edges of a node: all moves, or only the first block with `forced_replies`."""
        forced = self.config.forced_replies and not grid.immediate_wins(side)
        blocks = grid.immediate_wins(-side) if forced else []
        node.edges = [Edge(column) for column in (blocks[:1] or grid.open_columns())]

    def back_up_tree(self, path: list[tuple[Node, Edge]], value: float) -> None:
        """Add the value to every edge of the path, for the side that moved, and propagate proofs."""
        parents: list[Edge | None] = [None, *(edge for _, edge in path[:-1])]
        for (node, edge), parent in reversed(list(zip(path, parents, strict=True))):
            node.visits += 1
            edge.visits += 1
            edge.reward += self.to_reward(value)
            if self.config.sums == Sums.SINGLE:
                edge.reward = struct.unpack("f", struct.pack("f", edge.reward))[0]
            if self.config.proofs != Proofs.NONE and edge.proof is not None and node.proof is None:
                proof = self.update_proof(node, edge)
                if proof is not None:
                    value = proof
                    if parent is not None:
                        parent.proof, parent.distance = -proof, node.distance + 1
            value = -value

    def back_up_graph(self, path: list[tuple[Node, Edge]]) -> None:
        """Recompute every node of the path from its edges, the last node first."""
        for node, followed in reversed(path):
            followed.visits += 1
            total, node.visits = float(node.first_result), 1
            for edge in node.edges:
                if edge.child is not None:
                    child = edge.child
                    edge.reward = child.mean
                    edge.proof = None if child.proof is None else -child.proof
                    edge.distance = 0 if child.proof is None else child.distance + 1
                total -= edge.visits * edge.reward
                node.visits += edge.visits
            node.mean = total / node.visits
            if self.config.proofs != Proofs.NONE:
                proof = node.proof if node.proof is not None else self.update_proof(node, followed)
                if proof is not None:
                    node.mean = -float(proof)

    def update_proof(self, node: Node, latest: Edge) -> int | None:
        """Prove a node if its edges allow it: by one winning edge, or when all edges are proven."""
        proven = [(edge.proof, edge.distance) for edge in node.edges if edge.proof is not None]
        best = max(proof for proof, _ in proven) if proven else LOSS
        if best != WIN and len(proven) < len(node.edges):
            return None
        distances = [distance for proof, distance in proven if proof == best]
        node.proof, node.distance = best, min(distances) if best == WIN else max(distances)
        if best == LOSS and self.config.proofs == Proofs.LATEST:
            node.distance = latest.distance
        return best
