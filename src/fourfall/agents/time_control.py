"""Computes how much of the time on its clock an engine spends on a move."""

_MIN_MOVES_LEFT = 6
_MAX_MOVES_LEFT = 25
_MAX_SHARE = 0.5
_MIN_MOVE_TIME_S = 0.01


def compute_move_time_s(left_s: float, increment_s: float, free_cells: int, moves_to_go: int | None = None) -> float:
    """Return the time that an engine spends on its next move.

    The time left is divided by the number of moves that the engine may still have to play (half of the free cells,
    from 6 to 25), plus most of the increment. If more time is added after `moves_to_go` moves, only these are counted.
    A move never takes more than half of the time left.

    >>> compute_move_time_s(300, 0, 42), compute_move_time_s(2, 5, 100)
    (14.285714285714286, 1.0)
    >>> compute_move_time_s(300, 0, 42, moves_to_go=5)
    60.0
    """
    moves = min(max(free_cells / 2, _MIN_MOVES_LEFT), _MAX_MOVES_LEFT)
    if moves_to_go is not None:
        moves = min(moves, max(moves_to_go, 1))
    return max(min(left_s / moves + 0.8 * increment_s, _MAX_SHARE * left_s), _MIN_MOVE_TIME_S)
