"""Refutes a wrong move of a puzzle: the opponent's answer, played out as far as it is proved."""

from dataclasses import dataclass

from fourfall._core import Board, Score, Solver
from fourfall.coach.explanation import Explanation, explain
from fourfall.coach.facts import FactKind
from fourfall.coach.forced_win import PositionBudget, find_forced_win
from fourfall.coach.sentences import Language

_SEQUENCE_POSITIONS = 2000
_SOLVER_POSITIONS = 40_000
_SOLVER_FREE_CELLS = 50
_MEMORY_MB = 8
_REASONS = (
    FactKind.MISSES_BLOCK,
    FactKind.CANNOT_BLOCK,
    FactKind.OPENS_WIN,
    FactKind.ALLOWS_SEQUENCE,
    FactKind.ALLOWS_ATTACK,
    FactKind.ALLOWS_PARITY,
    FactKind.GIVES_UP_CELL,
)
MAX_REPLIES = 7
"""Largest number of moves of a refutation that ends in a draw."""


@dataclass(frozen=True)
class Refutation:
    """What happens after a move.

    Attributes:
        board: the position before the move.
        columns: the move, then the best play of both sides; if the move loses, up to the stone that completes four.
            One column if no line was found within the limits.
        score: proved upper bound of the score of the move for the side that plays it; a win if nothing was proved.
    """

    board: Board
    columns: tuple[int, ...]
    score: Score

    def write(self, language: Language = "en", *, text_board: bool = False) -> str:
        """Return what is wrong with the move, in one or two sentences; arguments as of `Explanation.write`."""
        verdict = self._describe_score() if language == "en" else self._describe_score_in_chinese()
        reason = _find_reason(self.board, self.columns[0], language, text_board=text_board)
        return f"{verdict} {reason}".rstrip() if language == "en" else verdict + reason

    def _describe_score(self) -> str:
        if self.score.is_win:
            return "This is not the solution."
        if self.score.is_draw:
            return "This move does not win."
        count = self._count_winner_moves()
        return f"This move loses: the opponent wins {'with the next stone' if count == 1 else f'in {count} moves'}."

    def _describe_score_in_chinese(self) -> str:
        if self.score.is_win:
            return "这步棋不是答案。"
        if self.score.is_draw:
            return "这步棋不能取胜。"
        count = self._count_winner_moves()
        return "这步棋会输：对手马上取胜。" if count == 1 else f"这步棋会输：对手 {count} 步之内取胜。"

    def _count_winner_moves(self) -> int:
        return (self.score.distance or 0) // 2


def refute(board: Board, column: int) -> Refutation:
    """Return the refutation of a move that is not the solution of a puzzle.

    Raises:
        IllegalMove: the column is full or off the board, or the game is over.

    >>> refute(Board.parse("6x7:11223"), 0)
    Refutation(board=Board.parse('6x7:11223'), columns=(0, 3), score=...)
    >>> print(refute(Board.parse("6x7:11223"), 0).write())
    This move loses: the opponent wins with the next stone. Blue now completes four in column 4, which Orange had to...
    """
    board = board.copy()
    after = board.copy()
    after.push(column)
    outcome = after.outcome()
    if outcome is not None:
        return Refutation(board, (column,), Score.draw(1) if outcome.is_draw else Score.win(1))
    win = find_forced_win(after, PositionBudget(_SEQUENCE_POSITIONS))
    if win is not None:
        return Refutation(board, (column, *win.columns), Score.loss(len(win.columns) + 1))
    if after.geometry.cells - after.ply > _SOLVER_FREE_CELLS:
        return Refutation(board, (column,), Score.win(1))
    solution = Solver(memory_mb=_MEMORY_MB).solve(after, positions=_SOLVER_POSITIONS)
    if solution.score is None:
        return Refutation(board, (column,), -solution.lower)
    distance = (solution.score.distance or 0) + 1
    if solution.score.is_win:
        return Refutation(board, (column, *solution.pv), Score.loss(distance))
    score = Score.draw(distance) if solution.score.is_draw else Score.win(distance)
    return Refutation(board, (column, *solution.pv[:MAX_REPLIES]), score)


def _find_reason(board: Board, column: int, language: Language, *, text_board: bool) -> str:
    """Return a sentence of the coach about what the opponent gets; never one that names the solution."""
    facts = tuple(fact for fact in explain(board, column).facts if fact.kind in _REASONS)
    return Explanation(board, column, facts[:1]).write(language, text_board=text_board)[0] if facts else ""
