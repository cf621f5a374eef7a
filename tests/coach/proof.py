"""Proofs with the exact solver and the reference rules, for checks of the coach's statements."""

from itertools import pairwise

from fourfall import Board, Score, solve
from fourfall.coach import Fact
from tests.reference import DIRECTIONS, ReferenceGame

SMALL_BOARD_CELLS = 42
SOLVER_POSITIONS = 300_000
"""Limit of the solver on boards with up to 42 cells; on larger ones, where proofs are rare, 2 % of it."""


class Unproven(Exception):  # noqa: N818 (a limit of the check, not an error)
    """The solver needs more positions than the check allows."""


def after(board: Board, *columns: int) -> Board:
    """Return the board after more moves."""
    board = board.copy()
    for column in columns:
        board.push(column)
    return board


def prove(board: Board) -> Score:
    """Return a score with the right result for the side to move."""
    if board.is_over:
        outcome = board.outcome()
        assert outcome is not None
        return Score.draw(0) if outcome.winner is None else Score.loss(0)
    positions = SOLVER_POSITIONS if board.geometry.cells <= SMALL_BOARD_CELLS else SOLVER_POSITIONS // 50
    solution = solve(board, positions=positions, memory_mb=4)
    if solution.score is not None:
        return solution.score
    if solution.upper.is_loss:
        return solution.upper
    if solution.lower.is_win:
        return solution.lower
    raise Unproven


def check_lines(game: ReferenceGame, fact: Fact) -> None:
    """Check that every line is straight and long enough, and that a stone on one of the cells completes it."""
    for line in fact.lines:
        assert len(line) >= 4
        steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(line)}
        assert len(steps) == 1
        assert steps <= set(DIRECTIONS) | {(-down, -right) for down, right in DIRECTIONS}
        missing = [cell for cell in line if game.stones.get(cell) != fact.player]
        assert len(missing) <= 1
        assert set(missing) <= set(fact.cells)
    assert set(fact.cells) == {cell for line in fact.lines for cell in line if cell in fact.cells}
