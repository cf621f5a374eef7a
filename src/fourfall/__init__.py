"""Fourfall: a gravity-four laboratory."""

from fourfall._core import (
    Board,
    Geometry,
    IllegalMove,
    InvalidBoard,
    NotationError,
    Outcome,
    PlayoutCounts,
    __version__,
    perft,
    playouts,
)

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
