"""Step 1 of the tutorial: a bot that plays random legal moves.

Try it with: fourfall match python:examples/tutorial/step1_random.py level-2 --games 10
"""

import random

from fourfall import Board, Limit


def play(board: Board, limit: Limit) -> int:
    """Return a random legal column, counted from 0."""
    return random.choice(board.legal_moves)
