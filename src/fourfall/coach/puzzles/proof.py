"""Proves that a position has exactly one good move: only one column wins, or only one column does not lose."""

from dataclasses import dataclass

from fourfall._core import Board, Score, Solution, Solver
from fourfall.coach.forced_win import ForcedWin, PositionBudget, find_forced_win, find_forced_win_after
from fourfall.coach.puzzles.puzzle import Result


@dataclass(frozen=True)
class Proof:
    """The one good move of a position.

    Attributes:
        columns: the good move; of a win, the main line to the stone that completes four.
        result: "win" if every other column is proved not to win, "draw" if every other column is proved to lose.
        distance: plies to the end of the game, within which a win is proved.
        winner_moves: number of stones that the winner needs; if the result is "draw", the largest number that the
            opponent needs after one of the other columns, as far as it is known.
        positions: number of positions that the solver and the searches for forced sequences visited.
    """

    columns: tuple[int, ...]
    result: Result
    distance: int
    winner_moves: int
    positions: int


@dataclass(frozen=True)
class ProofLimits:
    """Limits of the work for one position, in positions, so that the result does not depend on the machine.

    Attributes:
        solver_positions: positions of each call of the exact solver; there is at most one call for the position and
            one for each column.
        solver_free_cells: positions with more free cells are not given to the solver, which proves little there.
        sequence_positions: positions of each search for a forced sequence.
        memory_mb: size of the solver's transposition table in MiB.
    """

    solver_positions: int = 15_000
    solver_free_cells: int = 50
    sequence_positions: int = 300
    memory_mb: int = 4


def prove_only_move(board: Board, limits: ProofLimits | None = None) -> Proof | None:
    """Return the proof that exactly one column is good; None if there is none within the limits.

    The same arguments give the same result.

    >>> prove_only_move(Board.parse("4x5:3423241351"))
    Proof(columns=(1,), result='draw', distance=10, winner_moves=4, positions=324)
    """
    if board.is_over or len(board.legal_moves) < 2:
        return None
    return _Prover(board.copy(), limits or ProofLimits()).prove()


class _Prover:
    """Collects proofs about one position. The solver is new, so that earlier positions do not change the result."""

    def __init__(self, board: Board, limits: ProofLimits) -> None:
        self._board = board
        self._limits = limits
        self._solver = Solver(memory_mb=limits.memory_mb)
        self._positions = 0

    def prove(self) -> Proof | None:
        forced = self._find_forced_win(self._board)
        if forced is not None:
            return None if self._has_other_win(forced.columns[0]) else self._prove_only_win(forced.columns)
        solution = self._solve(self._board)
        if solution is None or solution.score is None or solution.score.is_loss:
            return None
        if solution.score.is_draw:
            return self._prove_only_draw()
        # The limit may end the solver after the score is known and before the main line is.
        return self._prove_only_win(solution.pv) if solution.pv else None

    def _find_forced_win(self, board: Board) -> ForcedWin | None:
        budget = PositionBudget(self._limits.sequence_positions)
        win = find_forced_win(board, budget)
        self._positions += self._limits.sequence_positions - max(0, budget.left)
        return win

    def _prove_only_win(self, line: list[int]) -> Proof | None:
        if any(self._bound(column).is_win for column in self._board.legal_moves if column != line[0]):
            return None
        return Proof(tuple(line), "win", len(line), (len(line) + 1) // 2, self._positions)

    def _prove_only_draw(self) -> Proof | None:
        """Prove that all columns but one lose; the position is a draw, so the other one draws."""
        move = None
        longest = 0
        for column in self._board.legal_moves:
            bound = self._bound(column)
            if bound.is_loss:
                longest = max(longest, bound.distance or 0)
                continue
            if move is not None:
                return None
            move = column
        if move is None:
            return None
        free = self._board.geometry.cells - self._board.ply
        return Proof((move,), "draw", free, longest // 2, self._positions)

    def _has_other_win(self, move: int) -> bool:
        """Whether another column wins by a short forced sequence, which rejects many positions at little cost."""
        wins = self._board.winning_moves
        return any(
            column in wins or find_forced_win_after(self._board, column, PositionBudget(200)) is not None
            for column in self._board.legal_moves
            if column != move
        )

    def _bound(self, column: int) -> Score:
        """Return a proved upper bound of the score of a column."""
        after = self._board.copy()
        after.push(column)
        outcome = after.outcome()
        if outcome is not None:
            return Score.draw(1) if outcome.is_draw else Score.win(1)
        if after.winning_moves:
            return Score.loss(2)
        win = self._find_forced_win(after)
        if win is not None:
            return Score.loss(len(win.columns) + 1)
        solution = self._solve(after)
        return Score.win(1) if solution is None else -solution.lower

    def _solve(self, board: Board) -> Solution | None:
        """Return the result or the bounds of the solver; None if the position is too open."""
        if board.geometry.cells - board.ply > self._limits.solver_free_cells:
            return None
        solution = self._solver.solve(board, positions=self._limits.solver_positions)
        self._positions += solution.positions
        return solution
