"""Fourfall: game rules, engines, an exact solver, agents, tournaments and a web page for gravity four."""

from typing import TYPE_CHECKING

from fourfall import presets, render
from fourfall._core import (
    Analysis,
    Board,
    BoardBatch,
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
    StopToken,
    TreeNode,
    WeightsError,
    perft,
    rollouts,
    solve,
    solve_many,
)
from fourfall._core import version as __version__
from fourfall.engine import Engine
from fourfall.presets import Preset, PresetError

if TYPE_CHECKING:
    from fourfall.games import Game, GameError, MoveReview, Review, review_game

_GAMES = frozenset({"Game", "GameError", "MoveReview", "Review", "review_game"})

render.add_display_methods()


def __getattr__(name: str) -> object:
    """Import games and reviews when they are first used, because most programs do not need the arena's modules."""
    if name not in _GAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from fourfall import games

    return getattr(games, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_GAMES})


__all__ = [
    "Analysis",
    "Board",
    "BoardBatch",
    "ColumnAnalysis",
    "ColumnSolution",
    "Engine",
    "EngineError",
    "Game",
    "GameError",
    "Geometry",
    "IllegalMove",
    "InvalidBoard",
    "Limit",
    "MoveReview",
    "Network",
    "NotationError",
    "Outcome",
    "Preset",
    "PresetError",
    "Review",
    "RolloutCounts",
    "Score",
    "Solution",
    "Solver",
    "StopToken",
    "TreeNode",
    "WeightsError",
    "__version__",
    "perft",
    "presets",
    "render",
    "review_game",
    "rollouts",
    "solve",
    "solve_many",
]
