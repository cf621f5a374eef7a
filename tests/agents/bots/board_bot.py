"""A correct agent for our Python interface: plays a winning move, else the middle one of the open columns.

It prints to both outputs. On a board with 5 rows it waits for a minute, so that tests can stop it.
"""

import sys
import time

from fourfall import Board, Limit

questions = 0


def play(board: Board, limit: Limit) -> int:
    """Choose a column."""
    global questions
    questions += 1
    print("thinking")
    print(f"question {questions}, time {limit.time}", file=sys.stderr)
    if board.rows == 5:
        time.sleep(60)
    columns = board.winning_moves or board.legal_moves
    board.push(columns[len(columns) // 2])  # changes only the agent's copy
    return columns[len(columns) // 2]


second_name = play
