"""Checks that a solved board is consistent: lines end as the scores say, the score is the best of the columns."""

from collections.abc import Iterator, Sequence

from fourfall._core import Board, IllegalMove, Score
from fourfall.census.solved_board import SolvedBoard


def find_contradictions(solved: SolvedBoard) -> list[str]:
    """List what is inconsistent in a solved empty board; empty if nothing is.

    The checks use the rules alone. They prove neither that a line is perfect play nor that a score is right.

    >>> from fourfall.census.notation import parse_line
    >>> find_contradictions(parse_line("4x4 +7:1212121"))
    []
    >>> find_contradictions(parse_line("4x4 +9:1212121"))
    ['4x4: the line 0 1 0 1 0 1 0 ends with win after 7 plies, not with win after 9']
    """
    return [f"{solved.position}: {text}" for text in _find(solved)]


def _find(solved: SolvedBoard) -> Iterator[str]:
    board = solved.board
    yield from _check_line(board, solved.score, solved.pv)
    for column in solved.columns:
        if not column.pv or column.pv[0] != column.column:
            yield f"the line of column {column.column} does not begin with it"
        yield from _check_line(board, column.score, column.pv)
    scores = [column.score for column in solved.columns]
    if scores and max(scores) > solved.score:
        yield f"a column has {max(scores)}, which is better than the board's {solved.score}"
    if solved.has_all_columns and max(scores) < solved.score:
        yield f"no column has the board's {solved.score}; the best has {max(scores)}"
    if board.geometry.is_symmetric:
        known = {column.column: column.score for column in solved.columns}
        for col in range(board.cols // 2):
            other = board.cols - 1 - col
            if col in known and other in known and known[col] != known[other]:
                yield f"the columns {col} and {other} of a symmetric board differ"


def _check_line(board: Board, score: Score, pv: Sequence[int]) -> Iterator[str]:
    game = board.copy()
    moves = " ".join(map(str, pv))
    try:
        for move in pv:
            game.push(move)
    except IllegalMove as error:
        yield f"the line {moves}: {error}"
        return
    outcome = game.outcome()
    if outcome is None:
        yield f"the line {moves} does not end the game"
        return
    plies = game.ply
    if outcome.is_draw:
        found = Score.draw(plies)
    else:
        found = Score.win(plies) if outcome.winner == board.turn else Score.loss(plies)
    if found != score:
        expected = f"{score.proof} after {score.distance}"
        yield f"the line {moves} ends with {found.proof} after {plies} plies, not with {expected}"
