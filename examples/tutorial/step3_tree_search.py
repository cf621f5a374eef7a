"""Step 3 of the tutorial: Monte Carlo tree search, which spends the same random games on the moves that matter.

Try it with: fourfall match python:examples/tutorial/step3_tree_search.py level-30 --games 10
"""

import math
import random

from fourfall import Board, Limit, rollouts

SIMULATIONS = 2000
EXPLORATION = 0.5  # larger: try more moves; smaller: look deeper at good ones


class Node:
    """A position; `wins` is counted for the player who made the move to it."""

    def __init__(self, board: Board) -> None:
        self.visits = 0
        self.wins = 0.0
        self.children: dict[int, Node] = {}
        self.untried = board.legal_moves  # empty if the game is over
        random.shuffle(self.untried)

    def select_column(self) -> int:
        """Return the column with the largest UCT value: often won, or rarely tried."""

        def compute_uct(column: int) -> float:
            child = self.children[column]
            return child.wins / child.visits + EXPLORATION * math.sqrt(math.log(self.visits) / child.visits)

        return max(self.children, key=compute_uct)


def play(board: Board, limit: Limit) -> int:
    """Return the column that the search has visited most often."""
    root = Node(board)
    for _ in range(SIMULATIONS):
        simulate(root, board.copy())
    return max(root.children, key=lambda column: root.children[column].visits)


def simulate(root: Node, board: Board) -> None:
    """Run one simulation: selection, expansion, rollout, backup."""
    node, path = root, [root]
    while not node.untried and node.children:  # selection
        column = node.select_column()
        board.push(column)
        node = node.children[column]
        path.append(node)
    if node.untried:  # expansion
        column = node.untried.pop()
        board.push(column)
        node.children[column] = node = Node(board)
        path.append(node)
    result = roll_out(board)
    for node in reversed(path):  # backup
        node.visits += 1
        node.wins += result
        result = 1 - result  # the node above belongs to the other player


def roll_out(board: Board) -> float:
    """Play one random game; return 1, 0.5 or 0 for the player who made the last move before it."""
    outcome = board.outcome()
    if outcome is not None:
        return 0.5 if outcome.is_draw else 1.0
    counts = rollouts(board, 1, seed=random.getrandbits(32))
    wins = counts.second if board.turn == 0 else counts.first
    return wins + counts.draws / 2
