"""Owns the two kinds of presets: tree and graph searches have keys of their own, and are not mixed up."""

import re
from pathlib import Path

import pytest

from fourfall import Engine, PresetError, WeightsError, presets
from fourfall._core import EvaluatorKind, GraphConfig
from tests.test_presets import NAMES, SEEDS, assert_named, facts_of, written

WHOLE_GRAPH = """search = "graph"

[selection]
exploration = 2.5
prior = 0.0
first_play_urgency = 0.3

[evaluation]
evaluator = "network"
weights = "mine.f4w"
rollouts = 7
solver = false

[parallel]
threads = 3

[limits]
move_time_s = 0.5
simulations = 70"""


def test_a_preset_says_its_kind_of_search() -> None:
    """The seeds are trees, fourfall is a graph search with a network, the classic one has the native defaults."""
    assert [presets.load(name).search for name in NAMES] == ["graph"] * 2 + ["tree"] * len(SEEDS)
    assert facts_of(presets.load("fourfall-classic").config) == facts_of(GraphConfig())
    learned = {
        "exploration": 1.4,
        "first_play_urgency": 0.25,
        "evaluator": EvaluatorKind.NETWORK,
        "weights": "fourfall.f4w",
    }
    assert facts_of(presets.load("fourfall").config) == facts_of(GraphConfig()) | learned


def test_a_file_may_be_a_graph_search(tmp_path: Path) -> None:
    """Every key of a graph search arrives where it belongs, and comes out again as it was written."""
    preset = presets.load(written(tmp_path, WHOLE_GRAPH))
    assert preset.search == "graph"
    changed: dict[str, object] = {
        "exploration": 2.5,
        "prior": 0.0,
        "first_play_urgency": 0.3,
        "rollouts": 7,
        "solver": False,
    }
    changed |= {
        "threads": 3,
        "move_time_s": 0.5,
        "simulations": 70,
        "evaluator": EvaluatorKind.NETWORK,
        "weights": "mine.f4w",
    }
    assert facts_of(preset.config) == facts_of(GraphConfig()) | changed
    assert presets.spelled_out(preset.config) == WHOLE_GRAPH


def test_weights_lie_beside_the_file_that_names_them(tmp_path: Path) -> None:
    """A plain name means the file beside the preset where there is one; one that is nowhere is an error."""
    preset = written(tmp_path, WHOLE_GRAPH)
    with pytest.raises(WeightsError, match=r"mine\.f4w: no such weights file"):
        Engine(preset)
    (tmp_path / "mine.f4w").write_bytes(b"F4W1")
    assert facts_of(presets.load(preset).config)["weights"] == str(tmp_path / "mine.f4w")
    with pytest.raises(WeightsError, match=r"mine\.f4w: shorter than its header"):
        Engine(preset)
    (tmp_path / "fourfall.f4w").write_bytes(b"stray")
    heir = written(tmp_path, 'base = "fourfall"\n[selection]\nurgency = 0.3\n', "heir")
    assert facts_of(presets.load(heir).config)["weights"] == "fourfall.f4w"


def test_the_kind_of_search_is_inherited(tmp_path: Path) -> None:
    """With a base a preset is of the base's kind, whether it says so or not."""
    parent = written(tmp_path, 'search = "graph"\n[selection]\nprior = 2\n', "parent")
    for said in ("", 'search = "graph"\n'):
        preset = presets.load(written(tmp_path, f'{said}base = "{parent}"\n[parallel]\nthreads = 2\n'))
        assert preset.search == "graph"
        assert facts_of(preset.config) == facts_of(GraphConfig()) | {"prior": 2.0, "threads": 2}
    said_tree = written(tmp_path, 'search = "tree"\nbase = "seed-002"\n')
    assert facts_of(presets.load(said_tree).config) == facts_of(presets.load("seed-002").config)


@pytest.mark.parametrize(("search", "base", "other"), [("graph", "seed-002", "tree"), ("tree", "fourfall", "graph")])
def test_a_base_of_another_kind_is_refused(tmp_path: Path, search: str, base: str, other: str) -> None:
    """A preset that says one kind of search and starts from the other is told so."""
    clash = f"mine.toml: search = \"{search}\" does not go with base '{base}', a {other} search"
    with pytest.raises(PresetError, match=re.escape(clash)):
        presets.load(written(tmp_path, f'search = "{search}"\nbase = "{base}"\n'))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            'search = "graph"\n[rollout]\npolicy = "uniform"',
            "'rollout' belongs to a tree search, and this is a graph search",
        ),
        ('base = "fourfall"\n[memory]\nreuse = true', "'memory' belongs to a tree search, and this is a graph search"),
        ('base = "fourfall"\n[root]\nbefore = ["win"]', "'root' belongs to a tree search, and this is a graph search"),
        (
            'search = "graph"\n[selection]\nformula = "ucb1"',
            "selection.formula belongs to a tree search, and this is a graph search; known ones: exploration, prior",
        ),
        ("[parallel]\nthreads = 2", "'parallel' belongs to a graph search, and this is a tree search"),
        ("[selection]\nprior = 1", "selection.prior belongs to a graph search, and this is a tree search"),
    ],
)
def test_a_key_of_the_other_kind_is_named_as_such(tmp_path: Path, text: str, complaint: str) -> None:
    """The complaint says which kind of search has the key, and which one this is."""
    with pytest.raises(PresetError, match=re.escape(f"mine.toml: {complaint}")):
        presets.load(written(tmp_path, text + "\n"))


GRAPH_SECTIONS = ["selection", "parallel", "limits"]
COMPLAINTS = {
    "search a number": ("search = 3", ["search", '"tree"', '"graph"', "3"]),
    "search a table": ('[search]\nkind = "graph"', ["search", '"tree"', '"graph"']),
    "wrong search": ('search = "grahp"', ["search", '"tree"', '"graph"', "'grahp'"]),
    "unknown section of a graph": (
        'search = "graph"\n[paralel]\nthreads = 2',
        ["'paralel'", "search", *GRAPH_SECTIONS],
    ),
    "unknown key of a graph": ('search = "graph"\n[parallel]\nthread = 2', ["parallel.thread", "threads"]),
    "no threads": ('search = "graph"\n[parallel]\nthreads = 0', ["parallel.threads", "whole number from 1 to 64"]),
    "too many threads": ('search = "graph"\n[parallel]\nthreads = 65', ["parallel.threads", "1 to 64", "65"]),
    "half a thread": ('search = "graph"\n[parallel]\nthreads = 1.5', ["parallel.threads", "whole number", "1.5"]),
    "negative prior": ('search = "graph"\n[selection]\nprior = -1', ["selection.prior", "number from 0.0 to 10.0"]),
    "no such evaluator": (
        'search = "graph"\n[evaluation]\nevaluator = "oracle"',
        ["evaluation.evaluator", '"rollouts"', '"network"', "'oracle'"],
    ),
    "a network without weights": (
        'search = "graph"\n[evaluation]\nevaluator = "network"',
        ['evaluation.evaluator = "network"', "evaluation.weights"],
    ),
    "weights by number": (
        'search = "graph"\n[evaluation]\nweights = 3',
        ["evaluation.weights", "name of a file", "3"],
    ),
    "too large a prior": ('search = "graph"\n[selection]\nprior = 11', ["selection.prior", "0.0 to 10.0", "11"]),
}


@pytest.mark.parametrize("case", COMPLAINTS)
def test_a_mistake_is_named(tmp_path: Path, case: str) -> None:
    """The complaint names the file, the key and what is allowed there."""
    assert_named(tmp_path, *COMPLAINTS[case])
