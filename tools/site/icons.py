"""Draws the icon of the installed page as PNG files: the shapes of static/icon.svg, and a maskable form of it."""

import struct
import zlib

import numpy as np

SIDE = 48.0
"""Side of the drawing in the units of icon.svg."""
_BACKGROUND = (0x1D, 0x2A, 0x36)
_BLUE = (0x2B, 0x8F, 0xD6)
_ORANGE = (0xE6, 0x9F, 0x00)
_CORNER = 11.0
_STONES = (("circle", 15.0, 33.0), ("circle", 33.0, 15.0), ("diamond", 33.0, 33.0), ("diamond", 15.0, 15.0))
_CIRCLE_RADIUS = 9.0
_DIAMOND_HALF = 6.5
_DIAMOND_CORNER = 2.5
_SAMPLES = 4  # per pixel and direction
_MASKABLE_SCALE = 0.72  # a launcher may cut everything outside the inner 80 % off


def draw_icon(size: int, *, maskable: bool = False) -> bytes:
    r"""Return the icon as a PNG of `size` x `size` pixels; a maskable one fills the square and has a margin.

    >>> draw_icon(16)[:8]
    b'\x89PNG\r\n\x1a\n'
    """
    count = size * _SAMPLES
    axis = (np.arange(count) + 0.5) * SIDE / count
    x, y = np.meshgrid(axis, axis)
    colours = np.empty((count, count, 4), dtype=np.float64)
    colours[:] = (*_BACKGROUND, 255)
    if maskable:
        middle = SIDE / 2
        x, y = (middle + (each - middle) / _MASKABLE_SCALE for each in (x, y))
    else:
        colours[~_is_in_square(x - SIDE / 2, y - SIDE / 2, SIDE / 2, _CORNER), 3] = 0
    for shape, column, row in _STONES:
        right, down = x - column, y - row
        if shape == "circle":
            colours[right**2 + down**2 <= _CIRCLE_RADIUS**2, :3] = _BLUE
        else:
            turned = ((right + down) / np.sqrt(2), (down - right) / np.sqrt(2))
            colours[_is_in_square(*turned, _DIAMOND_HALF, _DIAMOND_CORNER), :3] = _ORANGE
    pixels = colours.reshape(size, _SAMPLES, size, _SAMPLES, 4).mean(axis=(1, 3)).round().astype(np.uint8)
    return encode_png(pixels)


def encode_png(pixels: np.ndarray) -> bytes:
    """Encode an image of shape (height, width, 4) with 8 bits per channel."""
    height, width, _ = pixels.shape
    rows = b"".join(b"\x00" + row.tobytes() for row in pixels)
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_encode_chunk(kind, content) for kind, content in chunks)


def _encode_chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def _is_in_square(x: np.ndarray, y: np.ndarray, half: float, corner: float) -> np.ndarray:
    """Return which points lie in a square around the origin whose corners are rounded."""
    right = np.maximum(np.abs(x) - (half - corner), 0)
    down = np.maximum(np.abs(y) - (half - corner), 0)
    inside: np.ndarray = np.hypot(right, down) <= corner
    return inside
