"""Owns which keys a preset has, for each kind of search, and where they go in the native configuration.

Type and allowed values of a key follow from the default in the native configuration; numbers have a range here.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from fourfall import _core

Config = _core.TreeConfig | _core.GraphConfig


@dataclass(frozen=True)
class Kind:
    """A kind of search: its name in a preset, its configuration, and the sections and keys that a preset may have."""

    name: str
    config: type[_core.TreeConfig] | type[_core.GraphConfig]
    keys: Mapping[str, Mapping[str, str]]
    # Keys that hold a list of rules; each rule is a switch of the native configuration.
    rules: Mapping[tuple[str, str], Mapping[str, str]] = field(default_factory=dict)

    def section(self, name: str) -> list[str]:
        """List the keys of a section; none where there is no such section."""
        return [*self.keys.get(name, {}), *(key for owner, key in self.rules if owner == name)]


TREE = Kind(
    "tree",
    _core.TreeConfig,
    {
        "selection": {"formula": "formula", "exploration": "exploration", "revisit_fresh": "revisit_fresh"},
        "expansion": {
            "children": "expansion",
            "weights": "expansion_weights",
            "terminal_test": "terminal_test",
            "end_on_win": "end_on_win",
            "forced_replies": "forced_replies",
        },
        "rollout": {"policy": "rollout", "representation": "representation"},
        "reward": {"scale": "reward", "sums": "sums"},
        "proof": {"propagate": "proofs"},
        "root": {"choice": "choice"},
        "memory": {
            "graph": "graph",
            "reuse": "reuse",
            "storage": "storage",
            "reclaim": "reclaim",
            "capacity": "capacity",
        },
        "limits": {"move_time_s": "move_time_s", "simulations": "simulations"},
    },
    {
        ("root", "before"): {"win": "root_win", "block": "root_block", "double-threat": "root_double_threat"},
        ("root", "after"): {"avoid-gifts": "avoid_gifts", "avoid-double-threats": "avoid_double_threats"},
    },
)
GRAPH = Kind(
    "graph",
    _core.GraphConfig,
    {
        "selection": {"exploration": "exploration", "prior": "prior", "first_play_urgency": "first_play_urgency"},
        "evaluation": {
            "evaluator": "evaluator",
            "weights": "weights",
            "rollouts": "rollouts",
            "solver": "solver",
        },
        "parallel": {"threads": "threads"},
        "limits": {"move_time_s": "move_time_s", "simulations": "simulations"},
    },
)
KINDS = {kind.name: kind for kind in (TREE, GRAPH)}

# Numbers: the least and the greatest that make sense.
RANGES = {
    "exploration": (0.0, 100.0),
    "prior": (0.0, 10.0),
    "first_play_urgency": (0.0, 2.0),
    "rollouts": (1, 1000),
    "threads": (1, 64),
    "capacity": (1000, 2**32),
    "move_time_s": (0.0, 86_400.0),
    "simulations": (1, 2**48),
}


def kind_of(config: Config) -> Kind:
    """Return the kind of search that a configuration is for.

    >>> kind_of(_core.GraphConfig()).name
    'graph'
    """
    return next(kind for kind in KINDS.values() if isinstance(config, kind.config))


def clashes(config: Config) -> Iterator[str]:
    """Name choices that do not go together: one of them would be ignored, or they cannot work."""
    if isinstance(config, _core.GraphConfig):
        if config.evaluator == _core.EvaluatorKind.NETWORK and not config.weights:
            yield 'evaluation.evaluator = "network" needs evaluation.weights'
        return
    graph = config.graph
    pairs = [
        (
            graph and config.terminal_test != _core.TerminalTest.NEW,
            'expansion.terminal_test = "revisit"',
            "memory.graph",
        ),
        (graph and config.sums != _core.Sums.EXACT, 'reward.sums = "single"', "memory.graph"),
        (
            config.expansion == _core.Expansion.ALL and config.expansion_weights != _core.ColumnWeights.UNIFORM,
            "expansion.weights",
            'expansion.children = "all"',
        ),
        (
            graph and config.storage == _core.Storage.HEAP and config.reclaim == _core.Reclaim.GENERATIONS,
            'memory.storage = "heap"',
            'memory.reclaim = "generations"',
        ),
    ]
    yield from (f"{one} does not go with {other}" for clash, one, other in pairs if clash)
    if not graph and config.reclaim != _core.Reclaim.RESTART:
        yield "memory.reclaim needs memory.graph = true"
