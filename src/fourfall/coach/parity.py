"""Facts about parity: who must in the end play below a winning cell, proven by follow-up play."""

from fourfall._core import Board
from fourfall.coach.facts import Fact, FactKind
from fourfall.coach.follow_up import FollowUpWin, find_follow_up_win
from fourfall.coach.lines import list_stones
from fourfall.coach.tactics import join_lines


def find_parity(board: Board, column: int) -> list[Fact]:
    """Return the win by parity that the move secures, and whether the hole decides it."""
    after = board.copy()
    after.push(column)
    win = find_follow_up_win(after)
    if win is None:
        return []
    lines = join_lines(after, win.cells, board.turn)
    fact = Fact(FactKind.PARITY, board.turn, win.cells, lines, count=win.usable, is_above=win.is_above)
    if not win.counts_hole or board.hole is None:
        return [fact]
    return [fact, Fact(FactKind.HOLE_PARITY, board.turn, (board.hole,), count=win.usable)]


def find_allowed_parity(board: Board, column: int) -> Fact | None:
    """Return a win by parity of the opponent after the move and a reply; the opponent cannot win faster by force."""
    after = board.copy()
    after.push(column)
    found = _find_move(after)
    if found is None:
        return None
    reply, win = found
    moves = list_stones(board, [column, reply])
    after.push(reply)
    lines = join_lines(after, win.cells, 1 - board.turn)
    return Fact(
        FactKind.ALLOWS_PARITY,
        1 - board.turn,
        win.cells,
        lines,
        moves,
        column=reply,
        count=win.usable,
        is_above=win.is_above,
    )


def find_missed_parity(board: Board, column: int) -> Fact | None:
    """Return a win by parity of the side to move with another column."""
    found = _find_move(board)
    if found is None or found[0] == column:
        return None
    other, win = found
    after = board.copy()
    after.push(other)
    return Fact(
        FactKind.MISSES_PARITY,
        board.turn,
        win.cells,
        join_lines(after, win.cells, board.turn),
        list_stones(board, [other]),
        column=other,
        count=win.usable,
        is_above=win.is_above,
    )


def _find_move(board: Board) -> tuple[int, FollowUpWin] | None:
    """Return the first column after which the side to move wins by follow-up play."""
    for column in board.legal_moves:
        after = board.copy()
        after.push(column)
        win = find_follow_up_win(after)
        if win is not None:
            return column, win
    return None
