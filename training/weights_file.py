"""Reads and writes weights files `.f4w`: magic, header, tensors on 64-byte boundaries, checksum (docs/learning.md)."""

import hashlib
import json
import struct
from pathlib import Path
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from fourfall.weights.tensors import POLICY_HIDDEN, VALUE_HIDDEN
from training.network import Size
from training.rules import PLANES

MAGIC = b"F4W1"
VERSION = 1
ALIGNMENT = 64
DIGEST_BYTES = 32
MAX_BYTES = 4_000_000
DTYPES = {"bf16": np.dtype(ml_dtypes.bfloat16), "f32": np.dtype("<f4")}

Tensors = dict[str, NDArray[Any]]


class WeightsError(ValueError):
    """Unusable weights file; the message is one line that names the file and the reason."""


class WeightsFile(NamedTuple):
    """Content of a weights file."""

    header: dict[str, Any]
    size: Size
    tensors: Tensors  # float32


def write_weights(path: Path, size: Size, tensors: Tensors, *, dtype: str, run: str, note: str) -> None:
    """Write a network: convolutions in the precision `dtype`, everything else in float32."""
    header = {
        "blocks": size.blocks,
        "channels": size.channels,
        "dtype": dtype,
        "note": note,
        "planes": PLANES,
        "policy_hidden": POLICY_HIDDEN,
        "run": run,
        "value_hidden": VALUE_HIDDEN,
    }
    text = json.dumps(header, sort_keys=True).encode()
    data = _pad(MAGIC + struct.pack("<II", VERSION, len(text)) + text)
    for name, shape in size.list_shapes().items():
        tensor = np.ascontiguousarray(tensors[name], dtype=np.float32)
        if tensor.shape != shape:
            raise WeightsError(f"{path}: tensor {name} has shape {tensor.shape}, expected {shape}")
        data += _pad(tensor.astype(_choose_dtype(shape, dtype)).tobytes())
    data += hashlib.sha256(data).digest()
    if len(data) > MAX_BYTES:
        raise WeightsError(f"{path}: the network needs {len(data)} bytes, a weights file has at most {MAX_BYTES}")
    partial = path.with_name(path.name + ".partial")
    partial.write_bytes(data)
    partial.replace(path)


def read_weights(path: Path) -> WeightsFile:
    """Read a weights file; raises WeightsError if it is missing or invalid."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise WeightsError(f"{path}: {error.strerror}") from None
    header, offset = _read_header(path, data)
    size = Size(header["channels"], header["blocks"])
    tensors = {}
    for name, shape in size.list_shapes().items():
        dtype = _choose_dtype(shape, header["dtype"])
        count = int(np.prod(shape))
        if offset + count * dtype.itemsize > len(data) - DIGEST_BYTES:
            raise WeightsError(f"{path}: truncated in tensor {name}")
        tensors[name] = np.frombuffer(data, dtype, count, offset).astype(np.float32).reshape(shape)
        offset += len(_pad(b"\0" * (count * dtype.itemsize)))
    if offset + DIGEST_BYTES != len(data):
        raise WeightsError(f"{path}: {len(data) - offset - DIGEST_BYTES} unexpected bytes after the last tensor")
    return WeightsFile(header, size, tensors)


def _read_header(path: Path, data: bytes) -> tuple[dict[str, Any], int]:
    """Return the header and the offset of the first tensor."""
    if data[:4] != MAGIC:
        raise WeightsError(f"{path}: not a weights file")
    if len(data) < 12 + DIGEST_BYTES:
        raise WeightsError(f"{path}: truncated")
    version, length = struct.unpack("<II", data[4:12])
    if version != VERSION:
        raise WeightsError(f"{path}: format version {version}; this program reads version {VERSION}")
    if hashlib.sha256(data[:-DIGEST_BYTES]).digest() != data[-DIGEST_BYTES:]:
        raise WeightsError(f"{path}: wrong checksum: the file is truncated or corrupt")
    try:
        header = json.loads(data[12 : 12 + length])
        architecture = header["planes"], header["value_hidden"], header["policy_hidden"]
        is_plausible = header["channels"] > 0 and header["blocks"] > 0 and header["dtype"] in DTYPES
    except (ValueError, KeyError, TypeError):
        raise WeightsError(f"{path}: invalid header for format version {VERSION}") from None
    if architecture != (PLANES, VALUE_HIDDEN, POLICY_HIDDEN) or not is_plausible:
        raise WeightsError(f"{path}: unknown network architecture")
    return header, len(_pad(data[: 12 + length]))


def _choose_dtype(shape: tuple[int, ...], convolutions: str) -> np.dtype[Any]:
    return DTYPES[convolutions if len(shape) == 4 else "f32"]


def _pad(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % ALIGNMENT)
