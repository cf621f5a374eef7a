"""Writes what the server computes once: engines, levels and limits, the census of empty boards, and the puzzles."""

import enum
import json
from typing import Any

from fourfall import census, presets
from fourfall._core import GraphConfig
from fourfall.agents.levels import LEVELS
from fourfall.web.engine_catalogue import BuiltinEngine, EngineCatalogue
from fourfall.web.limits import Limits
from fourfall.web.messages.schemas import ColumnInfo, ScoreInfo
from tools.site.puzzles import create_puzzle_file

_LEFT_OUT = frozenset({"network", "weights"})
"""Attributes of configurations that the browser gets as files."""


def write_engines() -> str:
    """Return `engines.json`: the fields of the message `welcome`, and every preset and level by name."""
    catalogue = EngineCatalogue()
    names = [*presets.list_names(), *LEVELS]
    engines = {name: describe_engine(catalogue.find_engine(name)) for name in names}
    return _to_json({"server_info": catalogue.describe(Limits()).model_dump(mode="json"), "engines": engines})


def describe_engine(engine: BuiltinEngine) -> dict[str, Any]:
    """Describe a preset or a level as static/local/types.d.ts says (EngineEntry).

    >>> from fourfall.web.engine_catalogue import EngineCatalogue
    >>> entry = describe_engine(EngineCatalogue().find_engine("level-2"))
    >>> entry["search"], entry["simulations"], entry["config"]["exploration"], entry["needs_network"]
    ('tree', 1, 1.0, False)
    """
    config = engine.preset.config
    values = {
        name: value.value if isinstance(value, enum.Enum) else value
        for name in dir(config)
        if not name.startswith("_") and name not in _LEFT_OUT and not callable(value := getattr(config, name))
    }
    graph = config if isinstance(config, GraphConfig) else None
    return {
        "name": engine.name,
        "search": engine.preset.search,
        "config": values,
        "simulations": engine.simulations,
        "can_resume": engine.can_resume,
        "needs_network": graph is not None and bool(graph.weights) and graph.evaluator.name == "NETWORK",
        "knows_census": graph is not None and graph.solver and engine.simulations is None,
    }


def write_puzzles() -> str:
    """Return `puzzles.json`: the shipped puzzles with their hints and reasons, and the texts of all themes."""
    return _to_json(create_puzzle_file())


def write_census() -> str:
    """Return `census.json`: the exact analyses of empty boards by position, for both reflections of a board."""
    solved = [board for board in census.list_solved() if board.has_all_columns]
    boards = {each.position: each for board in solved for each in (board, board.mirror())}
    return _to_json({position: _describe_analysis(board) for position, board in boards.items()})


def _describe_analysis(solved: census.SolvedBoard) -> dict[str, Any]:
    analysis = solved.to_analysis()
    return {
        "move": analysis.move,
        "score": ScoreInfo.from_score(analysis.score).model_dump(),
        "columns": [ColumnInfo.from_analysis(column).model_dump() for column in analysis.columns],
        "pv": analysis.pv,
        "simulations": analysis.simulations,
        "nodes": analysis.nodes,
        "simulations_per_second": round(analysis.simulations_per_second),
        "depth": analysis.depth,
        "seconds": analysis.seconds,
        "stopped_by": analysis.stopped_by,
    }


def _to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
