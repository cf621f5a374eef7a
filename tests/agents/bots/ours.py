"""A sample bot of our protocol: takes a win, else the middle one of the open columns; talks on both outputs."""

import sys

from fourfall import Board, Limit

asked = 0


def play(board: Board, limit: Limit) -> int:
    """Choose a column."""
    global asked
    asked += 1
    assert limit.time is not None
    print("thinking")
    print(f"asked {asked}", file=sys.stderr)
    columns = board.winning_moves or board.legal_moves
    board.push(columns[len(columns) // 2])  # its own copy: the judge's stays as it is
    return columns[len(columns) // 2]


second_name = play
