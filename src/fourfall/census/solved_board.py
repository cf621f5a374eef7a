"""The exact result of a board, with the result of every first move."""

from dataclasses import dataclass

from fourfall._core import Analysis, Board, ColumnAnalysis, ColumnSolution, Score, Solution

STOPPED_BY = "census"
"""Value of `Analysis.stopped_by` of an analysis whose results come from the census."""


@dataclass(frozen=True)
class SolvedColumn:
    """Exact result of a column for the side to move.

    Attributes:
        column: Index of the column, from 0.
        score: Exact score; its distance counts from the position before the move.
        pv: Perfect play by both sides, beginning with the column.
    """

    column: int
    score: Score
    pv: tuple[int, ...]


@dataclass(frozen=True)
class SolvedBoard:
    """Exact result of a position for the side to move.

    Attributes:
        position: The position in text.
        score: Exact score.
        pv: Perfect play by both sides.
        columns: The solved columns from left to right. After a first move none is solved.
    """

    position: str
    score: Score
    pv: tuple[int, ...]
    columns: tuple[SolvedColumn, ...] = ()

    @property
    def board(self) -> Board:
        """The position as a new board."""
        return Board.parse(self.position)

    @property
    def winner(self) -> int | None:
        """The player who wins under perfect play, 0 or 1; None for a draw."""
        if self.score.is_draw:
            return None
        return self.board.turn if self.score.is_win else 1 - self.board.turn

    @property
    def has_all_columns(self) -> bool:
        """Whether every legal column is solved."""
        return len(self.columns) == len(self.board.legal_moves)

    def mirror(self) -> "SolvedBoard":
        """Return the result of the position reflected left to right.

        >>> from fourfall import census
        >>> solved = census.find_solved(Board(4, 5, hole=(3, 1)))
        >>> solved.mirror().position, solved.mirror().score == solved.score
        ('4x5@3,3', True)
        """
        board = self.board
        last = board.cols - 1

        def reflect(moves: tuple[int, ...]) -> tuple[int, ...]:
            return tuple(last - move for move in moves)

        columns = tuple(
            SolvedColumn(last - column.column, column.score, reflect(column.pv)) for column in reversed(self.columns)
        )
        return SolvedBoard(board.mirror().notation, self.score, reflect(self.pv), columns)

    def play(self, move: int) -> "SolvedBoard | None":
        """Return the result after a move, or None if its column is not solved.

        >>> from fourfall import census
        >>> after = census.find_solved(Board(4, 4, hole=(1, 0))).play(2)
        >>> print(after.position, after.score)
        4x4@1,0:3 loses in 7
        """
        for column in self.columns:
            if column.column == move:
                board = self.board
                board.push(move)
                return SolvedBoard(board.notation, _count_from_next(column.score), column.pv[1:])
        return None

    def to_solution(self) -> Solution:
        """Return the result in the form of the solver."""
        columns = [ColumnSolution(column.column, column.score) for column in self.columns]
        return Solution(self.board, self.score, self.pv, columns)

    def to_analysis(self) -> Analysis:
        """Return the result in the form of an engine's analysis; every column must be solved.

        >>> from fourfall import census
        >>> analysis = census.find_solved(Board(4, 4)).to_analysis()
        >>> str(analysis.score), analysis.stopped_by, len(analysis.columns)
        ('draws', 'census', 4)
        """
        if not self.has_all_columns:
            raise ValueError(f"{self.position}: an analysis needs the results of all columns")
        columns = [ColumnAnalysis(column.column, column.score, column.pv) for column in self.columns]
        return Analysis(self.board, columns, self.pv[0], STOPPED_BY)


def _count_from_next(score: Score) -> Score:
    """Return a score of the side that moves as the score of the next position."""
    distance = (score.distance or 0) - 1
    if score.is_draw:
        return Score.draw(distance)
    return Score.loss(distance) if score.is_win else Score.win(distance)
