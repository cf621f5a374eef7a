"""Bit sets of stones, the hash of a position that its mirror image shares, and the split that follows from it.

Bit 12 * row + col of a set is the cell (row, col), counted from the top left, on boards of every size.
"""

import hashlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fourfall._core import Board, Geometry

SIZE = 12
"""Rows and columns of the grid in which the cells are numbered."""
SET_BYTES = SIZE * SIZE // 8
"""Bytes of a stored bit set, the lowest bits first."""

SPLITS = ("train", "validation", "test")
_SPLIT_LIMITS = (80, 90)  # per cent of the hashes up to which a position is in the first and in the second split


class StoneSets(NamedTuple):
    """Stones of a position as bit sets: of the first and the second player, then the same reflected left to right."""

    first: int
    second: int
    mirror_first: int
    mirror_second: int


def list_stone_sets(geometry: Geometry, moves: Sequence[int]) -> Iterator[StoneSets]:
    """Yield the stones before the first move and after each move.

    >>> [sets.first for sets in list_stone_sets(Geometry(6, 7), [3, 3])] == [0, 1 << 63, 1 << 63]
    True
    """
    hole = geometry.hole
    landing = [geometry.rows - 1] * geometry.cols
    stones, mirrored = [0, 0], [0, 0]
    yield StoneSets(0, 0, 0, 0)
    for ply, col in enumerate(moves):
        row = landing[col] - (hole == (landing[col], col))
        landing[col] = row - 1
        stones[ply % 2] |= 1 << (SIZE * row + col)
        mirrored[ply % 2] |= 1 << (SIZE * row + geometry.cols - 1 - col)
        yield StoneSets(stones[0], stones[1], mirrored[0], mirrored[1])


def get_stone_sets(board: Board) -> StoneSets:
    """Return the stones of a position."""
    *_, last = list_stone_sets(board.geometry, board.moves)
    return last


def hash_position(geometry: Geometry, sets: StoneSets) -> int:
    """Return a signed 64-bit hash of a position, equal for its mirror image and on every machine.

    It is the BLAKE2b hash with 8 bytes, read as a little-endian signed integer, of the text ``ROWSxCOLS[@row,col] FIRST
    SECOND``: FIRST and SECOND are the bit sets of the players as hexadecimal numbers. Of the texts of the position and
    of its mirror image, the lesser one is used.

    >>> board = Board.parse("6x7@5,0:112")
    >>> hash_position(board.geometry, get_stone_sets(board))
    4835406737344029511
    >>> mirror = board.mirror()
    >>> hash_position(mirror.geometry, get_stone_sets(mirror))
    4835406737344029511
    """
    text = f"{geometry} {sets.first:x} {sets.second:x}"
    mirror = f"{geometry.mirror()} {sets.mirror_first:x} {sets.mirror_second:x}"
    digest = hashlib.blake2b(min(text, mirror).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)


def choose_split(position_hash: int) -> str:
    """Return the split of a position from its hash: 80 % train, 10 % validation, 10 % test.

    >>> choose_split(79), choose_split(80), choose_split(99)
    ('train', 'validation', 'test')
    """
    share = position_hash % 2**64 % 100
    return SPLITS[sum(share >= limit for limit in _SPLIT_LIMITS)]
