"""Reads sample files of the generator in Python."""

import numpy as np
from numpy.typing import NDArray

from fourfall import Board, Geometry

SAMPLE = np.dtype(
    [("own", "<u8", 3), ("opposing", "<u8", 3), ("value", "<f4"), ("board", "u1", 4), ("logits", "<i2", 12)]
)
"""A sample as `sample.hpp` stores it; `board` has the rows, the columns and the bit of the hole."""
STRIDE = 16
"""Bits of a column, the lowest cell first."""


def read_board(sample: np.void) -> Board:
    """Return the position of a sample, with some order of moves."""
    rows, cols, hole = (int(number) for number in sample["board"][:3])
    own, opposing = _list_cells(sample["own"], rows), _list_cells(sample["opposing"], rows)
    first, second = (own, opposing) if len(own) == len(opposing) else (opposing, own)
    return Board.from_stones(Geometry(rows, cols, (rows - 1 - hole % STRIDE, hole // STRIDE)), first, second)


def _list_cells(words: NDArray[np.uint64], rows: int) -> list[tuple[int, int]]:
    bits = [64 * i + j for i, word in enumerate(words) for j in range(64) if int(word) >> j & 1]
    return [(rows - 1 - bit % STRIDE, bit // STRIDE) for bit in bits]
