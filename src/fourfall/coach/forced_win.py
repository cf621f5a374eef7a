"""Finds wins in which every reply of the opponent except the last is the only one that does not lose at once.

After each move of the attacker the defender cannot win at once and has at most one *safe* reply, a reply after which
the attacker cannot win at once. The sequence ends where no safe reply is left. The search therefore has one branch for
the defender, and the win that it finds is proven.
"""

from dataclasses import dataclass, field

from fourfall._core import Board

MAX_STONES = 12
"""Largest number of stones of the attacker in a sequence."""


@dataclass
class PositionBudget:
    """Number of positions that a search may still visit.

    >>> budget = PositionBudget(1)
    >>> budget.spend(), budget.spend()
    (True, False)
    """

    left: int

    def spend(self) -> bool:
        """Count one position; return False if none was left."""
        self.left -= 1
        return self.left >= 0


@dataclass(frozen=True)
class ForcedWin:
    """A forced win of the side to move.

    Attributes:
        columns: the moves of both sides, from the first one of the attacker to the stone that completes four. The last
            reply is one of several that lose at once.
        stones: number of the attacker's stones.
    """

    columns: list[int]
    stones: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "stones", (len(self.columns) + 1) // 2)


def find_forced_win(board: Board, budget: PositionBudget, *, max_stones: int = MAX_STONES) -> ForcedWin | None:
    """Return the shortest forced win of the side to move, or None if none was found within the budget.

    >>> find_forced_win(Board.parse("6x7:4455"), PositionBudget(100)).columns
    [2, 1, 5]
    """
    board = board.copy()
    if board.winning_moves:
        return ForcedWin([board.winning_moves[0]])
    for stones in range(2, max_stones + 1):
        search = _Search(board, budget)
        columns = search.attack(stones)
        if columns is not None:
            return ForcedWin(columns)
        if budget.left < 0 or not search.was_cut:
            return None
    return None


def find_forced_win_after(
    board: Board, column: int, budget: PositionBudget, *, max_stones: int = MAX_STONES
) -> ForcedWin | None:
    """Return the forced win of the side to move that begins with this column; the column must not win at once."""
    if column not in board.safe_moves:
        return None
    board = board.copy()
    board.push(column)
    replies = board.safe_moves
    if board.is_over or len(replies) > 1:
        return None
    if not replies:
        return ForcedWin([column, *finish(board)])
    board.push(replies[0])
    rest = None if board.is_over else find_forced_win(board, budget, max_stones=max_stones - 1)
    return None if rest is None else ForcedWin([column, replies[0], *rest.columns])


def finish(board: Board) -> list[int]:
    """Return a reply and the winning move after it, in a position in which every reply loses at once.

    If the attacker threatens four, the reply blocks one of the threats.
    """
    attacker = 1 - board.turn
    threats = [column for row, column in board.threats(attacker) if row == board.landing_row(column)]
    reply = min(threats, default=board.legal_moves[0])
    board.push(reply)
    win = board.winning_moves[0]
    board.pop()
    return [reply, win]


class _Search:
    """Depth-first search with a fixed number of stones; positions that failed are remembered."""

    def __init__(self, board: Board, budget: PositionBudget) -> None:
        self._board = board
        self._budget = budget
        self._failed: set[tuple[int, int]] = set()
        self.was_cut = False

    def attack(self, stones: int) -> list[int] | None:
        """Return the moves of a forced win with this number of stones, at least 2; nobody can win at once."""
        board = self._board
        key = (board.key, stones)
        if key in self._failed:
            return None
        for column in board.safe_moves:
            if not self._budget.spend():
                return None
            board.push(column)
            columns = None if board.is_over else self._defend(stones)
            board.pop()
            if columns is not None:
                return [column, *columns]
        self._failed.add(key)
        return None

    def _defend(self, stones: int) -> list[int] | None:
        board = self._board
        replies = board.safe_moves
        if not replies:
            return finish(board)
        if len(replies) > 1:
            return None
        if stones == 2:
            self.was_cut = True
            return None
        board.push(replies[0])
        columns: list[int] | None
        if board.is_over:
            columns = None
        elif board.winning_moves:
            columns = [board.winning_moves[0]]
        else:
            columns = self.attack(stones - 1)
        board.pop()
        return None if columns is None else [replies[0], *columns]
