"""Graph search with PUCT, proven bounds and a network that evaluates several positions at once.

Values and bounds of a node are for its side to move, those of an edge for the side that makes the move. A proven result
is one number: won with the e-th stone of the game is 256 - e, lost with it e - 256, drawn 0.
"""

import math
import time

from fourfall.exports.kaggle.network import Network
from fourfall.exports.kaggle.rules import Rules, split_cells

EXPLORATION = 1.4
FIRST_PLAY_URGENCY = 0.25
BATCH = 8

_WIN = 256
_BOUND = 255
_MAX_NODES = 150_000  # about 2 KB each
_MAX_COLLISIONS = 2


class Node:
    """A position with its edges, one for each safe move."""

    __slots__ = (
        "children",
        "evaluation",
        "highs",
        "is_ready",
        "lower",
        "lows",
        "moves",
        "opponent",
        "own",
        "pending",
        "priors",
        "result",
        "stones",
        "total",
        "upper",
        "value",
        "values",
        "visits",
    )

    def __init__(self, rules: Rules, own: int, opponent: int) -> None:
        self.own, self.opponent = own, opponent
        self.stones = (own | opponent).bit_count()
        self.total = 0
        self.value = 0.0
        self.evaluation: float | None = None
        self.result: int | None = None  # 1, 0 or -1 if proven
        self.lower, self.upper = -_BOUND, _BOUND
        self.moves = self._find_moves(rules)
        count = len(self.moves)
        self.priors = [1.0] * count
        self.visits, self.pending = [0] * count, [0] * count
        self.values = [0.0] * count
        self.lows, self.highs = [-_BOUND] * count, [_BOUND] * count
        self.children: list[Node | None] = [None] * count
        self.is_ready = self.result is not None or count == 1  # a forced move needs no evaluation

    def _find_moves(self, rules: Rules) -> list[int]:
        """Return the safe moves; a position decided by its next three stones becomes proven instead."""
        occupied = self.own | self.opponent
        free = rules.playable & ~occupied
        landing = rules.landing_cells(occupied)
        own_wins = rules.completing_cells(self.own) & free
        if own_wins & landing:
            return self._prove(_WIN - self.stones - 1)
        if not landing:
            return self._prove(0)
        opposing_wins = rules.completing_cells(self.opponent) & free
        safe = rules.safe_moves(landing, opposing_wins)
        if not safe:
            return self._prove(self.stones + 2 - _WIN)
        # Two winning cells, one above the other, over a safe move: the opponent can take only the first.
        stacked = own_wins & rules.cells_below(own_wins)
        if (decisive := rules.cells_below(stacked) & safe) and not landing & opposing_wins:
            self._prove(_WIN - self.stones - 3)
            return split_cells(decisive)
        return split_cells(safe)

    def _prove(self, bound: int) -> list[int]:
        self.lower = self.upper = bound
        self.result = (bound > 0) - (bound < 0)
        self.value = float(self.result)
        return []

    def select(self) -> int:
        """Return the index of the move with the greatest PUCT score among those that can improve the lower bound."""
        visits, pending, priors, values, highs = self.visits, self.pending, self.priors, self.values, self.highs
        visited = sum([prior for prior, count in zip(priors, visits, strict=True) if count])
        urgency = self.value - FIRST_PLAY_URGENCY * math.sqrt(visited)
        scale = EXPLORATION * math.sqrt(1 + self.total + sum(pending))
        best, best_score = 0, -math.inf
        for index, prior in enumerate(priors):
            if highs[index] > self.lower:
                count = visits[index]
                score = (values[index] if count else urgency) + scale * prior / (1 + count + pending[index])
                if score > best_score:
                    best, best_score = index, score
        return best

    def back_up(self, index: int) -> None:
        """Count a visit of an edge, take over the value and bounds of its child, and update the node."""
        child = self.children[index]
        assert child is not None  # noqa: S101 (the edge was followed)
        self.pending[index] -= 1
        self.visits[index] += 1
        self.total += 1
        self.values[index] = -child.value
        self.lows[index], self.highs[index] = -child.upper, -child.lower
        self.update()

    def update(self) -> None:
        """Compute bounds and value from the edges; edges that are proven lost do not count in the mean."""
        if self.result is not None:
            return
        self.lower, self.upper = max(self.lows), max(self.highs)
        if self.lower > 0 or self.upper < 0 or self.lower == self.upper:
            self.result = (self.lower > 0) - (self.upper < 0)
            self.value = float(self.result)
            return
        total, count = (0.0, 0) if self.evaluation is None else (self.evaluation, 1)
        for visits, value, high in zip(self.visits, self.values, self.highs, strict=True):
            if visits and high >= 0:
                total += visits * value
                count += visits
        if count:
            self.value = total / count


class GraphSearch:
    """Searches positions of one board size; the nodes are kept from move to move."""

    def __init__(self, rules: Rules, network: Network) -> None:
        self._rules, self._network = rules, network
        self._nodes: dict[tuple[int, int], Node] = {}
        self._longest_batch_s = 0.0

    def search(self, own: int, opponent: int, until: float, simulations: int | None = None) -> Node:
        """Search until a time of `time.perf_counter()`, a number of simulations or a proof; return the root.

        At least the root is evaluated.
        """
        self._discard_earlier((own | opponent).bit_count())
        root = self._find_node(own, opponent)
        if not root.is_ready:
            self._evaluate([root])
        first = root.total
        while root.result is None and len(self._nodes) < _MAX_NODES:
            done = root.total - first
            if simulations is not None and done >= simulations:
                break
            begin = time.perf_counter()
            if begin + 1.5 * self._longest_batch_s >= until:
                break
            size = min(BATCH, 1 + root.total // BATCH)
            self._simulate_batch(root, size if simulations is None else min(size, simulations - done))
            self._longest_batch_s = max(0.98 * self._longest_batch_s, time.perf_counter() - begin)
        return root

    def _simulate_batch(self, root: Node, size: int) -> None:
        """Make simulations until `size` positions need an evaluation; evaluate them and back the results up."""
        leaves: list[Node] = []
        paths: list[list[tuple[Node, int]]] = []
        collisions = 0
        for _ in range(4 * size):
            path: list[tuple[Node, int]] = []
            leaf = self._descend(root, path)
            if leaf is None:
                _back_up(path)
            elif leaf in leaves:
                for node, index in path:
                    node.pending[index] -= 1
                collisions += 1
            else:
                leaves.append(leaf)
                paths.append(path)
            if len(leaves) == size or collisions > _MAX_COLLISIONS or root.result is not None:
                break
        if leaves:
            self._evaluate(leaves)
            for path in paths:
                _back_up(path)

    def _descend(self, root: Node, path: list[tuple[Node, int]]) -> Node | None:
        """Follow the selected moves to a position that needs an evaluation; None if the path ends without one."""
        node = root
        while node.result is None:
            if not node.is_ready:
                return node
            index = node.select()
            path.append((node, index))
            node.pending[index] += 1
            child = node.children[index]
            if child is None:
                child = self._find_node(node.opponent, node.own | node.moves[index])
                node.children[index] = child
            if child.is_ready and child.total > node.visits[index] and len(child.moves) > 1:
                return None  # other parents know this position better than the edge does
            node = child
        return None

    def _find_node(self, own: int, opponent: int) -> Node:
        node = self._nodes.get((own, opponent))
        if node is None:
            node = self._nodes[own, opponent] = Node(self._rules, own, opponent)
        return node

    def _evaluate(self, leaves: list[Node]) -> None:
        """Set the values and priors of positions by the network; the priors are a softmax over the safe moves."""
        values, logits = self._network.evaluate([(leaf.own, leaf.opponent) for leaf in leaves])
        for leaf, value, columns in zip(leaves, values, logits, strict=True):
            chosen = [columns[self._rules.column(move)] for move in leaf.moves]
            largest = max(chosen)
            weights = [math.exp(logit - largest) for logit in chosen]
            scale = 1 / sum(weights)
            leaf.priors = [weight * scale for weight in weights]
            leaf.evaluation = leaf.value = value
            leaf.is_ready = True

    def _discard_earlier(self, stones: int) -> None:
        """Forget positions with fewer stones than the root, which the game cannot reach any more."""
        self._nodes = {key: node for key, node in self._nodes.items() if node.stones >= stones}
        if len(self._nodes) > _MAX_NODES // 2:
            self._nodes = {}


def _back_up(path: list[tuple[Node, int]]) -> None:
    for node, index in reversed(path):
        node.back_up(index)


def rank_moves(root: Node) -> list[int]:
    """Return the moves (cells) of an evaluated root from the best to the worst.

    The shortest proven win comes first, then the most visited move that may be better than what is proven, or a proven
    draw if that move is hardly better; in a lost position the move that may delay the loss longest.
    """

    def rate(index: int) -> tuple[float, ...]:
        low, high = root.lows[index], root.highs[index]
        if low > 0:
            return 3, low
        if high < 0 or (root.result is not None and root.result < 0):
            return 0, low, root.visits[index]
        if low == high == 0:
            return 2 if is_draw_enough else 1, 0
        return (1 if is_draw_enough else 2), root.visits[index], root.values[index], root.priors[index]

    open_moves = [i for i in range(len(root.moves)) if root.lows[i] != root.highs[i] and root.highs[i] >= 0]
    most_visited = max(open_moves, key=lambda i: root.visits[i], default=None)
    is_draw_enough = most_visited is None or root.values[most_visited] <= 0.1
    order = sorted(range(len(root.moves)), key=rate, reverse=True)
    return [root.moves[index] for index in order]
