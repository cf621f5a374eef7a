"""Owns the presets of the package by their kind of search."""

from pathlib import Path

from fourfall import presets
from fourfall._core import GraphConfig, TreeConfig


def tree_config(name: str | Path) -> TreeConfig:
    """Load the configuration of a preset that is a tree search."""
    config = presets.load(name).config
    assert isinstance(config, TreeConfig)
    return config


def graph_config(name: str | Path) -> GraphConfig:
    """Load the configuration of a preset that is a graph search."""
    config = presets.load(name).config
    assert isinstance(config, GraphConfig)
    return config


NAMES = presets.names()
TREES = [name for name in NAMES if presets.load(name).search == "tree"]
GRAPHS = [name for name in NAMES if presets.load(name).search == "graph"]
