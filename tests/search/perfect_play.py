"""Owns perfect play on small boards: a memoised negamax over the reference rules."""

import random
from typing import NamedTuple

from fourfall import Board
from tests.reference import ReferenceGame
from tests.strategies import Shape, preferred_moves


class Truth(NamedTuple):
    """The result for the side to move (1, 0, -1), and how many plies the game lasts if wins hurry and losses delay."""

    result: int
    distance: int

    def before(self) -> "Truth":
        """Return what the move that led here is worth to the side that made it."""
        return Truth(-self.result, self.distance + 1)


class PerfectPlay:
    """Solves positions of one board and remembers them."""

    def __init__(self) -> None:
        self.solved: dict[frozenset[tuple[tuple[int, int], int]], Truth] = {}

    def solve(self, game: ReferenceGame) -> Truth:
        """Return the truth about a position; the game may be over."""
        key = frozenset(game.stones.items())
        if key not in self.solved:
            if game.winner() is not None:
                self.solved[key] = Truth(-1, 0)
            elif not game.landing_cells():
                self.solved[key] = Truth(0, 0)
            elif game.winning_moves():
                self.solved[key] = Truth(1, 1)
            else:
                moves = [self.after(game, column) for column in game.legal_moves()]
                best = max(truth.result for truth in moves)
                distances = [truth.distance for truth in moves if truth.result == best]
                self.solved[key] = Truth(best, min(distances) if best > 0 else max(distances))
        return self.solved[key]

    def after(self, game: ReferenceGame, column: int) -> Truth:
        """Return what a move is worth to the side that makes it."""
        game.push(column)
        truth = self.solve(game).before()
        game.pop()
        return truth


def reference_of(board: Board) -> ReferenceGame:
    """Play a board's game on the reference."""
    game = ReferenceGame(board.rows, board.cols, board.hole)
    for column in board.moves:
        game.push(column)
    return game


def quiet_positions(shape: Shape, free: int, count: int, seed: int) -> list[Board]:
    """Return positions with so many free cells in which nobody wins at once, reached by chance."""
    dice = random.Random(seed)  # noqa: S311
    boards: list[Board] = []
    while len(boards) < count:
        game = ReferenceGame(*shape)
        while len(game.free_cells()) > free and not game.is_over():
            game.push(dice.choice(preferred_moves(game, "peaceful")))
        if not game.is_over() and not game.winning_moves():
            board = Board(*shape)
            for column in game.moves:
                board.push(column)
            boards.append(board)
    return boards
