"""Writes and reads solved boards as lines of text.

A line is ``BOARD RESULT [RESULT of each column]``, separated by spaces. A result is ``SCORE:LINE``. The score is ``+N``
(the side to move wins with the N-th stone), ``-N`` (it loses to the N-th stone) or ``=`` (draw). The line is perfect
play by both sides, one character for each column as in the position notation. ``?`` is a column that was not solved.
"""

import re

from fourfall._core import Board, NotationError, Score
from fourfall.census.solved_board import SolvedBoard, SolvedColumn

_COLUMN_NAMES = "123456789abc"
_RESULT = re.compile(r"(=|[+-][1-9]\d{0,2}):([1-9a-c]+)")
_UNSOLVED = "?"


class LineError(ValueError):
    """A line that is not a solved board; the message names the part."""


def format_line(solved: SolvedBoard) -> str:
    """Write a solved board.

    >>> board = SolvedBoard("4x4", Score.draw(16), (0, 1), (SolvedColumn(0, Score.draw(16), (0, 1)),))
    >>> format_line(board)
    '4x4 =:12 =:12 ? ? ?'
    """
    parts = [solved.position, _format_result(solved.score, solved.pv)]
    if solved.columns:
        known = {column.column: column for column in solved.columns}
        parts += [
            _format_result(known[col].score, known[col].pv) if col in known else _UNSOLVED
            for col in range(solved.board.cols)
        ]
    return " ".join(parts)


def parse_line(line: str) -> SolvedBoard:
    """Read a solved board; the inverse of `format_line`. Only the form is checked, not the results.

    >>> parse_line("4x4@1,0 +15:12").score.distance
    15
    >>> parse_line("4x4@1,0 +15")
    Traceback (most recent call last):
    fourfall.census.notation.LineError: result '+15': must be a score (+N, -N or =), a colon and columns
    """
    position, *results = line.split(" ")
    try:
        board = Board.parse(position)
    except NotationError as error:
        raise LineError(f"board {position!r:.40}: {error}") from None
    if board.ply:
        raise LineError(f"board {position!r}: must be empty")
    if len(results) not in (1, board.cols + 1):
        raise LineError(f"{len(results)} results; must be 1 or {board.cols + 1}: the board and its columns")
    score, pv = _parse_result(results[0], board)
    columns = [
        SolvedColumn(col, *_parse_result(text, board)) for col, text in enumerate(results[1:]) if text != _UNSOLVED
    ]
    return SolvedBoard(position, score, pv, tuple(columns))


def format_score(score: Score) -> str:
    """Write an exact score.

    >>> format_score(Score.win(41)), format_score(Score.loss(36)), format_score(Score.draw(16))
    ('+41', '-36', '=')
    """
    if score.is_draw:
        return "="
    return f"{'+' if score.is_win else '-'}{score.distance}"


def _format_result(score: Score, pv: tuple[int, ...]) -> str:
    return f"{format_score(score)}:{''.join(_COLUMN_NAMES[column] for column in pv)}"


def _parse_result(text: str, board: Board) -> tuple[Score, tuple[int, ...]]:
    found = _RESULT.fullmatch(text)
    if found is None:
        raise LineError(f"result {text!r:.40}: must be a score (+N, -N or =), a colon and columns")
    sign, distance = found[1][0], found[1][1:]
    pv = tuple(_COLUMN_NAMES.index(name) for name in found[2])
    if max(pv) >= board.cols:
        raise LineError(f"result {text!r:.40}: the columns are 1..{_COLUMN_NAMES[board.cols - 1]}")
    if sign == "=":
        return Score.draw(board.geometry.cells), pv
    return Score.win(int(distance)) if sign == "+" else Score.loss(int(distance)), pv
