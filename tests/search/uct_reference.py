"""Owns the tree search a second time, around its phases: the root, its rules, the choice and the report."""

from collections.abc import Iterator
from dataclasses import dataclass

from fourfall import Board
from fourfall._core import Choice, Proofs, Reward, TreeConfig
from tests.search.phases_reference import Edge, Node, Phases
from tests.search.rollout_reference import Grid, Random, scramble


@dataclass
class Report:
    """A part of the tree, as Engine.tree() reports it."""

    column: int
    visits: int
    value: float
    proof: int | None
    distance: int | None
    children: "list[Report]"


class UctReference:
    """The tree search of one configuration; keeps what the configuration says to keep between two searches."""

    def __init__(self, config: TreeConfig, seed: int) -> None:
        self.config = config
        self.seed = seed
        self.root = Node()
        self.moves: list[int] | None = None
        self.known: dict[object, Node] = {}

    def search(self, board: Board, simulations: int) -> int:
        """Run so many simulations, fewer if the result is proven before; returns the move."""
        self.grid, self.side = Grid.of(board), 1 if board.turn == 0 else -1
        self.root = self.kept_root(board) or Node()
        self.known.setdefault((self.grid.key(), self.side), self.root)
        self.moves = board.moves
        random = Random(scramble(self.seed) ^ board.key)
        self.phases = Phases(self.config, self.root, self.grid, self.side, random, self.known)
        if not self.root.edges:
            self.phases.expand(self.root, self.grid, self.side)
        self.simulations = 0
        ruled = self.rule_before()
        if ruled is not None:
            return ruled
        while self.simulations < simulations and (self.config.proofs == Proofs.NONE or self.root.proof is None):
            self.phases.simulate()
            self.simulations += 1
        return self.choose_after_rules()

    def kept_root(self, board: Board) -> Node | None:
        """Find what an earlier search left for this position."""
        if not self.config.reuse:
            self.known.clear()
            return None
        if self.config.graph:
            return self.known.get((self.grid.key(), self.side))
        if self.moves is None or board.moves[: len(self.moves)] != self.moves:
            return None
        node: Node | None = self.root
        for column in board.moves[len(self.moves) :]:
            below = [edge.child for edge in node.edges if edge.column == column] if node else []
            node = below[0] if below else None
        return node

    def rule_before(self) -> int | None:
        """Return the move that a rule prescribes without a search."""
        grid, side = self.grid, self.side
        wins, blocks = grid.wins_at_once(side), grid.wins_at_once(-side)
        if self.config.root_win and wins:
            return wins[0]
        if self.config.root_block and blocks:
            return blocks[0]
        for column in grid.open_columns() if self.config.root_double_threat else []:
            after = grid.copy()
            after.drop(column, side)
            if not after.wins_at_once(-side) and len(after.wins_at_once(side)) > 1:
                return column
        return None

    def choose(self, edges: list[Edge]) -> int:
        """Return the best move: proven wins first and proven losses last, in between the configured choice."""
        distances = self.config.proofs in (Proofs.LATEST, Proofs.DISTANCES)

        def rank(edge: Edge) -> tuple[float, ...]:
            proof = edge.proof or 0 if self.config.proofs != Proofs.NONE else 0
            distance = -proof * edge.distance if distances else 0
            mean = self.phases.mean_of(edge) if edge.visits else -2.0
            order = (edge.visits, mean) if self.config.choice == Choice.VISITS else (mean, edge.visits)
            return proof, distance, *order

        return max(edges, key=rank).column

    def choose_after_rules(self) -> int:
        """Return the best move that gives the opponent nothing, or as little as the rules after the search can."""
        edges = self.root.edges
        if not self.config.avoid_gifts and not self.config.avoid_double_threats:
            return self.choose(edges)
        harmless = [e for e in edges if not (self.config.avoid_gifts and self.gives_win(e.column))]
        calm = [e for e in harmless if not (self.config.avoid_double_threats and self.gives_double_threat(e.column))]
        return self.choose(calm or harmless or edges[:1])

    def gives_win(self, column: int) -> bool:
        """Whether the opponent wins at once after this move."""
        after = self.grid.copy()
        after.drop(column, self.side)
        return not self.grid.wins(column, self.side) and bool(after.wins_at_once(-self.side))

    def gives_double_threat(self, column: int) -> bool:
        """Whether the opponent can reach two wins at once after this move."""
        after = self.grid.copy()
        after.drop(column, self.side)
        for reply in after.open_columns():
            answered = after.copy()
            answered.drop(reply, -self.side)
            if len(answered.wins_at_once(-self.side)) > 1:
                return True
        return False

    def tree(self, depth: int) -> Report:
        """Return what Engine.tree() returns."""
        visits = self.root.visits
        total = sum(edge.visits * self.value_of(edge) for edge in self.root.edges)
        exact = self.root.proof is not None
        value = float(self.root.proof or 0) if exact else total / visits if visits else 0.0
        distance = self.root.distance if exact else None
        return Report(-1, visits, value, self.root.proof, distance, list(self.below(self.root, depth)))

    def below(self, node: Node | None, depth: int) -> Iterator[Report]:
        """Yield the visited moves of a node."""
        for edge in node.edges if node is not None and depth > 0 else []:
            if edge.visits > 0:
                exact = edge.proof is not None
                value = float(edge.proof or 0) if exact else self.value_of(edge)
                distance = edge.distance if exact else None
                below = list(self.below(edge.child, depth - 1))
                yield Report(edge.column, edge.visits, value, edge.proof, distance, below)

    def value_of(self, edge: Edge) -> float:
        """Return the mean of a move as -1..1."""
        if edge.visits == 0:
            return 0.0
        return 2 * self.phases.mean_of(edge) - 1 if self.config.reward == Reward.UNIT else self.phases.mean_of(edge)
