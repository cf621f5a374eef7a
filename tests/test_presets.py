"""Tests of presets: the included ones match the seed reports, and mistakes in a user's file are described."""

import re
from pathlib import Path

import pytest

from fourfall import Engine, Preset, PresetError, presets
from fourfall._core import (
    Choice,
    ColumnWeights,
    Expansion,
    Formula,
    GraphConfig,
    Proofs,
    Reclaim,
    Representation,
    Reward,
    Rollout,
    Storage,
    Sums,
    TerminalTest,
    TreeConfig,
)

SEED_004_VERSIONS = [f"seed-004-v{version}" for version in range(1, 18)]
SEEDS = ["seed-000", "seed-001", "seed-002", "seed-003", *SEED_004_VERSIONS]
NAMES = ["fourfall", "fourfall-classic", "fourfall-float32", "fourfall-value", *SEEDS]


def get_attributes(config: TreeConfig | GraphConfig) -> dict[str, object]:
    """Return the attributes of a configuration with their values."""
    return {field: getattr(config, field) for field in dir(config) if not field.startswith("_")}


# Parameters of each seed as its report gives them, by attribute of the configuration.
REPORTED: dict[str, dict[str, object]] = {
    "seed-000": {
        "formula": Formula.UCB1,
        "exploration": 1.0,
        "expansion": Expansion.ONE,
        "expansion_weights": ColumnWeights.CENTRE,
        "rollout": Rollout.CENTRE,
        "root_win": True,
        "root_block": True,
        "root_double_threat": False,
        "terminal_test": TerminalTest.NEW,
        "choice": Choice.VALUE,
        "storage": Storage.HEAP,
        "move_time_s": 2.0,
    },
    "seed-001": {
        "formula": Formula.SMOOTHED,
        "exploration": 0.707,
        "expansion": Expansion.ALL,
        "rollout": Rollout.UNIFORM,
        "reward": Reward.SIGNED,
        "storage": Storage.POOL,
        "capacity": 8_000_000,
        "move_time_s": 2.3,
        "simulations": 600_000,
    },
    "seed-002": {
        "rollout": Rollout.WIN_BLOCK,
        "reward": Reward.SIGNED,
        "choice": Choice.VISITS,
        "storage": Storage.POOL,
        "capacity": 2_000_000,
    },
    "seed-003": {
        "formula": Formula.UCB1_TWO,
        "exploration": 0.55,
        "reward": Reward.SIGNED,
        "rollout": Rollout.END_TEST,
        "representation": Representation.NARROW,
        "root_win": True,
        "root_block": True,
        "root_double_threat": True,
        "avoid_gifts": True,
        "avoid_double_threats": True,
        "choice": Choice.VALUE,
        "storage": Storage.POOL,
    },
    "seed-004-v1": {
        "exploration": 1.0,
        "reward": Reward.UNIT,
        "rollout": Rollout.LOOKAHEAD,
        "move_time_s": 2.9,
        "root_win": False,
        "sums": Sums.SINGLE,
        "terminal_test": TerminalTest.INVERTED,
        "end_on_win": False,
        "representation": Representation.ARRAY,
        "proofs": Proofs.NONE,
        "reuse": False,
        "forced_replies": False,
        "revisit_fresh": False,
        "graph": False,
    },
}
# The versions of seed 004: the attributes that each version changes compared with the one before.
ADDED: dict[int, dict[str, object]] = {
    2: {"root_win": True},
    3: {"sums": Sums.EXACT, "terminal_test": TerminalTest.NEW},
    4: {"end_on_win": True},
    5: {"representation": Representation.WIDE},
    6: {"proofs": Proofs.RESULTS},
    7: {"reuse": True},
    8: {"forced_replies": True},
    9: {"move_time_s": 2.95},
    10: {"representation": Representation.FITTED},
    11: {"proofs": Proofs.LATEST},
    12: {"proofs": Proofs.DISTANCES},
    13: {"revisit_fresh": True},
    14: {"graph": True},
    15: {"reclaim": Reclaim.REFERENCES},
    16: {"reclaim": Reclaim.SCAN},
    17: {"reclaim": Reclaim.GENERATIONS, "storage": Storage.POOL},
}


def write_preset(folder: Path, text: str, name: str = "mine") -> Path:
    """Write a preset file."""
    path = folder / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    return path


def assert_error_names(folder: Path, text: str, words: list[str]) -> None:
    """Check that a preset is refused with a message that contains the file and these words."""
    path = write_preset(folder, text + "\n")
    with pytest.raises(PresetError) as caught:
        presets.load(path)
    message = str(caught.value)
    assert [word for word in [str(path), *words] if word not in message] == []


def test_names_are_in_natural_order_after_the_default() -> None:
    """The default is first, and version 2 comes before version 10."""
    assert list(presets.list_names()) == NAMES
    assert NAMES[0] == presets.DEFAULT


@pytest.mark.parametrize("name", NAMES)
def test_load(name: str) -> None:
    """A preset has its name, a summary, its TOML text and a configuration that is not shared with other loads."""
    preset = presets.load(name)
    assert preset.name == name
    assert preset.summary
    assert preset.summary in preset.source
    assert preset.config is not presets.load(name).config
    assert Engine(preset).preset is preset


@pytest.mark.parametrize("name", REPORTED)
def test_seed_matches_its_report(name: str) -> None:
    """The preset has the parameters of the report."""
    attributes = get_attributes(presets.load(name).config)
    assert {field: attributes[field] for field in REPORTED[name]} == REPORTED[name]


@pytest.mark.parametrize("version", ADDED)
def test_version_changes_only_what_its_report_adds(version: int) -> None:
    """Each version of seed 004 differs from the version before in exactly the reported attributes."""
    before = get_attributes(presets.load(f"seed-004-v{version - 1}").config)
    after = get_attributes(presets.load(f"seed-004-v{version}").config)
    assert {field: value for field, value in after.items() if value != before[field]} == ADDED[version]


@pytest.mark.parametrize("name", NAMES)
def test_to_toml_round_trip(tmp_path: Path, name: str) -> None:
    """A preset written with every key and without a base loads as the same kind of search and configuration."""
    preset = presets.load(name)
    again = presets.load(write_preset(tmp_path, presets.to_toml(preset.config)))
    assert (again.search, get_attributes(again.config)) == (preset.search, get_attributes(preset.config))


def test_load_from_a_file(tmp_path: Path) -> None:
    """A TOML file contains only what differs from the defaults; its path may be a Path or text; Engine accepts it."""
    path = write_preset(tmp_path, 'summary = "bold"\n[selection]\nexploration = 2\n[limits]\nsimulations = 50\n')
    for preset in (presets.load(path), presets.load(str(path)), Engine(path).preset):
        assert (preset.name, preset.summary) == (str(path), "bold")
        changed = {"exploration": 2.0, "simulations": 50}
        assert get_attributes(preset.config) == get_attributes(TreeConfig()) | changed


def test_empty_file(tmp_path: Path) -> None:
    """An empty file is the default configuration of a tree search."""
    assert get_attributes(presets.load(write_preset(tmp_path, "")).config) == get_attributes(TreeConfig())


@pytest.mark.parametrize(
    ("text", "conflict"),
    [
        (
            'base = "seed-004-v14"\n[reward]\nsums = "single"',
            'reward.sums = "single" cannot be combined with memory.graph',
        ),
        ('base = "seed-004-v14"\n[expansion]\nterminal_test = "revisit"', "cannot be combined with memory.graph"),
        (
            'base = "seed-004-v14"\n[expansion]\nterminal_test = "inverted"',
            'terminal_test = "inverted" cannot be combined with memory.graph',
        ),
        ('base = "seed-004-v1"\n[expansion]\nend_on_win = true', "cannot be combined with expansion.end_on_win"),
        ('base = "seed-004-v2"\n[proof]\npropagate = "results"', "cannot be combined with proof.propagate"),
        ('base = "seed-001"\n[expansion]\nweights = "centre"', 'cannot be combined with expansion.children = "all"'),
        ('base = "seed-004-v17"\n[memory]\nstorage = "heap"', 'cannot be combined with memory.reclaim = "generations"'),
        ('base = "seed-004-v13"\n[memory]\nreclaim = "scan"', "memory.reclaim needs memory.graph = true"),
    ],
)
def test_conflicting_choices_are_refused(tmp_path: Path, text: str, conflict: str) -> None:
    """A choice that would have no effect or cannot work is named together with the other choice."""
    with pytest.raises(PresetError, match=re.escape(conflict)):
        presets.load(write_preset(tmp_path, text))


def test_base(tmp_path: Path) -> None:
    """The keys of a preset replace those of its base, a name or a file; the summary is not inherited."""
    parent = write_preset(
        tmp_path,
        'summary = "parent"\nbase = "seed-003"\n[selection]\nexploration = 0.6\n[root]\nafter = []\n',
        "parent",
    )
    child = write_preset(tmp_path, f'base = "{parent}"\n[root]\nbefore = ["block"]\n', "child")
    preset = presets.load(child)
    changed = {
        "exploration": 0.6,
        "root_win": False,
        "root_double_threat": False,
        "avoid_gifts": False,
        "avoid_double_threats": False,
    }
    assert get_attributes(preset.config) == get_attributes(presets.load("seed-003").config) | changed
    assert (preset.name, preset.summary) == (str(child), "")


def test_relative_base(tmp_path: Path) -> None:
    """A relative base path is relative to the file's folder, not to the working directory."""
    write_preset(tmp_path, "[selection]\nexploration = 0.6\n", "parent")
    assert presets.load(write_preset(tmp_path, 'base = "parent.toml"\n')).config.exploration == 0.6


@pytest.mark.parametrize("name", ["seed-04-v12", "sead-002", "Seed-000", "seed-004-v18"])
def test_unknown_name_lists_similar_presets(name: str) -> None:
    """The message repeats the name and lists at most three similar presets."""
    with pytest.raises(PresetError, match=f"'{name}'") as caught:
        presets.load(name)
    listed = str(caught.value).partition("similar: ")[2].split(", ")
    assert 0 < len(listed) <= 3
    assert set(listed) <= set(NAMES)


@pytest.mark.parametrize("name", ["", "grandmaster"])
def test_unknown_name_without_similar_presets_lists_all(name: str) -> None:
    """If no preset is similar, the message lists every preset."""
    with pytest.raises(PresetError) as caught:
        presets.load(name)
    assert all(preset in str(caught.value) for preset in NAMES)


FORMULAS = ['"ucb1"', '"ucb1-two"', '"smoothed"']
SECTIONS = ["selection", "expansion", "rollout", "reward", "proof", "root", "memory", "limits"]
RULES = ['"win"', '"block"', '"double-threat"']
MISTAKES = {
    "unknown section": ('[selektion]\nformula = "ucb1"', ["selektion", *SECTIONS]),
    "unknown top key": ("exploration = 1", ["exploration", *SECTIONS]),
    "unknown key": ('[selection]\nformule = "ucb1"', ["selection.formule", "formula", "exploration", "revisit_fresh"]),
    "section is a number": ("selection = 1", ["selection", "[selection]"]),
    "section is a list": ("[[selection]]\nexploration = 1", ["selection", "[selection]"]),
    "wrong choice": ('[selection]\nformula = "ucb2"', ["selection.formula", *FORMULAS, "'ucb2'"]),
    "choice is a number": ("[selection]\nformula = 1", ["selection.formula", *FORMULAS]),
    "choice is a list": ('[selection]\nformula = ["ucb1"]', ["selection.formula", *FORMULAS]),
    "choice is a table": ('[selection.formula]\nname = "ucb1"', ["selection.formula", *FORMULAS]),
    "number is text": ('[selection]\nexploration = "1"', ["selection.exploration", "number", "0", "100"]),
    "number is a boolean": ("[selection]\nexploration = true", ["selection.exploration", "number", "0", "100"]),
    "number is a list": ("[selection]\nexploration = [1]", ["selection.exploration", "number", "0", "100"]),
    "nan": ("[selection]\nexploration = nan", ["selection.exploration", "nan", "0", "100"]),
    "infinity": ("[limits]\nmove_time_s = inf", ["limits.move_time_s", "inf", "0", "86400"]),
    "negative infinity": ("[limits]\nmove_time_s = -inf", ["limits.move_time_s", "-inf", "0", "86400"]),
    "whole number is nan": ("[limits]\nsimulations = nan", ["limits.simulations", "whole number", "nan"]),
    "too small": ("[limits]\nsimulations = 0", ["limits.simulations", "whole number", "1"]),
    "negative": ("[limits]\nmove_time_s = -1", ["limits.move_time_s", "0", "86400", "-1"]),
    "too large": ("[selection]\nexploration = 101", ["selection.exploration", "0", "100", "101"]),
    "larger than any float": (f"[selection]\nexploration = 1{400 * '0'}", ["selection.exploration", "0", "100"]),
    "too large for a whole number": (f"[memory]\ncapacity = {2**40}", ["memory.capacity", str(2**32)]),
    "whole number has a fraction": ("[memory]\ncapacity = 1.5", ["memory.capacity", "whole number", "1.5"]),
    "boolean is a number": ("[memory]\ngraph = 1", ["memory.graph", "true or false"]),
    "boolean is text": ('[memory]\ngraph = "yes"', ["memory.graph", "true or false"]),
    "unknown rule": ('[root]\nbefore = ["win", "lose"]', ["root.before", *RULES, "'lose'"]),
    "rules are a number": ("[root]\nbefore = 3", ["root.before", *RULES]),
    "rule is a list": ('[root]\nbefore = [["win"]]', ["root.before", *RULES]),
    "rules are a table": ("[root]\nbefore = { win = true }", ["root.before", *RULES]),
    "summary is a number": ("summary = 3", ["summary", "text"]),
    "base is a number": ("base = 3", ["base", "text"]),
    "unknown base": ('base = "seed-999"', ["base", "seed-999", "seed-003"]),
    "missing base file": ('base = "/nowhere/x.toml"', ["base", "/nowhere/x.toml"]),
    "bad syntax": ("[selection", ["line 1"]),
    "key given twice": ("[selection]\nexploration = 1\nexploration = 2", ["line 3"]),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_mistake_is_described(tmp_path: Path, case: str) -> None:
    """The message names the file, the key and the allowed values."""
    assert_error_names(tmp_path, *MISTAKES[case])


def test_mistake_in_the_base_names_the_base(tmp_path: Path) -> None:
    """The message names the file that contains the mistake, not the file that inherits it."""
    parent = write_preset(tmp_path, "[selection]\nexploration = -1\n", "parent")
    with pytest.raises(PresetError, match=r"parent\.toml: selection\.exploration"):
        presets.load(write_preset(tmp_path, f'base = "{parent}"\n'))


def test_circular_bases_are_refused(tmp_path: Path) -> None:
    """A preset that inherits from itself, directly or through others, is refused, and the message names the base."""
    ring = [tmp_path / f"{name}.toml" for name in ("a", "b", "c")]
    for path, base in zip(ring, [*ring[1:], ring[0]], strict=True):
        path.write_text(f'base = "{base}"\n', encoding="utf-8")
    own = tmp_path / "own.toml"
    own.write_text(f'base = "{own}"\n', encoding="utf-8")
    for path in (*ring, own):
        with pytest.raises(PresetError, match=r"\.toml: base .*\.toml' leads back to itself"):
            presets.load(path)


@pytest.mark.parametrize("name", ["missing.toml", "folder.toml", "folder/", "binary.toml", "latin.toml"])
def test_unreadable_file(tmp_path: Path, name: str) -> None:
    """A missing file, a directory and a binary file raise a PresetError that names the path."""
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "folder").mkdir()
    (tmp_path / "binary.toml").write_bytes(bytes(range(256)))
    (tmp_path / "latin.toml").write_bytes('summary = "Größe"'.encode("latin-1"))
    path = f"{tmp_path}/{name}"
    with pytest.raises(PresetError, match=name.rstrip("/")):
        presets.load(path)


def test_preset_error_is_a_value_error() -> None:
    """Callers can catch ValueError."""
    assert issubclass(PresetError, ValueError)
    with pytest.raises(ValueError, match="no preset"):
        Engine("unknown")


def test_preset_is_immutable() -> None:
    """The fields of a preset cannot be set."""
    preset: Preset = presets.load("seed-002")
    with pytest.raises(AttributeError):
        preset.name = "mine"  # type: ignore[misc]
