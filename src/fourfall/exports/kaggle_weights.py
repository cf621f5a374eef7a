"""Encodes the weights of a network as text for a Kaggle submission."""

import base64
import zlib

import numpy as np

from fourfall.weights.tensors import Tensor, WeightsTensors


def encode_weights(network: WeightsTensors) -> str:
    """Return the text from which `fourfall.exports.kaggle.network.Weights` decodes the tensors.

    >>> from fourfall.weights.tensors import read_tensors
    >>> encode_weights(read_tensors())[:5]
    '64 4 '
    """
    data = b"".join(_encode_tensor(tensor) for tensor in network.tensors.values())
    encoded = base64.b85encode(zlib.compress(data, 9)).decode()
    return f"{network.header['channels']} {network.header['blocks']} {encoded}"


def _encode_tensor(tensor: Tensor) -> bytes:
    if tensor.ndim == 1:
        return tensor.astype("<f4").tobytes()
    if tensor.ndim == 2:
        return tensor.astype("<f2").tobytes()
    bits = np.ascontiguousarray(tensor, np.float32).view(np.uint32)
    # Round to the nearest bfloat16; the weights file of the package has this precision already.
    rounded = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
    return (rounded & 0xFF).astype(np.uint8).tobytes() + (rounded >> 8).astype(np.uint8).tobytes()
