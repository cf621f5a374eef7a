"""Owns giving a past to a position that came without one: any legal game that leads to the same stones."""

from collections.abc import Sequence

from fourfall._core import Board, Geometry

_MINE, _THEIRS = 2, 1
_MOST_STEPS = 200_000


class ProtocolError(ValueError):
    """A message of a judge that makes no sense; the line says why."""


def board_from_view(
    geometry: Geometry, top: Sequence[int], view: Sequence[int], last: tuple[int, int] | None = None
) -> Board:
    """Build a board on which the side to move sees these cells, after the opponent's stone on `last` if it is given.

    A judge that asks in the middle of a game shows stones but no moves. Stones of a column fell from the bottom up, and
    the players took turns: the moves are taken back one by one until none is left.

    >>> board_from_view(Geometry(6, 7), [5, 5, 6, 6, 6, 6, 6], [0] * 35 + [2, 1, 0, 0, 0, 0, 0], (5, 1)).notation
    '6x7:12'
    """
    columns = [_stones(geometry, view, col) for col in range(geometry.cols)]
    mine, theirs = (sum(column.count(side) for column in columns) for side in (_MINE, _THEIRS))
    if theirs - mine not in (0, 1):
        raise ProtocolError(f"{mine} stones of mine and {theirs} of the opponent's cannot be with me to move")
    if last is not None:
        row, col = last
        if not 0 <= col < geometry.cols or _top_stone(geometry, view, col) != (row, _THEIRS):
            raise ProtocolError(f"the last move {row} {col} is not the topmost stone of a column and the opponent's")
    moves = _retrace(columns, None if last is None else last[1])
    if moves is None:
        raise ProtocolError("no game of alternating moves leads to these stones")
    board = Board(geometry.rows, geometry.cols, geometry.hole)
    for move in moves:
        if board.is_over:
            raise ProtocolError("the game is over: there is nothing to ask")
        board.push(move)
    if board.is_over:
        raise ProtocolError("the game is over: there is nothing to ask")
    for col, told in enumerate(top):
        landing = _landing(geometry, len(columns[col]), col)
        if told != landing:
            raise ProtocolError(f"top says {told} for column {col}, the stones say {landing}")
    return board


def _stones(geometry: Geometry, view: Sequence[int], col: int) -> list[int]:
    """Return whose the stones of a column are, from the bottom up."""
    cells = [
        (row, view[row * geometry.cols + col]) for row in reversed(range(geometry.rows)) if (row, col) != geometry.hole
    ]
    for row, cell in cells:
        if cell not in (0, _MINE, _THEIRS):
            raise ProtocolError(f"cell {row} {col} is {cell}, not 0, 1 or 2")
    stones = [cell for _, cell in cells]
    height = len(stones) - stones.count(0)
    if 0 in stones[:height]:
        raise ProtocolError(f"a stone of column {col} hangs in the air")
    return stones[:height]


def _top_stone(geometry: Geometry, view: Sequence[int], col: int) -> tuple[int, int] | None:
    for row in range(geometry.rows):
        if (row, col) != geometry.hole and view[row * geometry.cols + col]:
            return row, view[row * geometry.cols + col]
    return None


def _landing(geometry: Geometry, height: int, col: int) -> int:
    free = [row for row in reversed(range(geometry.rows)) if (row, col) != geometry.hole][height:]
    return free[0] + 1 if free else 0


def _retrace(columns: Sequence[Sequence[int]], last: int | None) -> list[int] | None:
    """Find columns in an order of play that gives these stones, the opponent's move last; None where there is none.

    Takes stones back in turn, from the fullest column first, which keeps the choice wide; what led nowhere is
    remembered.
    """
    heights = [len(column) for column in columns]
    taken: list[int] = []
    choices: list[list[int]] = []
    hopeless: set[tuple[int, ...]] = set()

    def candidates() -> list[int]:
        side = _THEIRS if len(taken) % 2 == 0 else _MINE
        if not taken and last is not None:
            return [last]
        if tuple(heights) in hopeless:
            return []
        found = [col for col, height in enumerate(heights) if height and columns[col][height - 1] == side]
        return sorted(found, key=lambda col: heights[col])

    while any(heights):
        if len(choices) == len(taken):
            choices.append(candidates())
        if choices[-1]:
            col = choices[-1].pop()
            heights[col] -= 1
            taken.append(col)
            continue
        hopeless.add(tuple(heights))
        if not taken or len(hopeless) > _MOST_STEPS:
            return None
        choices.pop()
        heights[taken.pop()] += 1
    return taken[::-1]
