"""The presets of the package without a network, by kind of search.

Presets with a network are slow and are tested separately.
"""

from pathlib import Path

from fourfall import presets
from fourfall._core import EvaluatorKind, GraphConfig, TreeConfig


def load_tree_config(name: str | Path) -> TreeConfig:
    """Load the configuration of a tree search preset."""
    config = presets.load(name).config
    assert isinstance(config, TreeConfig)
    return config


def load_graph_config(name: str | Path) -> GraphConfig:
    """Load the configuration of a graph search preset."""
    config = presets.load(name).config
    assert isinstance(config, GraphConfig)
    return config


def has_network(name: str) -> bool:
    """Return whether a preset evaluates with a network."""
    config = presets.load(name).config
    return isinstance(config, GraphConfig) and config.evaluator == EvaluatorKind.NETWORK


NAMES = [name for name in presets.list_names() if not has_network(name)]
TREES = [name for name in NAMES if presets.load(name).search == "tree"]
GRAPHS = [name for name in NAMES if presets.load(name).search == "graph"]
