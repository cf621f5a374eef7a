"""Models of preset files: sections, keys, types and ranges for each kind of search.

A field has the name of the attribute of the native configuration; where the key in TOML differs it is the alias. All
keys are optional: a missing key keeps the value of the base preset or the native default.
"""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from fourfall import _core
from fourfall.presets import MAX_THREADS
from fourfall.validation import ByName, Expects, OneOrMore, StrictModel, get_choice_name

Exploration = Annotated[float, Field(ge=0, le=100)]
WeightsFile = Annotated[str, Field(min_length=1), Expects("the name of a file")]


class LimitsSection(StrictModel):
    """Default limits of a search."""

    move_time_s: Annotated[float, Field(ge=0, le=86_400)] | None = None
    simulations: Annotated[int, Field(ge=1, le=2**48)] | None = None


class PresetFile(StrictModel):
    """Keys of every preset; the other kinds of search add their sections."""

    summary: str = ""
    base: str = ""
    search: Literal["tree", "graph"] | None = None


class TreeSelection(StrictModel):
    """Selection of a tree search."""

    formula: Annotated[_core.Formula, ByName()] | None = None
    exploration: Exploration | None = None
    revisit_fresh: bool | None = None


class TreeExpansion(StrictModel):
    """Expansion of a tree search."""

    expansion: Annotated[_core.Expansion, ByName()] | None = Field(default=None, alias="children")
    expansion_weights: Annotated[_core.ColumnWeights, ByName()] | None = Field(default=None, alias="weights")
    terminal_test: Annotated[_core.TerminalTest, ByName()] | None = None
    end_on_win: bool | None = None
    forced_replies: bool | None = None


class TreeRollout(StrictModel):
    """Rollouts of a tree search."""

    rollout: Annotated[_core.Rollout, ByName()] | None = Field(default=None, alias="policy")
    representation: Annotated[_core.Representation, ByName()] | None = None


class TreeReward(StrictModel):
    """Rewards of a tree search."""

    reward: Annotated[_core.Reward, ByName()] | None = Field(default=None, alias="scale")
    sums: Annotated[_core.Sums, ByName()] | None = None


class TreeProof(StrictModel):
    """Proven results in a tree search."""

    proofs: Annotated[_core.Proofs, ByName()] | None = Field(default=None, alias="propagate")


class TreeRoot(StrictModel):
    """Choice of the move in a tree search: rules before and after the search, each an attribute of its own."""

    before: OneOrMore[Literal["win", "block", "double-threat"]] | None = None
    after: OneOrMore[Literal["avoid-gifts", "avoid-double-threats"]] | None = None
    choice: Annotated[_core.Choice, ByName()] | None = None


RULES = {
    "before": {"win": "root_win", "block": "root_block", "double-threat": "root_double_threat"},
    "after": {"avoid-gifts": "avoid_gifts", "avoid-double-threats": "avoid_double_threats"},
}
"""Attributes of the native configuration that the rules in ``[root]`` switch on."""


class TreeMemory(StrictModel):
    """Storage of a tree search."""

    graph: bool | None = None
    reuse: bool | None = None
    storage: Annotated[_core.Storage, ByName()] | None = None
    reclaim: Annotated[_core.Reclaim, ByName()] | None = None
    capacity: Annotated[int, Field(ge=1000, le=2**32)] | None = None


class TreePreset(PresetFile):
    """A preset of a tree search."""

    selection: TreeSelection = TreeSelection()
    expansion: TreeExpansion = TreeExpansion()
    rollout: TreeRollout = TreeRollout()
    reward: TreeReward = TreeReward()
    proof: TreeProof = TreeProof()
    root: TreeRoot = TreeRoot()
    memory: TreeMemory = TreeMemory()
    limits: LimitsSection = LimitsSection()


class GraphSelection(StrictModel):
    """Selection of a graph search."""

    exploration: Exploration | None = None
    prior: Annotated[float, Field(ge=0, le=10)] | None = None
    first_play_urgency: Annotated[float, Field(ge=0, le=2)] | None = None


class GraphEvaluation(StrictModel):
    """Evaluation of positions in a graph search."""

    evaluator: Annotated[_core.EvaluatorKind, ByName()] | None = None
    arithmetic: Annotated[_core.Arithmetic, ByName()] | None = None
    weights: WeightsFile | None = None
    rollouts: Annotated[int, Field(ge=1, le=1000)] | None = None
    solver: bool | None = None


class GraphRoot(StrictModel):
    """Choice of the move in a graph search."""

    lower_confidence_bound: Annotated[float, Field(ge=0, le=10)] | None = None


class GraphParallel(StrictModel):
    """Threads of a graph search."""

    threads: Annotated[int, Field(ge=1, le=MAX_THREADS)] | None = None


class GraphPreset(PresetFile):
    """A preset of a graph search."""

    selection: GraphSelection = GraphSelection()
    evaluation: GraphEvaluation = GraphEvaluation()
    root: GraphRoot = GraphRoot()
    parallel: GraphParallel = GraphParallel()
    limits: LimitsSection = LimitsSection()


PRESETS: dict[str, type[TreePreset | GraphPreset]] = {"tree": TreePreset, "graph": GraphPreset}


def list_sections(preset: type[PresetFile]) -> dict[str, type[StrictModel]]:
    """Return the sections of a kind of preset.

    >>> list(list_sections(GraphPreset))
    ['selection', 'evaluation', 'root', 'parallel', 'limits']
    """
    fields = {name: field.annotation for name, field in preset.model_fields.items()}
    return {name: kind for name, kind in fields.items() if isinstance(kind, type) and issubclass(kind, StrictModel)}


def list_keys(section: type[StrictModel]) -> dict[str, str]:
    """Return the keys of a section as written in TOML, each with the field it sets.

    >>> list_keys(TreeReward)
    {'scale': 'reward', 'sums': 'sums'}
    """
    return {field.alias or name: name for name, field in section.model_fields.items()}


def apply_preset(preset: PresetFile, config: _core.TreeConfig | _core.GraphConfig) -> None:
    """Write the keys that a preset sets into a native configuration."""
    for name in preset.model_fields_set & list_sections(type(preset)).keys():
        section = getattr(preset, name)
        for field in section.model_fields_set:
            value = getattr(section, field)
            if isinstance(section, TreeRoot) and field in RULES:
                for rule, attribute in RULES[field].items():
                    setattr(config, attribute, rule in value)
            else:
                setattr(config, field, value)


def find_conflicts(config: _core.TreeConfig | _core.GraphConfig) -> Iterator[str]:
    """Describe choices that cannot be combined: one of them would have no effect, or the search cannot run."""
    if isinstance(config, _core.GraphConfig):
        if config.evaluator == _core.EvaluatorKind.NETWORK and not config.weights:
            yield 'evaluation.evaluator = "network" needs evaluation.weights'
        return
    graph = config.graph
    is_inverted = config.terminal_test == _core.TerminalTest.INVERTED
    terminal_test = f'expansion.terminal_test = "{get_choice_name(config.terminal_test)}"'
    pairs = [
        (graph and config.terminal_test != _core.TerminalTest.NEW, terminal_test, "memory.graph"),
        (is_inverted and config.end_on_win, terminal_test, "expansion.end_on_win"),
        (is_inverted and config.proofs != _core.Proofs.NONE, terminal_test, "proof.propagate"),
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
    yield from (f"{one} cannot be combined with {other}" for is_conflict, one, other in pairs if is_conflict)
    if not graph and config.reclaim != _core.Reclaim.RESTART:
        yield "memory.reclaim needs memory.graph = true"
