"""Tests of the two kinds of presets: tree and graph searches have different sections and keys."""

import re
from pathlib import Path

import pytest

from fourfall import Engine, PresetError, WeightsError, presets
from fourfall._core import Arithmetic, EvaluatorKind, GraphConfig
from tests.test_presets import NAMES, SEEDS, assert_error_names, get_attributes, write_preset

COMPLETE_GRAPH = """search = "graph"

[selection]
exploration = 2.5
prior = 0.0
first_play_urgency = 0.3

[evaluation]
evaluator = "network"
arithmetic = "float32"
weights = "mine.f4w"
rollouts = 7
solver = false

[root]
lower_confidence_bound = 0.5

[parallel]
threads = 3

[limits]
move_time_s = 0.5
simulations = 70"""


def test_search_kind_of_included_presets() -> None:
    """Seeds are tree searches; fourfall is a graph search with a network; the classic one has the native defaults."""
    assert [presets.load(name).search for name in NAMES] == ["graph"] * 4 + ["tree"] * len(SEEDS)
    assert get_attributes(presets.load("fourfall-classic").config) == get_attributes(GraphConfig())
    learned: dict[str, object] = {
        "exploration": 1.4,
        "first_play_urgency": 0.25,
        "evaluator": EvaluatorKind.NETWORK,
        "weights": "fourfall.f4w",
    }
    lower_bound = {"lower_confidence_bound": 1.0}
    assert get_attributes(presets.load("fourfall").config) == get_attributes(GraphConfig()) | learned | lower_bound
    learned["arithmetic"] = Arithmetic.FLOAT32
    assert get_attributes(presets.load("fourfall-float32").config) == get_attributes(GraphConfig()) | learned
    learned["prior"] = 0.0
    assert get_attributes(presets.load("fourfall-value").config) == get_attributes(GraphConfig()) | learned


def test_complete_graph_preset(tmp_path: Path) -> None:
    """Every key of a graph search sets its attribute, and to_toml writes the same text."""
    preset = presets.load(write_preset(tmp_path, COMPLETE_GRAPH))
    assert preset.search == "graph"
    changed: dict[str, object] = {
        "exploration": 2.5,
        "prior": 0.0,
        "first_play_urgency": 0.3,
        "rollouts": 7,
        "solver": False,
        "lower_confidence_bound": 0.5,
    }
    changed |= {
        "threads": 3,
        "move_time_s": 0.5,
        "simulations": 70,
        "evaluator": EvaluatorKind.NETWORK,
        "arithmetic": Arithmetic.FLOAT32,
        "weights": "mine.f4w",
    }
    assert get_attributes(preset.config) == get_attributes(GraphConfig()) | changed
    assert presets.to_toml(preset.config) == COMPLETE_GRAPH


def test_weights_beside_the_preset(tmp_path: Path) -> None:
    """A weights file without a folder is the file beside the preset if that exists; a missing file is an error."""
    preset = write_preset(tmp_path, COMPLETE_GRAPH)
    with pytest.raises(WeightsError, match=r"mine\.f4w: weights file not found"):
        Engine(preset)
    (tmp_path / "mine.f4w").write_bytes(b"F4W1")
    assert get_attributes(presets.load(preset).config)["weights"] == str(tmp_path / "mine.f4w")
    with pytest.raises(WeightsError, match=r"mine\.f4w: the file is truncated"):
        Engine(preset)
    (tmp_path / "fourfall.f4w").write_bytes(b"unrelated")
    child = write_preset(tmp_path, 'base = "fourfall"\n[selection]\nfirst_play_urgency = 0.3\n', "child")
    assert get_attributes(presets.load(child).config)["weights"] == "fourfall.f4w"


def test_search_kind_is_inherited(tmp_path: Path) -> None:
    """A preset with a base has the base's kind of search, with or without the key `search`."""
    parent = write_preset(tmp_path, 'search = "graph"\n[selection]\nprior = 2\n', "parent")
    for header in ("", 'search = "graph"\n'):
        preset = presets.load(write_preset(tmp_path, f'{header}base = "{parent}"\n[parallel]\nthreads = 2\n'))
        assert preset.search == "graph"
        assert get_attributes(preset.config) == get_attributes(GraphConfig()) | {"prior": 2.0, "threads": 2}
    tree = write_preset(tmp_path, 'search = "tree"\nbase = "seed-002"\n')
    assert get_attributes(presets.load(tree).config) == get_attributes(presets.load("seed-002").config)


@pytest.mark.parametrize(("search", "base", "other"), [("graph", "seed-002", "tree"), ("tree", "fourfall", "graph")])
def test_base_of_the_other_kind_is_refused(tmp_path: Path, search: str, base: str, other: str) -> None:
    """The message names both kinds of search."""
    message = f"mine.toml: search = \"{search}\", but base '{base}' is a {other} search"
    with pytest.raises(PresetError, match=re.escape(message)):
        presets.load(write_preset(tmp_path, f'search = "{search}"\nbase = "{base}"\n'))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            'search = "graph"\n[rollout]\npolicy = "uniform"',
            "rollout belongs to a tree search, but this is a graph search",
        ),
        ('base = "fourfall"\n[memory]\nreuse = true', "memory belongs to a tree search, but this is a graph search"),
        (
            'base = "fourfall"\n[root]\nbefore = ["win"]',
            "root.before belongs to a tree search, but this is a graph search; allowed: lower_confidence_bound",
        ),
        (
            'search = "graph"\n[selection]\nformula = "ucb1"',
            "selection.formula belongs to a tree search, but this is a graph search; allowed: exploration, prior",
        ),
        ("[parallel]\nthreads = 2", "parallel belongs to a graph search, but this is a tree search"),
        ("[selection]\nprior = 1", "selection.prior belongs to a graph search, but this is a tree search"),
    ],
)
def test_key_of_the_other_kind_is_refused(tmp_path: Path, text: str, message: str) -> None:
    """The message says which kind of search has the key, and which kind the preset is."""
    with pytest.raises(PresetError, match=re.escape(f"mine.toml: {message}")):
        presets.load(write_preset(tmp_path, text + "\n"))


GRAPH_SECTIONS = ["selection", "parallel", "limits"]
MISTAKES = {
    "search is a number": ("search = 3", ["search", '"tree"', '"graph"', "3"]),
    "search is a table": ('[search]\nkind = "graph"', ["search", '"tree"', '"graph"']),
    "unknown search": ('search = "grahp"', ["search", '"tree"', '"graph"', "'grahp'"]),
    "unknown section of a graph": (
        'search = "graph"\n[paralel]\nthreads = 2',
        ["unknown key paralel", "search", *GRAPH_SECTIONS],
    ),
    "unknown key of a graph": ('search = "graph"\n[parallel]\nthread = 2', ["parallel.thread", "threads"]),
    "zero threads": ('search = "graph"\n[parallel]\nthreads = 0', ["parallel.threads", "whole number from 1 to 64"]),
    "too many threads": ('search = "graph"\n[parallel]\nthreads = 65', ["parallel.threads", "1 to 64", "65"]),
    "fraction of a thread": (
        'search = "graph"\n[parallel]\nthreads = 1.5',
        ["parallel.threads", "whole number", "1.5"],
    ),
    "negative prior": ('search = "graph"\n[selection]\nprior = -1', ["selection.prior", "number from 0 to 10"]),
    "unknown evaluator": (
        'search = "graph"\n[evaluation]\nevaluator = "oracle"',
        ["evaluation.evaluator", '"rollouts"', '"network"', "'oracle'"],
    ),
    "network without weights": (
        'search = "graph"\n[evaluation]\nevaluator = "network"',
        ['evaluation.evaluator = "network"', "evaluation.weights"],
    ),
    "weights are a number": (
        'search = "graph"\n[evaluation]\nweights = 3',
        ["evaluation.weights", "name of a file", "3"],
    ),
    "prior too large": ('search = "graph"\n[selection]\nprior = 11', ["selection.prior", "0 to 10", "11"]),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_mistake_is_described(tmp_path: Path, case: str) -> None:
    """The message names the file, the key and the allowed values."""
    assert_error_names(tmp_path, *MISTAKES[case])
