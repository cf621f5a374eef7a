"""Facts from scores: proven results, and the comparison with the best other column.

Scores come from an engine's analysis and, if few cells are free, from the exact solver.
"""

from collections.abc import Sequence
from typing import NamedTuple

from fourfall._core import Analysis, Board, Score, solve
from fourfall.coach.facts import Fact, FactKind
from fourfall.coach.lines import list_stones

MAX_SOLVER_CELLS = 26
"""Largest number of free cells with which the solver is called."""
CLEAR_LOSS = 0.05
"""Loss of win chance from which on a move is clearly worse than the best one."""
_MEMORY_MB = 4
_MAX_STONES = 6


class ColumnScore(NamedTuple):
    """Score of a column for the side to move, and the expected moves, beginning with the column."""

    column: int
    score: Score
    pv: list[int]


def collect_scores(
    board: Board, analysis: Analysis | Sequence[ColumnScore] | None, solver_positions: int
) -> dict[int, ColumnScore]:
    """Return the scores of all columns that have one.

    A result that the solver proves replaces an estimate. The distance of a proven result is an upper bound.
    """
    scores = {entry.column: entry for entry in _list_scores(analysis) if board.is_legal(entry.column)}
    is_open = [column for column in board.legal_moves if column not in scores or not scores[column].score.is_exact]
    if is_open and solver_positions > 0 and board.geometry.cells - board.ply <= MAX_SOLVER_CELLS:
        solution = solve(board, positions=solver_positions, columns=True, memory_mb=_MEMORY_MB)
        for entry in solution.columns:
            proven = entry.score or (entry.upper if entry.upper.is_loss else None)
            proven = proven or (entry.lower if entry.lower.is_win else None)
            if proven is not None and entry.column in is_open:
                line = scores[entry.column].pv if entry.column in scores else [entry.column]
                scores[entry.column] = ColumnScore(entry.column, proven, line)
    return scores


def _list_scores(analysis: Analysis | Sequence[ColumnScore] | None) -> Sequence[ColumnScore]:
    """Return the scores that agree with the engine's choice.

    An estimate from few visits can be above that of the chosen move; the engine does not rely on it, nor do we.
    """
    if not isinstance(analysis, Analysis):
        return analysis or ()
    scores = [ColumnScore(entry.column, entry.score, entry.pv) for entry in analysis.columns if entry.has_score]
    limit = next((entry.score for entry in scores if entry.column == analysis.move), analysis.score)
    return [entry for entry in scores if entry.score.is_exact or entry.score <= limit]


def find_best_other(scores: dict[int, ColumnScore], column: int) -> int | None:
    """Return the column with the best score except the given one."""
    others = [other for other in scores if other != column]
    return max(others, key=lambda other: scores[other].score, default=None)


def is_clearly_worse(scores: dict[int, ColumnScore], column: int) -> bool:
    """Whether the scores say that another column is clearly better than this one."""
    other = find_best_other(scores, column)
    if other is None or column not in scores:
        return False
    return scores[other].score.win_chance - scores[column].score.win_chance >= CLEAR_LOSS


def find_result(board: Board, column: int, scores: dict[int, ColumnScore]) -> Fact | None:
    """Return the proven result of the move."""
    if column not in scores or not scores[column].score.is_exact:
        return None
    _, score, line = scores[column]
    winner = 1 - board.turn if score.is_loss else board.turn
    return Fact(FactKind.RESULT, winner, moves=list_stones(board, line[:_MAX_STONES]), score=score)


def find_comparison(board: Board, column: int, scores: dict[int, ColumnScore]) -> Fact | None:
    """Return the comparison with the best other column; None if it says nothing: both win, both draw or both lose."""
    other = find_best_other(scores, column)
    if other is None or column not in scores:
        return None
    own, best = scores[column].score, scores[other].score
    if own.is_exact and (own.proof == best.proof or own > best):
        return None
    return Fact(
        FactKind.COMPARISON,
        board.turn if own >= best else 1 - board.turn,
        moves=list_stones(board, scores[column].pv[:_MAX_STONES]),
        column=other,
        score=own,
        other_score=best,
    )
