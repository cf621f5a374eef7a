"""Encodes positions as arrays: four planes of zeros and ones, and a mask of the legal actions.

Observations are padded to 12 rows and 12 columns, the largest board, so that one network can play on every board.
"""

import numpy as np
from numpy.typing import NDArray

from fourfall._core import Board, Geometry

PADDED_SIZE = 12
"""Rows and columns of padded observations, and number of actions."""

PLANES = 4
"""Own stones, the opponent's stones, the hole, cells of the board."""

OWN, OPPONENT, HOLE, INSIDE = range(PLANES)

Array = NDArray[np.int8]


def compute_shape(board: Board | None, *, padded: bool) -> tuple[int, int, int]:
    """Return the shape of observations on a board; None stands for random boards, which need padding.

    >>> compute_shape(None, padded=True), compute_shape(Board(6, 7), padded=False)
    ((4, 12, 12), (4, 6, 7))
    """
    if padded:
        return PLANES, PADDED_SIZE, PADDED_SIZE
    if board is None:
        raise ValueError("padded = False: random boards have different sizes; give a board or leave padded = True")
    return PLANES, board.rows, board.cols


class BoardEncoder:
    """Encodes the positions of one geometry.

    A position is an int8 array of shape (4, rows, columns), channels first, as `Board.planes` and PyTorch have it.
    Planes: 0 own stones, 1 the opponent's stones, 2 the hole, 3 the cells of the board (with the hole). Cells are at
    their `(row, col)` of `Board`, row 0 at the top; padding is at the bottom and on the right, where all planes are 0.

    >>> encoder = BoardEncoder(Geometry(6, 7, hole=(2, 3)))
    >>> planes = encoder.encode(Board.parse("6x7@2,3:4"), player=0)
    >>> planes.shape, [int(plane.sum()) for plane in planes]
    ((4, 12, 12), [1, 0, 1, 42])
    >>> encoder.make_mask(Board.parse("6x7@2,3:44444"))
    array([1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0, 0], dtype=int8)
    """

    def __init__(self, geometry: Geometry, *, padded: bool = True) -> None:
        self.geometry = geometry
        self._rows, self._columns = geometry.rows, geometry.cols
        shape = (PADDED_SIZE, PADDED_SIZE) if padded else (self._rows, self._columns)
        self._all_columns: Array = np.zeros(shape[1], np.int8)
        self._all_columns[: self._columns] = 1
        self._empty: Array = np.zeros((PLANES, *shape), np.int8)
        self._empty[INSIDE, : self._rows, : self._columns] = 1
        if geometry.hole is not None:
            self._empty[HOLE, *geometry.hole] = 1

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the planes: (4, rows, columns)."""
        return self._empty.shape

    def encode(self, board: Board, player: int) -> Array:
        """Return the planes of a position as `player` sees it, in a new array."""
        planes = self._empty.copy()
        stones = board.planes()
        planes[OWN, : self._rows, : self._columns] = stones[0 if board.turn == player else 1]
        planes[OPPONENT, : self._rows, : self._columns] = stones[1 if board.turn == player else 0]
        return planes

    def make_mask(self, board: Board) -> Array:
        """Return which actions are legal, in a new array.

        After the end of the game no action is played any more. The mask then has all columns of the board, because
        code that samples from a mask, or takes a softmax with it, needs at least one.
        """
        legal = board.legal_moves
        if len(legal) in (0, self._columns):
            return self._all_columns.copy()
        mask: Array = np.zeros_like(self._all_columns)
        mask[legal] = 1
        return mask
