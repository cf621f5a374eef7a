"""Solves small boards by memoised negamax over the reference rules."""

import random
from typing import NamedTuple

from fourfall import Board
from tests.reference import ReferenceGame
from tests.strategies import Shape, choose_preferred_moves


class PerfectResult(NamedTuple):
    """Result for the side to move (1, 0, -1), and plies to the end with the shortest wins and the longest losses."""

    result: int
    distance: int

    def one_ply_earlier(self) -> "PerfectResult":
        """Return the result of the move that led here, for the side that made it."""
        return PerfectResult(-self.result, self.distance + 1)


class PerfectPlay:
    """Solves positions of one board and caches the results."""

    def __init__(self) -> None:
        self.solved: dict[frozenset[tuple[tuple[int, int], int]], PerfectResult] = {}

    def solve(self, game: ReferenceGame) -> PerfectResult:
        """Return the result of a position; the game may be over."""
        key = frozenset(game.stones.items())
        if key not in self.solved:
            if game.winner() is not None:
                self.solved[key] = PerfectResult(-1, 0)
            elif not game.landing_cells():
                self.solved[key] = PerfectResult(0, 0)
            elif game.winning_moves():
                self.solved[key] = PerfectResult(1, 1)
            else:
                moves = [self.solve_move(game, column) for column in game.legal_moves()]
                best = max(move.result for move in moves)
                distances = [move.distance for move in moves if move.result == best]
                self.solved[key] = PerfectResult(best, min(distances) if best > 0 else max(distances))
        return self.solved[key]

    def solve_move(self, game: ReferenceGame, column: int) -> PerfectResult:
        """Return the result of a move, for the side that makes it."""
        game.push(column)
        result = self.solve(game).one_ply_earlier()
        game.pop()
        return result


def make_reference(board: Board) -> ReferenceGame:
    """Return a reference game with the moves of a board."""
    game = ReferenceGame(board.rows, board.cols, board.hole)
    for column in board.moves:
        game.push(column)
    return game


def sample_quiet_positions(shape: Shape, free: int, count: int, seed: int) -> list[Board]:
    """Return random positions with `free` free cells in which the side to move has no immediate win."""
    generator = random.Random(seed)  # noqa: S311
    boards: list[Board] = []
    while len(boards) < count:
        game = ReferenceGame(*shape)
        while len(game.free_cells()) > free and not game.is_over():
            game.push(generator.choice(choose_preferred_moves(game, "peaceful")))
        if not game.is_over() and not game.winning_moves():
            board = Board(*shape)
            for column in game.moves:
                board.push(column)
            boards.append(board)
    return boards
