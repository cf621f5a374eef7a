"""Fourfall: a gravity-four laboratory."""

from fourfall._core import (
    Analysis,
    Board,
    ColumnReport,
    EngineError,
    Geometry,
    IllegalMove,
    InvalidBoard,
    Limit,
    NotationError,
    Outcome,
    PlayoutCounts,
    Score,
    TreeReport,
    perft,
    playouts,
)
from fourfall._core import version as __version__
from fourfall.engine import Engine
from fourfall.presets import Preset, PresetError

__all__ = [
    "Analysis",
    "Board",
    "ColumnReport",
    "Engine",
    "EngineError",
    "Geometry",
    "IllegalMove",
    "InvalidBoard",
    "Limit",
    "NotationError",
    "Outcome",
    "PlayoutCounts",
    "Preset",
    "PresetError",
    "Score",
    "TreeReport",
    "__version__",
    "perft",
    "playouts",
]
