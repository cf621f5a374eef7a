"""Reference implementation of the network whose convolutions multiply bf16 numbers, in NumPy."""

from dataclasses import dataclass

import numpy as np

from tests.search.network_reference import Array, ReferenceNetwork, convolve


@dataclass
class Bf16ReferenceNetwork(ReferenceNetwork):
    """A network that rounds the operands of its convolutions."""

    def convolve(self, x: Array, name: str) -> Array:
        """Return a convolution of a block without its bias, with rounded operands."""
        return convolve(round_to_bf16(x), round_to_bf16(self.tensors[name]))


def round_to_bf16(values: Array) -> Array:
    """Round to the nearest bf16 numbers, ties to even.

    >>> round_to_bf16(np.array([1, 1 + 2**-8, 1 + 3 * 2**-8, 1 + 2**-7, 0])).tolist()
    [1.0, 1.0, 1.015625, 1.0078125, 0.0]
    """
    bits = values.astype(np.float32).view(np.uint32)
    rounded = (bits + 0x7FFF + (bits >> 16 & 1)) & np.uint32(0xFFFF0000)
    return rounded.view(np.float32).astype(np.float64)
