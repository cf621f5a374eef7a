"""Facts about the next two stones: wins, blocks, cells that a move opens, and double threats.

They follow from the rules alone. "At once" means with the next stone.
"""

from collections.abc import Iterable

from fourfall._core import Board
from fourfall.coach.facts import Cell, Fact, FactKind, Line
from fourfall.coach.lines import find_landing_cell, find_lines, find_playable_threats, list_stones


def find_win(board: Board, column: int) -> Fact | None:
    """Return the fact that the move completes four."""
    if column not in board.winning_moves:
        return None
    cell = find_landing_cell(board, column)
    return Fact(FactKind.WINS, board.turn, (cell,), find_lines(board, cell, board.turn))


def find_missed_win(board: Board) -> Fact | None:
    """Return the fact that another move would complete four; the explained move does not."""
    cells = find_playable_threats(board, board.turn)
    if not cells:
        return None
    return Fact(
        FactKind.MISSES_WIN,
        board.turn,
        tuple(cells),
        join_lines(board, cells, board.turn),
        list_stones(board, [cells[0][1]]),
        column=cells[0][1],
    )


def find_block(board: Board, column: int) -> Fact | None:
    """Return what the move does about cells where the opponent would complete four with the next stone.

    The side to move cannot win at once. With one such cell the move blocks it or misses the block; with several, one
    stone cannot block all.
    """
    opponent = 1 - board.turn
    cells = find_playable_threats(board, opponent)
    if not cells:
        return None
    lines = join_lines(board, cells, opponent)
    if len(cells) > 1:
        return Fact(FactKind.CANNOT_BLOCK, opponent, tuple(cells), lines)
    if cells[0][1] == column:
        return Fact(FactKind.BLOCKS, board.turn, tuple(cells), lines)
    moves = list_stones(board, [column, cells[0][1]])
    return Fact(FactKind.MISSES_BLOCK, opponent, tuple(cells), lines, moves, column=cells[0][1])


def find_opened_win(board: Board, column: int) -> Fact | None:
    """Return the fact that the opponent completes four directly above the stone; the move does not win."""
    after = board.copy()
    after.push(column)
    if column not in after.winning_moves:
        return None
    cell = find_landing_cell(after, column)
    moves = list_stones(board, [column, column])
    return Fact(FactKind.OPENS_WIN, after.turn, (cell,), find_lines(after, cell, after.turn), moves)


def find_double_threat(after: Board) -> Fact | None:
    """Return the fact that the player who has just moved wins with the next stone, whatever the opponent plays.

    The kind is `double_threat` for two cells in different columns, `stacked_threat` for a cell and the cell directly
    above it, and `no_safe_reply` if every reply opens a winning cell or leaves one open.

    Args:
        after: the position after the move; the side to move cannot win at once.
    """
    if after.is_over or after.winning_moves or after.safe_moves:
        return None
    player = 1 - after.turn
    cells = find_playable_threats(after, player)
    if len(cells) > 1:
        return Fact(FactKind.DOUBLE_THREAT, player, tuple(cells), join_lines(after, cells, player))
    if cells:
        blocked = after.copy()
        blocked.push(cells[0][1])
        cells.append(find_landing_cell(blocked, cells[0][1]))
        return Fact(FactKind.STACKED_THREAT, player, tuple(cells), join_lines(after, cells, player))
    opened = [cell for cell in after.threats(player) if _is_directly_above_landing(after, cell)]
    return Fact(FactKind.NO_SAFE_REPLY, player, tuple(opened), join_lines(after, opened, player))


def _is_directly_above_landing(board: Board, cell: Cell) -> bool:
    """Whether a stone in the cell's column makes the cell playable."""
    blocked = board.copy()
    blocked.push(cell[1])
    return blocked.landing_row(cell[1]) == cell[0]


def join_lines(board: Board, cells: Iterable[Cell], player: int) -> tuple[Line, ...]:
    """Return the lines that the player's stones on these cells complete, one stone at a time."""
    return tuple(line for cell in cells for line in find_lines(board, cell, player))
