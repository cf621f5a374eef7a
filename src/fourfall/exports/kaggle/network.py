"""The evaluation network in NumPy: value and policy of several positions at once.

The 3x3 convolutions use Winograd's F(2x2, 3x3), which needs 4 products where the direct sum needs 9. Activations are
arrays [cell][position][channel]. The cells are in the order of the method: the output cells 0 to 3 of all 2x2 tiles.
One more row, always zero, represents all cells outside the board.
"""

import base64
import math
import zlib

import numpy as np
from numpy.typing import NDArray

from fourfall.exports.kaggle.planes import PLANES, InputPlanes
from fourfall.exports.kaggle.rules import Rules

Array = NDArray[np.float32]

VALUE_HIDDEN = 64
POLICY_HIDDEN = 32

_INPUT = np.array([[1, 0, -1, 0], [0, 1, 1, 0], [0, -1, 1, 0], [0, 1, 0, -1]], np.float32)
_KERNEL = np.array([[1, 0, 0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0, 0, 1]], np.float32)
_OUTPUT = np.array([[1, 1, 1, 0], [0, 1, -1, -1]], np.float32)


def list_shapes(channels: int, blocks: int) -> dict[str, tuple[int, ...]]:
    """Return the names and shapes of the tensors, in the order of the embedded weights."""
    shapes: dict[str, tuple[int, ...]] = {"stem": (3, 3, PLANES, channels), "stem_bias": (channels,)}
    for block in range(blocks):
        for part in "ac":
            shapes[f"{part}{block}"] = (3, 3, channels, channels)
            shapes[f"{part}{block}_bias"] = (channels,)
        if block % 2 == 1:
            shapes[f"pool{block}"] = (2 * channels, channels)
    shapes["value_1"], shapes["value_1_bias"] = (2 * channels, VALUE_HIDDEN), (VALUE_HIDDEN,)
    shapes["value_2"], shapes["value_2_bias"] = (VALUE_HIDDEN,), (1,)
    shapes["policy_1"], shapes["policy_pool"] = (channels, POLICY_HIDDEN), (2 * channels, POLICY_HIDDEN)
    shapes["policy_1_bias"], shapes["policy_2"] = (POLICY_HIDDEN,), (POLICY_HIDDEN,)
    return shapes


class Weights:
    """Tensors of a network, decoded from text: compressed numbers in base 85 after the number of channels and blocks.

    Convolutions are in bfloat16, the upper half of a float32: first all lower bytes, then all upper bytes, which
    compresses well. Matrices are in float16, vectors in float32.
    """

    def __init__(self, text: str) -> None:
        channels, blocks, encoded = text.split(" ", 2)
        self.channels, self.blocks = int(channels), int(blocks)
        data = zlib.decompress(base64.b85decode(encoded))
        self.tensors: dict[str, Array] = {}
        offset = 0
        for name, shape in list_shapes(self.channels, self.blocks).items():
            count, width = math.prod(shape), 4 if len(shape) == 1 else 2
            part, offset = data[offset : offset + width * count], offset + width * count
            if len(shape) == 4:
                halves = np.frombuffer(part, np.uint8).reshape(2, count).astype(np.uint32)
                tensor = (halves[0] << 16 | halves[1] << 24).view(np.float32)
            else:
                tensor = np.frombuffer(part, f"<f{width}").astype(np.float32)
            self.tensors[name] = tensor.reshape(shape)
        self.kernels = {name: _transform(tensor) for name, tensor in self.tensors.items() if tensor.ndim == 4}


class Network:
    """Evaluates positions of one board size."""

    def __init__(self, weights: Weights, rules: Rules) -> None:
        self._weights, self._tensors = weights, weights.tensors
        height, width = (rules.rows + 1) // 2, (rules.columns + 1) // 2
        self._tiles = height * width
        self._cells = 4 * self._tiles
        order = np.full((2 * height + 2, 2 * width + 2), self._cells)  # row of each cell, with a border
        for y in range(rules.rows):
            for x in range(rules.columns):
                order[y + 1, x + 1] = (2 * (y % 2) + x % 2) * self._tiles + y // 2 * width + x // 2
        tiles = [(2 * i, 2 * j) for i in range(height) for j in range(width)]
        patches = [[order[i + y, j + x] for i, j in tiles] for y in range(4) for x in range(4)]
        self._patches = np.array(patches).reshape(-1)
        board = order[1 : rules.rows + 1, 1 : rules.columns + 1]
        self._outside = np.setdiff1d(np.arange(self._cells), board)
        self._mean = np.zeros((1, self._cells), np.float32)
        self._mean[0, board.reshape(-1)] = 1 / (rules.rows * rules.columns)
        self._planes = InputPlanes(rules, board)
        self._input, self._output = np.kron(_INPUT, _INPUT), np.kron(_OUTPUT, _OUTPUT)

    def evaluate(self, positions: list[tuple[int, int]]) -> tuple[list[float], list[list[float]]]:
        """Return the values for the side to move, -1 to 1, and the policy logits of all columns.

        A position is the stones of the side to move and of the opponent. Logits of full columns have no meaning.
        """
        tensors, count = self._tensors, len(positions)
        planes, landing = self._planes.encode(positions, self._cells)
        x = self._convolve(planes, "stem")
        np.maximum(x, 0, out=x)
        for block in range(self._weights.blocks):
            h = self._convolve(x, f"a{block}")
            np.maximum(h, 0, out=h)
            pooled = self._pool(h) @ tensors[f"pool{block}"] if block % 2 else None
            h = self._convolve(h, f"c{block}")
            if pooled is not None:
                h[:-1] += pooled
            x += h
            np.maximum(x, 0, out=x)
        pooled = self._pool(x)
        hidden = np.maximum(pooled @ tensors["value_1"] + tensors["value_1_bias"], 0)
        values = np.tanh((hidden @ tensors["value_2"] + tensors["value_2_bias"]) / 2)
        cells = x[landing, np.arange(count)[:, None]]
        base = pooled @ tensors["policy_pool"] + tensors["policy_1_bias"]
        logits = np.maximum(cells @ tensors["policy_1"] + base[:, None], 0) @ tensors["policy_2"]
        return values.tolist(), logits.tolist()

    def _convolve(self, x: Array, name: str) -> Array:
        """Return the convolution with its bias; the row outside the board is zero."""
        kernel, count = self._weights.kernels[name], x.shape[1]
        channels = kernel.shape[2]
        patches = x.take(self._patches, axis=0).reshape(16, -1)
        products = np.matmul((self._input @ patches).reshape(16, self._tiles * count, -1), kernel)
        result = np.empty((self._cells + 1, count, channels), np.float32)
        np.matmul(self._output, products.reshape(16, -1), out=result[:-1].reshape(4, -1))
        result[:-1] += self._tensors[name + "_bias"]
        result[-1] = 0
        return result

    def _pool(self, x: Array) -> Array:
        """Return the mean and the maximum of each channel over the board; activations are not negative."""
        x[self._outside] = 0
        mean = (self._mean @ x[:-1].reshape(self._cells, -1)).reshape(x.shape[1:])
        return np.concatenate([mean, x.max(axis=0)], axis=1)


def _transform(kernel: Array) -> Array:
    """Return a kernel [3][3][input][output] as matrices [element][input][output] of Winograd's method."""
    transformed = np.einsum("ay,bx,yxio->abio", _KERNEL, _KERNEL, kernel)
    return np.ascontiguousarray(transformed.reshape(16, *kernel.shape[2:]), dtype=np.float32)
