"""Input planes of the network: sixteen feature planes of each position, for the side to move.

Plane 0 has the own and 1 the opposing stones, 2 the board, 3 the blocked cells, 4 the landing cells, 5 and 6 the free
cells that complete four (own, opposing), 7 and 8 those that make three in an open window of four, 9 whether the number
of playable cells below is odd, 10 and 12 whether the number of free cells and of stones is odd, 11 the safe landing
cells, 13 the next landing cells, 14 the number of free cells / 144, 15 zeros.
"""

import numpy as np
from numpy.typing import NDArray

from fourfall.exports.kaggle.rules import Rules

PLANES = 16

_STONE_PLANES = [0, 1, 4, 5, 6, 7, 8, 11, 13]


class InputPlanes:
    """Computes the input planes of positions on one board; `order` [height][column] has the row of each cell."""

    def __init__(self, rules: Rules, order: NDArray[np.int64]) -> None:
        self._rules, self._order = rules, order
        self._bytes = (rules.size + 7) // 8
        bits = np.arange(rules.columns) * rules.stride + np.arange(rules.rows)[:, None]
        self._bits, self._cells = bits.reshape(-1), order.reshape(-1)
        self._constant = np.zeros((rules.rows * rules.columns, PLANES), np.float32)
        for index, bit in enumerate(self._bits.tolist()):
            column_start = bit // rules.stride * rules.stride
            below = rules.playable & ((1 << bit) - (1 << column_start))
            self._constant[index, 2] = 1
            self._constant[index, 3] = rules.blocked >> bit & 1
            self._constant[index, 9] = below.bit_count() % 2

    def encode(self, positions: list[tuple[int, int]], cells: int) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """Return the planes as an array [cell][position][plane], and the row of the landing cell of every column.

        `cells` is the number of rows; one more follows, which is zero.
        """
        rules, count = self._rules, len(positions)
        stones = [(own | opponent).bit_count() for own, opponent in positions]
        numbers = np.array(stones, np.float32)[None]
        data = b"".join(
            [plane.to_bytes(self._bytes, "little") for one in positions for plane in self._list_planes(*one)]
        )
        packed = np.frombuffer(data, np.uint8).reshape(count, len(_STONE_PLANES), self._bytes)
        bits = np.unpackbits(packed, axis=2, bitorder="little")[:, :, self._bits]
        board = np.repeat(self._constant[:, None], count, axis=1)
        board[:, :, _STONE_PLANES] = bits.transpose(2, 0, 1)
        board[:, :, 10] = (rules.cells - numbers) % 2
        board[:, :, 12] = numbers % 2
        board[:, :, 14] = (rules.cells - numbers) / 144
        result = np.zeros((cells + 1, count, PLANES), np.float32)
        result[self._cells] = board
        heights = bits[:, 2].reshape(count, rules.rows, rules.columns).argmax(axis=1)
        return result, self._order[heights, np.arange(rules.columns)]

    def _list_planes(self, own: int, opponent: int) -> tuple[int, ...]:
        """Return the planes that depend on the stones, as bitboards in the order of `_STONE_PLANES`."""
        rules, occupied = self._rules, own | opponent
        free = rules.playable & ~occupied
        landing = rules.landing_cells(occupied)
        own_wins = rules.completing_cells(own) & free
        opposing_wins = rules.completing_cells(opponent) & free
        own_threes, opposing_threes = find_threes(rules, own, free), find_threes(rules, opponent, free)
        safe = rules.safe_moves(landing, opposing_wins)
        above = rules.cells_above(landing) & free
        return own, opponent, landing, own_wins, opposing_wins, own_threes, opposing_threes, safe, above


def find_threes(rules: Rules, stones: int, free: int) -> int:
    """Return the free cells of windows of four that contain two of these stones and two free cells.

    >>> rules = Rules(6, 7)
    >>> bin(find_threes(rules, 0b11, rules.playable & ~0b11))
    '0b1100'
    """
    usable, found = stones | free, 0
    for step in (1, rules.stride - 1, rules.stride, rules.stride + 1):
        pairs = usable & usable >> step
        windows = pairs & pairs >> 2 * step
        if windows:
            second, third, fourth = stones >> step, stones >> 2 * step, stones >> 3 * step
            low_one, low_two, high_one, high_two = stones ^ second, stones & second, third ^ fourth, third & fourth
            two = windows & (low_one & high_one | low_two & ~(third | fourth) | high_two & ~(stones | second))
            found |= two | two << step | two << 2 * step | two << 3 * step
    return found & free
