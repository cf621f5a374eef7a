"""Reference implementation of the network whose convolutions multiply 8-bit integers, in NumPy.

The convolutions use Winograd's F(2x2, 3x3): tiles of 4x4 inputs give 2x2 outputs. The transformed inputs of a tile are
rounded element by element so that the largest channel becomes 127, the transformed weights element by element for each
output channel.
"""

from dataclasses import dataclass

import numpy as np

from tests.search.network_reference import Array, ReferenceNetwork

_INPUT = np.array([[1, 0, -1, 0], [0, 1, 1, 0], [0, -1, 1, 0], [0, 1, 0, -1]])
_WEIGHTS = np.array([[1, 0, 0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0, 0, 1]])
_OUTPUT = np.array([[1, 1, 1, 0], [0, 1, -1, -1]])


@dataclass
class Int8ReferenceNetwork(ReferenceNetwork):
    """A network that rounds the operands of its convolutions."""

    def convolve(self, x: Array, name: str) -> Array:
        """Return a convolution of a block without its bias, with rounded operands."""
        rows, cols, channels = x.shape
        height, width = (rows + 1) // 2, (cols + 1) // 2
        padded = np.zeros((2 * height + 2, 2 * width + 2, channels))
        padded[1 : rows + 1, 1 : cols + 1] = x
        weights = round_to_127(np.einsum("ay,bx,yxio->abio", _WEIGHTS, _WEIGHTS, self.tensors[name]), axis=2)
        result = np.zeros((2 * height, 2 * width, channels))
        for row in range(0, 2 * height, 2):
            for col in range(0, 2 * width, 2):
                tile = padded[row : row + 4, col : col + 4]
                elements = round_to_127(np.einsum("ay,bx,yxi->abi", _INPUT, _INPUT, tile), axis=2)
                products = np.einsum("abi,abio->abo", elements, weights)
                result[row : row + 2, col : col + 2] = np.einsum("ya,xb,abo->yxo", _OUTPUT, _OUTPUT, products)
        return result[:rows, :cols]


def round_to_127(x: Array, axis: int) -> Array:
    """Round to multiples of a unit of which the largest number along an axis has 127.

    >>> round_to_127(np.array([[254.0, 3.1, -0.9], [0, 0, 0]]), axis=1)
    array([[254.,   4.,  -0.],
           [  0.,   0.,   0.]])
    """
    unit = np.abs(x).max(axis=axis, keepdims=True) / 127
    unit[unit == 0] = 1
    return np.asarray(np.round(x / unit) * unit)
