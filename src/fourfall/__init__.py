"""Fourfall: game rules, engines, an exact solver, agents, tournaments and a web page for gravity four."""

from fourfall import presets, render
from fourfall._core import (
    Analysis,
    Board,
    ColumnAnalysis,
    ColumnSolution,
    EngineError,
    Geometry,
    IllegalMove,
    InvalidBoard,
    Limit,
    Network,
    NotationError,
    Outcome,
    RolloutCounts,
    Score,
    Solution,
    Solver,
    TreeNode,
    WeightsError,
    perft,
    rollouts,
    solve,
)
from fourfall._core import version as __version__
from fourfall.engine import Engine
from fourfall.presets import Preset, PresetError

__all__ = [
    "Analysis",
    "Board",
    "ColumnAnalysis",
    "ColumnSolution",
    "Engine",
    "EngineError",
    "Geometry",
    "IllegalMove",
    "InvalidBoard",
    "Limit",
    "Network",
    "NotationError",
    "Outcome",
    "Preset",
    "PresetError",
    "RolloutCounts",
    "Score",
    "Solution",
    "Solver",
    "TreeNode",
    "WeightsError",
    "__version__",
    "perft",
    "presets",
    "render",
    "rollouts",
    "solve",
]
