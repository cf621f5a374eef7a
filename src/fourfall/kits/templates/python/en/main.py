"""A bot: it wins at once if it can, else it stops the opponent's win, else it searches."""

from fourfall import Board, Limit
from tree_search import TreeSearch

TIME_SHARE = 0.8  # of the time per move; the rest is a margin, because a late move loses the game
DEFAULT_TIME_S = 1.0  # if the judge names no time


def play(board: Board, limit: Limit) -> int:
    """Return the column to play, counted from 0.

    `board` is a copy of the game, so the bot may change it; `limit.time` is the time per move in seconds.
    """
    forced = find_forced_move(board)
    if forced is not None:
        return forced
    time_s = DEFAULT_TIME_S if limit.time is None else limit.time
    return TreeSearch(board).run(TIME_SHARE * time_s)


def find_forced_move(board: Board) -> int | None:
    """Return a column that wins at once or stops the opponent's win; None if there is neither."""
    if board.winning_moves:
        return board.winning_moves[0]
    # A threat is a free cell that would complete four. It matters now only if a stone can land on it now.
    for row, col in board.threats(1 - board.turn):
        if board.landing_row(col) == row:
            return col
    return None
