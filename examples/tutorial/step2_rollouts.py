"""Step 2 of the tutorial: a bot that plays random games after each of its moves and counts the wins.

Try it with: fourfall match python:examples/tutorial/step2_rollouts.py level-10 --games 10
"""

from fourfall import Board, Limit, rollouts

GAMES = 2000  # random games for one decision, shared by all columns


def play(board: Board, limit: Limit) -> int:
    """Return the column after which random games are won most often."""
    columns = board.legal_moves
    games = GAMES // len(columns)
    return max(columns, key=lambda column: estimate_win_share(board, column, games))


def estimate_win_share(board: Board, column: int, games: int) -> float:
    """Return the share of random games that we win after playing a column; a draw is half a win."""
    after = board.copy()
    after.push(column)
    counts = rollouts(after, games, seed=board.ply)
    wins = counts.first if board.turn == 0 else counts.second
    return (wins + counts.draws / 2) / games
