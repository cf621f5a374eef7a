"""Reference implementation of the tree search around its simulations: root, rules, choice of the move and report."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from fourfall import Board
from fourfall._core import Choice, Proofs, Reward, TerminalTest, TreeConfig
from tests.random_reference import Random, scramble
from tests.search.rollout_reference import Grid
from tests.search.simulation_reference import Edge, Node, Simulator


@dataclass
class ReferenceTree:
    """A part of the tree, like the result of Engine.tree()."""

    column: int
    visits: int
    value: float
    proof: int | None
    distance: int | None
    children: "list[ReferenceTree]"


class TreeReference:
    """The tree search of one configuration; with `reuse`, nodes are kept between searches."""

    def __init__(self, config: TreeConfig, seed: int) -> None:
        self.config = config
        self.seed = seed
        self.root = Node()
        self.moves: list[int] | None = None
        self.known: dict[object, Node] = {}

    def search(self, board: Board, simulations: int) -> int:
        """Run a number of simulations, fewer if the root is proven before, and return the move."""
        self.grid, self.side = Grid.of(board), 1 if board.turn == 0 else -1
        self.root = self.find_reusable_root(board) or Node()
        self.known.setdefault((self.grid.key(), self.side), self.root)
        self.moves = board.moves
        random = Random(scramble(self.seed) ^ board.key)
        self.simulator = Simulator(self.config, self.root, self.grid, self.side, random, self.known)
        if not self.root.edges:
            self.simulator.expand(self.root, self.grid, self.side)
        self.simulations = 0
        rule_move = self.apply_root_rules()
        if rule_move is not None:
            return rule_move
        while self.simulations < simulations and (self.config.proofs == Proofs.NONE or self.root.proof is None):
            self.simulator.simulate()
            self.simulations += 1
        return self.choose_move()

    def find_reusable_root(self, board: Board) -> Node | None:
        """Return the node that an earlier search created for this position, or None."""
        if not self.config.reuse:
            self.known.clear()
            return None
        if self.config.graph:
            return self.known.get((self.grid.key(), self.side))
        if self.moves is None or board.moves[: len(self.moves)] != self.moves:
            return None
        node: Node | None = self.root
        for column in board.moves[len(self.moves) :]:
            children = [edge.child for edge in node.edges if edge.column == column] if node else []
            node = children[0] if children else None
        return node

    def apply_root_rules(self) -> int | None:
        """Return the column that a rule plays without a search, or None."""
        grid, side = self.grid, self.side
        wins, blocks = grid.immediate_wins(side), grid.immediate_wins(-side)
        if self.config.root_win and wins:
            return wins[0]
        if self.config.root_block and blocks:
            return blocks[0]
        for column in grid.open_columns() if self.config.root_double_threat else []:
            moved = grid.copy()
            moved.drop(column, side)
            if not moved.immediate_wins(-side) and len(moved.immediate_wins(side)) > 1:
                return column
        return None

    def choose_among(self, edges: list[Edge]) -> int:
        """Return the best column: proven wins first, proven losses last, otherwise by the configured choice."""
        has_distances = self.config.proofs in (Proofs.LATEST, Proofs.DISTANCES)

        def rank(edge: Edge) -> tuple[float, ...]:
            proof = edge.proof or 0 if self.config.proofs != Proofs.NONE else 0
            distance = -proof * edge.distance if has_distances else 0
            if self.config.choice == Choice.VISITS:
                return proof, distance, edge.visits, self.simulator.mean_reward(edge) if edge.visits else -math.inf
            return proof, distance, self.score_for_choice(edge), edge.visits

        return max(edges, key=rank).column

    def score_for_choice(self, edge: Edge) -> float:
        """Return the score of a move for the choices by value, by the sum of rewards and by the upper bound."""
        if not edge.visits:
            return -math.inf
        if self.config.choice == Choice.UPPER_BOUND:
            return self.simulator.upper_bound(self.root, edge)
        mean = self.simulator.mean_reward(edge)
        return mean * edge.visits if self.config.choice == Choice.REWARD_SUM else mean

    def choose_move(self) -> int:
        """Return the best column that the rules after the search allow."""
        edges = self.root.edges
        if not self.config.avoid_gifts and not self.config.avoid_double_threats:
            return self.choose_among(edges)
        no_win = [edge for edge in edges if not (self.config.avoid_gifts and self.allows_win(edge.column))]
        avoids_threats = self.config.avoid_double_threats
        no_threat = [edge for edge in no_win if not (avoids_threats and self.allows_double_threat(edge.column))]
        return self.choose_among(no_threat or no_win or edges[:1])

    def allows_win(self, column: int) -> bool:
        """Whether the opponent can win immediately after this move."""
        moved = self.grid.copy()
        moved.drop(column, self.side)
        return not self.grid.wins(column, self.side) and bool(moved.immediate_wins(-self.side))

    def allows_double_threat(self, column: int) -> bool:
        """Whether the opponent can make two winning cells after this move."""
        moved = self.grid.copy()
        moved.drop(column, self.side)
        for reply in moved.open_columns():
            replied = moved.copy()
            replied.drop(reply, -self.side)
            if len(replied.immediate_wins(-self.side)) > 1:
                return True
        return False

    def tree(self, depth: int) -> ReferenceTree:
        """Return the same tree as Engine.tree()."""
        visits = self.root.visits
        total = sum(edge.visits * self.compute_value(edge) for edge in self.root.edges)
        exact = self.root.proof is not None
        value = float(self.root.proof or 0) if exact else total / visits if visits else 0.0
        distance = self.root.distance if exact else None
        return ReferenceTree(-1, visits, value, self.root.proof, distance, list(self.list_children(self.root, depth)))

    def list_children(self, node: Node | None, depth: int) -> Iterator[ReferenceTree]:
        """Yield the visited edges of a node, without moves after the end of the game."""
        for edge in node.edges if node is not None and depth > 0 else []:
            if edge.visits > 0:
                exact = edge.proof is not None
                value = float(edge.proof or 0) if exact else self.compute_value(edge)
                distance = edge.distance if exact else None
                beyond_end = self.config.terminal_test == TerminalTest.INVERTED
                children = list(self.list_children(None if beyond_end else edge.child, depth - 1))
                yield ReferenceTree(edge.column, edge.visits, value, edge.proof, distance, children)

    def compute_value(self, edge: Edge) -> float:
        """Return the mean of an edge as -1..1."""
        if edge.visits == 0:
            return 0.0
        mean = self.simulator.mean_reward(edge)
        return 2 * mean - 1 if self.config.reward == Reward.UNIT else mean
