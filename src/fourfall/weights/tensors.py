"""Reads the tensors of a weights file as NumPy arrays, for other frameworks; the engine reads the file in C++."""

import hashlib
import json
import math
import struct
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fourfall import weights
from fourfall._core import Network, WeightsError

PLANES = 16
VALUE_HIDDEN = 64
POLICY_HIDDEN = 32
_PREFIX = struct.Struct("<4sII")  # magic, version, length of the header
_ALIGNMENT = 64
_DIGEST_BYTES = 32

Tensor = NDArray[np.float32]


class WeightsTensors(NamedTuple):
    """Content of a weights file: its header, its SHA-256 checksum in hexadecimal, and the tensors in file order."""

    header: dict[str, str | int]
    digest: str
    tensors: dict[str, Tensor]


def list_shapes(channels: int, blocks: int) -> dict[str, tuple[int, ...]]:
    """Return the names and shapes of the tensors of a weights file, in file order.

    Convolutions are [3][3][input][output], matrices [input][output].

    >>> list(list_shapes(8, 2))[:4]
    ['stem', 'stem_bias', 'a0', 'a0_bias']
    """
    shapes: dict[str, tuple[int, ...]] = {"stem": (3, 3, PLANES, channels), "stem_bias": (channels,)}
    for block in range(blocks):
        for conv in "ac":
            shapes[f"{conv}{block}"] = (3, 3, channels, channels)
            shapes[f"{conv}{block}_bias"] = (channels,)
        if block % 2 == 1:
            shapes[f"pool{block}"] = (2 * channels, channels)
    shapes["value_1"], shapes["value_1_bias"] = (2 * channels, VALUE_HIDDEN), (VALUE_HIDDEN,)
    shapes["value_2"], shapes["value_2_bias"] = (VALUE_HIDDEN,), (1,)
    shapes["policy_1"], shapes["policy_pool"] = (channels, POLICY_HIDDEN), (2 * channels, POLICY_HIDDEN)
    shapes["policy_1_bias"], shapes["policy_2"] = (POLICY_HIDDEN,), (POLICY_HIDDEN,)
    return shapes


def read_tensors(path: Path | None = None) -> WeightsTensors:
    """Read a weights file, by default the packaged one. Raises WeightsError if it is missing or invalid.

    >>> network = read_tensors()
    >>> network.header["channels"], network.tensors["stem"].shape
    (64, (3, 3, 16, 64))
    """
    if path is None:
        network, data = weights.load(weights.PACKAGED), weights.read(weights.PACKAGED)
        if network is None or data is None:
            raise WeightsError(f"{weights.PACKAGED}: the package was built without this weights file; name another one")
    else:
        network, data = Network.load(path), path.read_bytes()  # the first call checks the file
    if hashlib.sha256(data[:-_DIGEST_BYTES]).hexdigest() != network.digest:
        raise WeightsError(f"{path}: the file changed while it was read; try again")
    try:
        header = json.loads(network.header)
    except ValueError:
        raise WeightsError(f"{path}: the header is not valid JSON") from None
    return WeightsTensors(header, network.digest, _split_tensors(data, header))


def _split_tensors(data: bytes, header: dict[str, str | int]) -> dict[str, Tensor]:
    offset = _align(_PREFIX.size + _PREFIX.unpack_from(data)[2])
    tensors = {}
    for name, shape in list_shapes(int(header["channels"]), int(header["blocks"])).items():
        is_bfloat16 = len(shape) == 4 and header["dtype"] == "bf16"
        stored = np.frombuffer(data, "<u2" if is_bfloat16 else "<f4", math.prod(shape), offset)
        # A bfloat16 is the upper half of a float32.
        tensor = (stored.astype(np.uint32) << 16).view(np.float32) if is_bfloat16 else stored.astype(np.float32)
        tensors[name] = tensor.reshape(shape)
        offset += _align(stored.nbytes)
    return tensors


def _align(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT
