"""Collects the results of a board size by place of the hole, and writes them as short texts."""

from collections.abc import Iterable

from fourfall._core import Score
from fourfall.census.boards import list_boards
from fourfall.census.solved_board import SolvedBoard


def collect_holes(boards: Iterable[SolvedBoard], rows: int, cols: int) -> dict[tuple[int, int], Score]:
    """Return the score for every solved place of the hole, those in the right half included.

    >>> from fourfall.census import list_solved
    >>> len(collect_holes(list_solved(), 4, 5))
    20
    """
    wanted = {board.notation: board.hole for board in list_boards(rows, cols)}
    scores: dict[tuple[int, int], Score] = {}
    for solved in boards:
        hole = wanted.get(solved.position)
        if hole is not None:
            scores[hole] = scores[hole[0], cols - 1 - hole[1]] = solved.score
    return scores


def format_moves(score: Score) -> str:
    """Write a score with the moves of the winner: "+8" (the first player wins in 8 moves), "-11" or "=".

    >>> format_moves(Score.win(15)), format_moves(Score.loss(22)), format_moves(Score.draw(16))
    ('+8', '-11', '=')
    """
    if score.is_draw or score.distance is None:
        return "="
    return f"{'+' if score.is_win else '-'}{(score.distance + 1) // 2}"
