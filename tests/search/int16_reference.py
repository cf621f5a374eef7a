"""Reference implementation of the network whose convolutions multiply 16-bit integers, in NumPy.

The convolutions use Winograd's F(4x4, 3x3) and F(3x3, 3x3): each side of the board is cut into lengths of 4 and 3
cells. All transformed inputs of a convolution are rounded to multiples of one unit, the transformed weights to
multiples of a unit for each element and output channel.
"""

from dataclasses import dataclass

import numpy as np

from tests.search.network_reference import Array, ReferenceNetwork

_LARGEST = 32767
_SMALLEST = 1e-30  # avoids a division by zero
_LARGEST_TOTAL = 65000
_GAIN = 90

# By length: the elements of a length of cells with one more cell on either side, and the cells of the elements.
_INPUT = {
    4: np.array([
        [4, 0, -5, 0, 1, 0], [0, -4, -4, 1, 1, 0], [0, 4, -4, -1, 1, 0], [0, -3, -1.5, 3, 1.5, 0], [0, 4, 0, -5, 0, 1],
        [0, 4, -2, -4, 2, 0],
    ]),
    3: np.array([[4, -2, -4, 2, 0], [0, -6, -3, 3, 0], [0, 2, -3, 1, 0], [0, -6, 0, 6, 0], [0, 2, -1, -2, 1]]),
}  # fmt: skip
_OUTPUT = {
    4: np.array([[1, 1, 1, 1, 0, 1], [0, 1, -1, 2, 0, -2], [0, 1, 1, 4, 0, 4], [0, 1, -1, 8, 1, -8]]),
    3: np.array([[1, 1, 1, 1, 0], [0, 1, -1, 2, 0], [0, 1, 1, 4, 1]]),
}
_WEIGHTS = np.array([
    [1 / 4, 0, 0], [-1 / 6, -1 / 6, -1 / 6], [-1 / 6, 1 / 6, -1 / 6], [1 / 36, 2 / 36, 4 / 36], [0, 0, 1],
    [1 / 48, -2 / 48, 4 / 48],
])  # fmt: skip


@dataclass
class Int16ReferenceNetwork(ReferenceNetwork):
    """A network that rounds the operands of its convolutions."""

    def convolve(self, x: Array, name: str) -> Array:
        """Return a convolution of a block without its bias, with rounded operands."""
        return convolve_lengths(x, self.tensors[name], is_rounded=True)


def convolve_lengths(x: Array, weights: Array, is_rounded: bool) -> Array:
    """Apply a 3x3 convolution with zero padding by Winograd's method.

    >>> from tests.search.network_reference import convolve
    >>> max(gain(a, b) for matrix in _INPUT.values() for a in matrix for b in matrix) == _GAIN
    True
    >>> rng = np.random.default_rng(1)
    >>> x, weights = rng.random((7, 10, 4)), rng.random((3, 3, 4, 4)) - 0.5
    >>> exact = convolve(x, weights)
    >>> bool(np.allclose(convolve_lengths(x, weights, is_rounded=False), exact))
    True
    >>> bool(0 < np.abs(convolve_lengths(x, weights, is_rounded=True) - exact).max() < 0.05)
    True
    """
    rows, cols, channels = x.shape
    padded = np.pad(x, ((1, 2), (1, 2), (0, 0)))
    elements_of_weights = np.einsum("ay,bx,yxio->abio", _WEIGHTS, _WEIGHTS, weights)
    if is_rounded:
        magnitudes = np.abs(elements_of_weights)
        units = np.maximum(magnitudes.max(axis=2) / _LARGEST, magnitudes.sum(axis=2) / _LARGEST_TOTAL)
        units = np.maximum(units, _SMALLEST)[:, :, None]
        elements_of_weights = np.round(elements_of_weights / units) * units
    unit = max(x.max() * _GAIN, _SMALLEST) / _LARGEST
    result = np.zeros((rows + 1, cols + 1, channels))
    for row, down in cut(rows):
        for col, across in cut(cols):
            tile = padded[row : row + down + 2, col : col + across + 2]
            elements = np.einsum("ay,bx,yxi->abi", _INPUT[down], _INPUT[across], tile)
            if is_rounded:
                elements = np.round(elements / unit) * unit
            products = np.einsum("abi,abio->abo", elements, elements_of_weights[: down + 2, : across + 2])
            cells = np.einsum("ya,xb,abo->yxo", _OUTPUT[down], _OUTPUT[across], products)
            result[row : row + down, col : col + across] = cells
    return result[:rows, :cols]


def gain(down: Array, across: Array) -> float:
    """Return how large an element can be if the inputs are between 0 and 1."""
    weights = np.outer(down, across)
    return float(max(weights[weights > 0].sum(), -weights[weights < 0].sum()))


def cut(cells: int) -> list[tuple[int, int]]:
    """Cut a side of the board: return the first cell and the number of cells of each length, those of 4 cells first.

    >>> cut(10), cut(5)
    ([(0, 4), (4, 3), (7, 3)], [(0, 3), (3, 3)])
    """
    count = (cells + 3) // 4
    lengths = [4 if index < cells - 3 * count else 3 for index in range(count)]
    return [(sum(lengths[:index]), length) for index, length in enumerate(lengths)]
