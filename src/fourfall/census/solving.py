"""Solves a board of the census and its columns, and records the result with its cost."""

import json
import time
from dataclasses import asdict, dataclass

from fourfall._core import Board, Score, Solver
from fourfall.census.notation import format_line, format_score, parse_line
from fourfall.census.solved_board import SolvedBoard, SolvedColumn


@dataclass(frozen=True)
class SolveTask:
    """A board to solve: at most `positions` for the board and for each column, a table of `memory_mb` MiB."""

    board: str
    positions: int
    memory_mb: int


@dataclass(frozen=True)
class SolveRecord:
    """Result of a task.

    Attributes:
        board: The empty board in text.
        limit: Limit of positions for the board and for each column.
        memory_mb: Size of the solver's table in MiB.
        positions: Positions searched for the board and all columns.
        seconds: Processor time in seconds.
        line: The solved board as a line of a census file; empty if the limit was reached before the result was known.
        lower: Lower bound of the score if the board was not solved.
        upper: Upper bound of the score if the board was not solved.
    """

    board: str
    limit: int
    memory_mb: int
    positions: int
    seconds: float
    line: str = ""
    lower: str = ""
    upper: str = ""

    @property
    def solved(self) -> SolvedBoard | None:
        """The result, or None if the board was not solved."""
        return parse_line(self.line) if self.line else None

    def to_json(self) -> str:
        """Return the record as one line of JSON."""
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(text: str) -> "SolveRecord":
        """Read a record; ValueError if the text is not one."""
        try:
            record = SolveRecord(**json.loads(text))
        except TypeError as error:
            raise ValueError(f"not a record of the census: {error}") from None
        if record.solved is not None and record.solved.position != record.board:
            raise ValueError(f"not a record of the census: the line is not that of board {record.board}")
        return record


def solve_task(task: SolveTask) -> SolveRecord:
    """Solve an empty board, then its columns with the same table; of a symmetric board, one half of the columns.

    >>> record = solve_task(SolveTask("4x4@1,0", positions=100_000, memory_mb=4))
    >>> record.line.split(":")[0], record.solved.has_all_columns
    ('4x4@1,0 +15', True)
    >>> solve_task(SolveTask("4x4@1,0", positions=100, memory_mb=4)).line
    ''
    """
    board = Board.parse(task.board)
    start_s = time.process_time()
    solver = Solver(memory_mb=task.memory_mb)
    solution = solver.solve(board, positions=task.positions)
    if solution.score is None:
        line, positions = "", 0
    else:
        columns, positions = _solve_columns(board, solution.pv[0], solver, task.positions)
        line = format_line(SolvedBoard(board.notation, solution.score, tuple(solution.pv), columns))
    return SolveRecord(
        task.board,
        task.positions,
        task.memory_mb,
        solution.positions + positions,
        round(time.process_time() - start_s, 3),
        line,
        *(() if line else (format_score(solution.lower), format_score(solution.upper))),
    )


def _solve_columns(board: Board, best: int, solver: Solver, limit: int) -> tuple[tuple[SolvedColumn, ...], int]:
    """Solve every column within the limit; return the solved ones from left to right, and the positions searched."""
    positions = 0
    columns: dict[int, SolvedColumn] = {}
    # The best column first: the table already has most of its positions.
    for col in sorted(range(board.cols), key=lambda col: (col != best, abs(2 * col - board.cols + 1))):
        reflected = columns.get(board.cols - 1 - col)
        if board.geometry.is_symmetric and reflected is not None:
            pv = tuple(board.cols - 1 - move for move in reflected.pv)
            columns[col] = SolvedColumn(col, reflected.score, pv)
            continue
        after = board.copy()
        after.push(col)
        found = solver.solve(after, positions=limit)
        positions += found.positions
        if found.score is not None:
            columns[col] = SolvedColumn(col, _count_from_previous(found.score), (col, *found.pv))
    return tuple(columns[col] for col in sorted(columns)), positions


def _count_from_previous(score: Score) -> Score:
    """Return the score of a position for the side that moved to it, counted from the position before."""
    distance = (score.distance or 0) + 1
    if score.is_draw:
        return Score.draw(distance)
    return Score.loss(distance) if score.is_win else Score.win(distance)
