"""Random positions for tests of the coach."""

import random

from fourfall import Board, Score
from fourfall.coach import ColumnScore

SMALL = [(4, 5), (5, 4), (5, 5), (5, 6), (6, 6), (6, 7), (4, 8)]


def make_board(rng: random.Random, *, is_small: bool) -> Board:
    """Return an empty board: small, with or without a hole, or of the official distribution."""
    if not is_small:
        return Board.random(rng.randrange(2**32))
    rows, cols = rng.choice(SMALL)
    hole = (rng.randrange(rows), rng.randrange(cols)) if rng.random() < 0.6 else None
    return Board(rows, cols, hole)


def play_random_game(board: Board, rng: random.Random, plies: int) -> Board:
    """Play moves that mostly neither miss a win nor allow one; if the game ends early, take back up to eight moves."""
    while board.ply < plies:
        moves = board.winning_moves or board.safe_moves or board.legal_moves
        if rng.random() < 0.1:
            moves = board.legal_moves
        board.push(rng.choice(moves))
        if board.is_over:
            for _ in range(min(board.ply, rng.randint(1, 8))):
                board.pop()
            break
    return board


def make_position(rng: random.Random, *, is_small: bool) -> Board:
    """Return a random position that is not over; small boards have few free cells, so that the solver is quick."""
    board = make_board(rng, is_small=is_small)
    cells = board.geometry.cells
    plies = rng.randrange(max(0, cells - 24), cells) if is_small else rng.randrange(cells)
    return play_random_game(board, rng, plies)


def make_scores(board: Board, rng: random.Random) -> list[ColumnScore]:
    """Return random estimates of all columns with random lines: the facts must be true whatever the scores say."""
    scores = []
    for column in board.legal_moves:
        after = board.copy()
        line = [column]
        after.push(column)
        while not after.is_over and len(line) < 10:
            line.append(rng.choice(after.winning_moves or after.safe_moves or after.legal_moves))
            after.push(line[-1])
        scores.append(ColumnScore(column, Score.estimate(rng.uniform(-1, 1)), line))
    return scores
