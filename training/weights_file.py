"""Owns the weights file `.f4w`: magic, header, tensors on 64-byte boundaries, checksum (docs/learning.md)."""

import hashlib
import json
import struct
from pathlib import Path
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from training.network import POLICY_HIDDEN, VALUE_HIDDEN, Size
from training.rules import PLANES

MAGIC = b"F4W1"
VERSION = 1
ALIGNMENT = 64
DIGEST = 32
LARGEST = 4_000_000
DTYPES = {"bf16": np.dtype(ml_dtypes.bfloat16), "f32": np.dtype("<f4")}

Tensors = dict[str, NDArray[Any]]


class WeightsError(ValueError):
    """A weights file that cannot be used; the message is one line that names the file and what is wrong with it."""


class Loaded(NamedTuple):
    """A weights file's content: the header as written, the size it tells, and float32 tensors."""

    header: dict[str, Any]
    size: Size
    tensors: Tensors


def write(path: Path, size: Size, tensors: Tensors, *, dtype: str, run: str, note: str) -> None:
    """Write a network; convolutions in the given precision, everything else in float32."""
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
    data = _padded(MAGIC + struct.pack("<II", VERSION, len(text)) + text)
    for name, shape in size.shapes().items():
        tensor = np.ascontiguousarray(tensors[name], dtype=np.float32)
        if tensor.shape != shape:
            raise WeightsError(f"{path}: tensor {name} has shape {tensor.shape}, not {shape}")
        data += _padded(tensor.astype(_dtype_of(shape, dtype)).tobytes())
    data += hashlib.sha256(data).digest()
    if len(data) > LARGEST:
        raise WeightsError(f"{path}: {len(data)} bytes are more than the {LARGEST} a weights file may have")
    partial = path.with_name(path.name + ".partial")
    partial.write_bytes(data)
    partial.replace(path)


def read(path: Path) -> Loaded:
    """Read a weights file back; whatever is wrong with it is a WeightsError."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise WeightsError(f"{path}: {error.strerror}") from None
    header, offset = _header(path, data)
    size = Size(header["channels"], header["blocks"])
    tensors = {}
    for name, shape in size.shapes().items():
        dtype = _dtype_of(shape, header["dtype"])
        count = int(np.prod(shape))
        if offset + count * dtype.itemsize > len(data) - DIGEST:
            raise WeightsError(f"{path}: truncated in tensor {name}")
        tensors[name] = np.frombuffer(data, dtype, count, offset).astype(np.float32).reshape(shape)
        offset += len(_padded(b"\0" * (count * dtype.itemsize)))
    if offset + DIGEST != len(data):
        raise WeightsError(f"{path}: {len(data) - offset - DIGEST} bytes too many after the last tensor")
    return Loaded(header, size, tensors)


def _header(path: Path, data: bytes) -> tuple[dict[str, Any], int]:
    if data[:4] != MAGIC:
        raise WeightsError(f"{path}: not a weights file")
    if len(data) < 12 + DIGEST:
        raise WeightsError(f"{path}: truncated")
    version, length = struct.unpack("<II", data[4:12])
    if version != VERSION:
        raise WeightsError(f"{path}: version {version} of the format; this program reads version {VERSION}")
    if hashlib.sha256(data[:-DIGEST]).digest() != data[-DIGEST:]:
        raise WeightsError(f"{path}: checksum does not match: truncated or corrupt")
    try:
        header = json.loads(data[12 : 12 + length])
        known = header["planes"], header["value_hidden"], header["policy_hidden"]
        plausible = header["channels"] > 0 and header["blocks"] > 0 and header["dtype"] in DTYPES
    except (ValueError, KeyError, TypeError):
        raise WeightsError(f"{path}: the header is not what version {VERSION} has") from None
    if known != (PLANES, VALUE_HIDDEN, POLICY_HIDDEN) or not plausible:
        raise WeightsError(f"{path}: an architecture that this program does not know")
    return header, len(_padded(data[: 12 + length]))


def _dtype_of(shape: tuple[int, ...], convolutions: str) -> np.dtype[Any]:
    return DTYPES[convolutions if len(shape) == 4 else "f32"]


def _padded(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % ALIGNMENT)
