"""Owns the phases of one simulation a second time: slow, obvious, one step after the other, from one TreeConfig."""

import math
import struct
from dataclasses import dataclass, field

from fourfall._core import Expansion, Formula, Proofs, Reward, Sums, TerminalTest, TreeConfig
from tests.search.rollout_reference import Grid, Random, play_out, tickets

LOSS, DRAW, WIN = -1, 0, 1


@dataclass
class Node:
    """A position: what its own simulation said and what is known of it, and its moves once it is expanded.

    `mean` and `own` are for the side that moved here, `proof` is for the side to move.
    """

    edges: "list[Edge]" = field(default_factory=list)
    visits: int = 0
    proof: int | None = None
    distance: int = 0
    mean: float = 0.0
    own: int = 0


@dataclass
class Edge:
    """A move, seen by the side that makes it; `reward` is a sum in a tree and the child's mean in a graph."""

    column: int
    visits: int = 0
    reward: float = 0.0
    proof: int | None = None
    distance: int = 0
    child: Node | None = None


class Phases:
    """Simulations from one root: down to a position that is new or settled, and up again with its value.

    `known` holds the node of every position that a graph has met.
    """

    def __init__(
        self, config: TreeConfig, root: Node, grid: Grid, side: int, random: Random, known: dict[object, Node]
    ) -> None:
        self.config = config
        self.root = root
        self.grid = grid
        self.side = side
        self.random = random
        self.tickets = tickets(config.expansion_weights, len(grid.columns))
        self.known = known

    def simulate(self) -> None:
        """Walk down from the root, value the position where the walk ends, and pass the value up."""
        grid, side, node = self.grid.copy(), self.side, self.root
        path: list[tuple[Node, Edge]] = []
        value: float | None = None
        while value is None:
            edge = self.pick(node)
            path.append((node, edge))
            won = grid.wins(edge.column, side)
            grid.drop(edge.column, side)
            side = -side
            arrive = self.arrive_in_graph if self.config.graph else self.arrive_in_tree
            value = arrive(edge, grid, side, won)
            if edge.child is not None:
                node = edge.child
        if self.config.graph:
            self.back_up_graph(path)
        else:
            self.back_up_tree(path, value)

    def pick(self, node: Node) -> Edge:
        """Select among the open moves, or open the next one."""
        fresh = [edge for edge in node.edges if edge.visits == 0]
        if self.config.expansion == Expansion.ALL or not fresh:
            return self.select(node)
        if self.config.revisit_fresh:
            for edge in node.edges:
                if edge.visits == 1 and edge.proof is None:
                    return edge
        while True:
            column = self.tickets[self.random.below(len(self.tickets))]
            for edge in fresh:
                if edge.column == column:
                    return edge

    def select(self, node: Node) -> Edge:
        """Take the leftmost of the moves with the highest upper confidence bound, known losses left out."""
        smoothed = self.config.formula == Formula.SMOOTHED
        log = math.log(node.visits + 1.001) if smoothed else math.log(node.visits) if node.visits else -math.inf
        inside = log if self.config.formula == Formula.UCB1 else 2 * log
        best, best_index = node.edges[0], -math.inf
        for edge in node.edges:
            if self.config.proofs != Proofs.NONE and edge.proof == LOSS:
                continue
            if edge.visits == 0 and not smoothed:
                return edge
            visits = edge.visits + (0.001 if smoothed else 0)
            index = self.mean_of(edge) + self.config.exploration * math.sqrt(inside / visits)
            if index > best_index:
                best, best_index = edge, index
        return best

    def mean_of(self, edge: Edge) -> float:
        """Return the mean reward of a move that was visited, on the configuration's scale."""
        if self.config.graph:
            return self.reward_of(edge.reward)
        return edge.reward / (edge.visits + (0.001 if self.config.formula == Formula.SMOOTHED else 0))

    def reward_of(self, value: float) -> float:
        """Return a value of -1..1 on the configuration's scale."""
        return (1 + value) / 2 if self.config.reward == Reward.UNIT else value

    def examine(self, edge: Edge, grid: Grid, side: int, won: bool) -> None:
        """Settle a move that ends the game, or after which the other side wins at once if that counts as the end."""
        if won:
            edge.proof, edge.distance = WIN, 1
        elif not grid.open_columns():
            edge.proof, edge.distance = DRAW, 1
        elif self.config.end_on_win and grid.wins_at_once(side):
            edge.proof, edge.distance = LOSS, 2

    def arrive_in_tree(self, edge: Edge, grid: Grid, side: int, won: bool) -> float | None:
        """Return the value for the side that moved, or None where the walk goes on."""
        if edge.visits == (0 if self.config.terminal_test == TerminalTest.NEW else 1):
            self.examine(edge, grid, side, won)
        if edge.proof is not None:
            return edge.proof
        if edge.visits == 0:
            return -play_out(self.config, grid, side, self.random)
        if edge.child is None:
            edge.child = Node()
            self.expand(edge.child, grid, side)
        return None

    def arrive_in_graph(self, edge: Edge, grid: Grid, side: int, won: bool) -> float | None:
        """Do the same where transpositions share a node: a known position brings its value along."""
        if edge.child is not None:
            if edge.child.proof is not None:
                return edge.child.mean
            if not edge.child.edges:
                self.expand(edge.child, grid, side)
            return None
        edge.child = self.known.get((grid.key(), side))
        if edge.child is None:
            self.examine(edge, grid, side, won)
            own = edge.proof if edge.proof is not None else -play_out(self.config, grid, side, self.random)
            proof = None if edge.proof is None else -edge.proof
            edge.child = Node([], 1, proof, max(0, edge.distance - 1), own, own)
            self.known[grid.key(), side] = edge.child
        return edge.child.mean

    def expand(self, node: Node, grid: Grid, side: int) -> None:
        """Give a node its moves: all, or only the first block where replies are forced."""
        forced = self.config.forced_replies and not grid.wins_at_once(side)
        blocks = grid.wins_at_once(-side) if forced else []
        node.edges = [Edge(column) for column in (blocks[:1] or grid.open_columns())]

    def back_up_tree(self, path: list[tuple[Node, Edge]], value: float) -> None:
        """Add the value to every move of the walk, for the side that made it, and pass proofs up."""
        above: list[Edge | None] = [None, *(edge for _, edge in path[:-1])]
        for (node, edge), edge_above in reversed(list(zip(path, above, strict=True))):
            node.visits += 1
            edge.visits += 1
            edge.reward += self.reward_of(value)
            if self.config.sums == Sums.SINGLE:
                edge.reward = struct.unpack("f", struct.pack("f", edge.reward))[0]
            if self.config.proofs != Proofs.NONE and edge.proof is not None and node.proof is None:
                proof = self.update_proof(node, edge)
                if proof is not None:
                    value = proof
                    if edge_above is not None:
                        edge_above.proof, edge_above.distance = -proof, node.distance + 1
            value = -value

    def back_up_graph(self, path: list[tuple[Node, Edge]]) -> None:
        """Compute every node of the walk anew from its moves, the last one first."""
        for node, walked in reversed(path):
            walked.visits += 1
            total, node.visits = float(node.own), 1
            for edge in node.edges:
                if edge.child is not None:
                    below = edge.child
                    edge.reward = below.mean
                    edge.proof = None if below.proof is None else -below.proof
                    edge.distance = 0 if below.proof is None else below.distance + 1
                total -= edge.visits * edge.reward
                node.visits += edge.visits
            node.mean = total / node.visits
            if self.config.proofs != Proofs.NONE:
                proof = node.proof if node.proof is not None else self.update_proof(node, walked)
                if proof is not None:
                    node.mean = -float(proof)

    def update_proof(self, node: Node, latest: Edge) -> int | None:
        """Settle a node if its moves allow it: won by one winning move, otherwise when all moves are settled."""
        settled = [(edge.proof, edge.distance) for edge in node.edges if edge.proof is not None]
        best = max(proof for proof, _ in settled) if settled else LOSS
        if best != WIN and len(settled) < len(node.edges):
            return None
        distances = [distance for proof, distance in settled if proof == best]
        node.proof, node.distance = best, min(distances) if best == WIN else max(distances)
        if best == LOSS and self.config.proofs == Proofs.LATEST:
            node.distance = latest.distance
        return best
