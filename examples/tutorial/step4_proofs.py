"""Step 4 of the tutorial: tree search that looks at threats and proves wins and losses.

Try it with: fourfall match python:examples/tutorial/step4_proofs.py level-50 --games 10
"""

import math
import random

from fourfall import Board, Limit, rollouts

SIMULATIONS = 2000
EXPLORATION = 0.5  # larger: try more moves; smaller: look deeper at good ones


class Node:
    """A position; `wins` is counted for the player who made the move to it.

    `proven` is the exact result for this player, 1, 0.5 or 0; None while it is unknown.
    """

    def __init__(self, board: Board) -> None:
        self.visits = 0
        self.wins = 0.0
        self.children: dict[int, Node] = {}
        self.untried: list[int] = []
        self.proven = find_result(board)
        if self.proven is None:
            self.untried = board.safe_moves  # other moves lose at once
            random.shuffle(self.untried)

    def select_column(self) -> int:
        """Return the column with the largest UCT value among those that are not proven losses."""

        def compute_uct(column: int) -> float:
            child = self.children[column]
            return child.wins / child.visits + EXPLORATION * math.sqrt(math.log(self.visits) / child.visits)

        return max((column for column, child in self.children.items() if child.proven != 0), key=compute_uct)

    def prove(self) -> None:
        """Derive the exact result from the children, if they allow it."""
        results = [child.proven for child in self.children.values()]
        if 1 in results:
            self.proven = 0  # the opponent of this node's player has a winning move
        elif not self.untried and None not in results:
            self.proven = 1 - max(result for result in results if result is not None)


def find_result(board: Board) -> float | None:
    """Return the result for the player who moved last, if the next two moves decide the game; else None."""
    outcome = board.outcome()
    if outcome is not None:
        return 0.5 if outcome.is_draw else 1
    if board.winning_moves:
        return 0  # the side to move wins
    if not board.safe_moves:
        return 1  # whatever the side to move plays, we win next
    return None


def play(board: Board, limit: Limit) -> int:
    """Return a proven win, or else the most visited column that is not a proven loss."""
    if board.winning_moves:
        return board.winning_moves[0]
    if not board.safe_moves:
        return board.legal_moves[0]
    root = Node(board)
    for _ in range(SIMULATIONS):
        if root.proven is not None:
            break
        simulate(root, board.copy())

    def rank(column: int) -> tuple[float, int]:
        child = root.children[column]
        return (0.5 if child.proven is None else child.proven), child.visits

    return max(root.children, key=rank)


def simulate(root: Node, board: Board) -> None:
    """Run one simulation: selection, expansion, evaluation, backup of values and proofs."""
    node, path = root, [root]
    while node.proven is None and not node.untried:  # selection
        column = node.select_column()
        board.push(column)
        node = node.children[column]
        path.append(node)
    if node.untried:  # expansion
        column = node.untried.pop()
        board.push(column)
        node.children[column] = node = Node(board)
        path.append(node)
    result = roll_out(board) if node.proven is None else node.proven
    for node in reversed(path):  # backup
        node.visits += 1
        node.wins += result
        result = 1 - result  # the node above belongs to the other player
        if node.proven is None:
            node.prove()


def roll_out(board: Board) -> float:
    """Play one random game; return 1, 0.5 or 0 for the player who made the last move before it."""
    counts = rollouts(board, 1, seed=random.getrandbits(32))
    wins = counts.second if board.turn == 0 else counts.first
    return wins + counts.draws / 2
