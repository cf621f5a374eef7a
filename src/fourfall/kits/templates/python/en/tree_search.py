"""Monte Carlo tree search with the UCT formula.

The search builds a tree of positions. It repeats four steps, together called a simulation, until the time is over:

1. Selection: start at the root and follow the most promising move until a position has a move without a node.
2. Expansion: add a node for that move.
3. Rollout: play random moves from there to the end of the game.
4. Backup: add the result to every node on the path.

Good moves win more rollouts and are selected more often, so the tree grows deepest where play is best.
"""

import math
import random
import time

from fourfall import Board, rollouts

EXPLORATION = 0.5  # larger: try more moves; smaller: look deeper at good ones
ROLLOUTS = 16  # random games for each new node; they run in C++ and take about as long as the Python code around them
MAX_NODES = 1_000_000  # about 300 MB; then the search ends early


class Node:
    """A position, reached by the move of one player; `wins` is seen by that player, from 0 to `visits`."""

    __slots__ = ("children", "untried", "visits", "wins")

    def __init__(self, board: Board) -> None:
        self.visits = 0
        self.wins = 0.0
        self.children: dict[int, Node] = {}
        self.untried = board.legal_moves  # empty if the game is over
        random.shuffle(self.untried)

    def select_column(self) -> int:
        """Return the column with the largest UCT value.

        UCT = wins / visits + exploration * sqrt(log(visits of the parent) / visits). The first part prefers moves that
        have won often, the second part moves that have been tried rarely.
        """
        log_visits = math.log(self.visits)

        def compute_uct(column: int) -> float:
            child = self.children[column]
            return child.wins / child.visits + EXPLORATION * math.sqrt(log_visits / child.visits)

        return max(self.children, key=compute_uct)


class TreeSearch:
    """A search from one position; the game must not be over."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.root = Node(board)
        self.nodes = 1

    def run(self, time_s: float) -> int:
        """Search for some seconds. Return the column with the most visits: its value is known best."""
        deadline = time.perf_counter() + time_s
        self.simulate()
        while time.perf_counter() < deadline and self.nodes < MAX_NODES:
            self.simulate()
        return max(self.root.children, key=lambda column: self.root.children[column].visits)

    def simulate(self) -> None:
        """Run one simulation: selection, expansion, rollout, backup."""
        board = self.board.copy()
        node = self.root
        path = [node]
        while not node.untried and node.children:
            column = node.select_column()
            board.push(column)
            node = node.children[column]
            path.append(node)
        if node.untried:
            column = node.untried.pop()
            board.push(column)
            node.children[column] = node = Node(board)
            path.append(node)
            self.nodes += 1

        result = evaluate(board)
        for node in reversed(path):
            node.visits += 1
            node.wins += result
            result = 1 - result  # the node above belongs to the other player


def evaluate(board: Board) -> float:
    """Return the result for the player who made the last move: 1 won, 0.5 draw, 0 lost, or the mean of random games."""
    outcome = board.outcome()
    if outcome is not None:
        return 0.5 if outcome.is_draw else 1.0  # only the player who moved last can have won
    counts = rollouts(board, ROLLOUTS, random.getrandbits(32))
    wins = counts.second if board.turn == 0 else counts.first
    return (wins + counts.draws / 2) / ROLLOUTS
