"""Fourfall: a gravity-four laboratory."""

from fourfall._core import (
    Board,
    Geometry,
    IllegalMove,
    InvalidBoard,
    NotationError,
    Outcome,
    PlayoutCounts,
    perft,
    playouts,
)
from fourfall._core import version as __version__

__all__ = [
    "Board",
    "Geometry",
    "IllegalMove",
    "InvalidBoard",
    "NotationError",
    "Outcome",
    "PlayoutCounts",
    "__version__",
    "perft",
    "playouts",
]
