"""Facts about winning cells: cells that a move makes, takes from the opponent, gives up, allows or misses.

A *winning cell* of a player is a free cell that would complete four for this player. It need not be reachable by the
next stone.
"""

from fourfall._core import Board
from fourfall.coach.facts import Cell, Fact, FactKind, Line
from fourfall.coach.lines import (
    find_landing_cell,
    find_playable_threats,
    list_free_cells,
    list_stones,
    list_windows,
)
from fourfall.coach.tactics import join_lines

MAX_EXPECTED_MOVES = 10
"""Number of expected moves in which a winning cell is looked for."""


def find_given_up_cell(board: Board, column: int) -> Fact | None:
    """Return the fact that the move fills the cell below an own winning cell, which the opponent can then occupy."""
    free = list_free_cells(board, column)
    if len(free) < 2 or free[1] not in board.threats(board.turn):
        return None
    lines = join_lines(board, [free[1]], board.turn)
    moves = list_stones(board, [column, column])
    return Fact(FactKind.GIVES_UP_CELL, 1 - board.turn, (free[1],), lines, moves, column=column)


def find_new_cells(board: Board, column: int) -> tuple[list[Cell], tuple[Line, ...]]:
    """Return the winning cells that a move makes for the side to move, with their lines."""
    after = board.copy()
    after.push(column)
    if after.is_over:
        return [], ()
    before = set(board.threats(board.turn))
    cells = [cell for cell in after.threats(board.turn) if cell not in before]
    return cells, join_lines(after, cells, board.turn)


def find_made_cells(board: Board, column: int) -> Fact | None:
    """Return the winning cells that the move makes: a threat that must be answered, or cells for later."""
    cells, lines = find_new_cells(board, column)
    if not cells:
        return None
    after = board.copy()
    after.push(column)
    playable = [cell for cell in find_playable_threats(after, board.turn) if cell in cells]
    if playable:
        lines = join_lines(after, playable, board.turn)
        return Fact(FactKind.THREAT, board.turn, tuple(playable), lines, column=playable[0][1])
    return Fact(FactKind.WINNING_CELL, board.turn, tuple(cells), lines)


def find_taken_cell(board: Board, column: int) -> Fact | None:
    """Return the fact that a stone of the opponent on the same cell would make winning cells for the opponent.

    The kind is `prevents_double_threat` if stones could land at once on two of them in different columns.
    """
    opponent = 1 - board.turn
    landing = find_landing_cell(board, column)
    known = set(board.threats(opponent))
    cells: list[Cell] = []
    lines: list[Line] = []
    for window in list_windows(board, landing):
        others = [cell for cell in window if cell != landing]
        free = [cell for cell in others if board.stone_at(*cell) is None]
        if len(free) != 1 or board.hole in window or free[0] in known:
            continue
        if all(board.stone_at(*cell) == opponent for cell in others if cell != free[0]):
            cells.append(free[0])
            lines.append(window)
    if not cells:
        return None
    playable = {cell for cell in cells if cell in _list_landing_cells(board, column)}
    if len({col for _, col in playable}) > 1:
        chosen = [(cell, line) for cell, line in zip(cells, lines, strict=True) if cell in playable]
        cells, lines = [cell for cell, _ in chosen], [line for _, line in chosen]
    kind = FactKind.PREVENTS_DOUBLE_THREAT if len({col for _, col in playable}) > 1 else FactKind.TAKES_CELL
    return Fact(kind, board.turn, tuple(dict.fromkeys(cells)), tuple(lines))


def _list_landing_cells(board: Board, column: int) -> list[Cell]:
    """Return the cells on which a stone can land after a stone in this column."""
    columns = [list_free_cells(board, other)[other == column :] for other in range(board.cols)]
    return [free[0] for free in columns if free]


def find_allowed_cell(board: Board, column: int, other: int) -> Fact | None:
    """Return a winning cell that the opponent can make after the move, but not at once after the other move."""
    possible = _list_next_cells(board, column)
    prevented = _list_next_cells(board, other)
    for cell, reply in possible.items():
        if cell not in prevented:
            after = board.copy()
            after.push(column)
            after.push(reply)
            lines = join_lines(after, [cell], 1 - board.turn)
            moves = list_stones(board, [column, reply])
            return Fact(FactKind.ALLOWS_CELL, 1 - board.turn, (cell,), lines, moves, column=reply, other=other)
    return None


def _list_next_cells(board: Board, column: int) -> dict[Cell, int]:
    """Return the winning cells that the opponent can make with the reply to a move, and the replies."""
    after = board.copy()
    after.push(column)
    return {cell: reply for reply in after.legal_moves for cell in find_new_cells(after, reply)[0]}


def find_missed_cell(board: Board, other: int) -> Fact | None:
    """Return the winning cells that another move would make."""
    cells, lines = find_new_cells(board, other)
    if not cells:
        return None
    return Fact(FactKind.MISSES_CELL, board.turn, tuple(cells), lines, list_stones(board, [other]), column=other)


def find_expected_cell(board: Board, line: list[int], player: int) -> Fact | None:
    """Return the first winning cell that a player makes in a line of expected moves, if it is before any of the other.

    Cells of the first move of the line are facts of their own and do not count.
    """
    after = board.copy()
    for number, column in enumerate(line[:MAX_EXPECTED_MOVES]):
        if not after.is_legal(column):
            return None
        mover = after.turn
        cells, lines = find_new_cells(after, column)
        after.push(column)
        if cells and number:
            if mover != player:
                return None
            is_own = player == board.turn
            kind = FactKind.MISSES_EXPECTED_CELL if is_own else FactKind.EXPECTED_CELL
            moves = list_stones(board, line[: number + 1])
            return Fact(kind, player, tuple(cells), lines, moves, column=line[0])
    return None
