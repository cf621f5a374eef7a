"""Owns the presets: the package's own are what the seed reports say, and a user's are read with care."""

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

LADDER = [f"seed-004-v{version}" for version in range(1, 18)]
SEEDS = ["seed-000", "seed-001", "seed-002", "seed-003", *LADDER]
NAMES = ["fourfall", "fourfall-classic", *SEEDS]


def facts_of(config: TreeConfig | GraphConfig) -> dict[str, object]:
    """Return a configuration as a table."""
    return {field: getattr(config, field) for field in dir(config) if not field.startswith("_")}


# What shared/SEEDS.md says of each seed, in the words of the configuration.
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
        "time": 2.0,
    },
    "seed-001": {
        "formula": Formula.SMOOTHED,
        "exploration": 0.707,
        "expansion": Expansion.ALL,
        "rollout": Rollout.UNIFORM,
        "reward": Reward.SIGNED,
        "storage": Storage.POOL,
        "capacity": 8_000_000,
        "time": 2.3,
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
        "time": 2.9,
        "root_win": False,
        "sums": Sums.SINGLE,
        "terminal_test": TerminalTest.REVISIT,
        "end_on_win": False,
        "representation": Representation.ARRAY,
        "proofs": Proofs.NONE,
        "reuse": False,
        "forced_replies": False,
        "revisit_fresh": False,
        "graph": False,
    },
}
# The ladder of seed 004: what each version adds to the one before, and nothing else.
ADDED: dict[int, dict[str, object]] = {
    2: {"root_win": True},
    3: {"sums": Sums.EXACT, "terminal_test": TerminalTest.NEW},
    4: {"end_on_win": True},
    5: {"representation": Representation.WIDE},
    6: {"proofs": Proofs.RESULTS},
    7: {"reuse": True},
    8: {"forced_replies": True},
    9: {"time": 2.95},
    10: {"representation": Representation.FITTED},
    11: {"proofs": Proofs.LATEST},
    12: {"proofs": Proofs.DISTANCES},
    13: {"revisit_fresh": True},
    14: {"graph": True},
    15: {"reclaim": Reclaim.REFERENCES},
    16: {"reclaim": Reclaim.SCAN},
    17: {"reclaim": Reclaim.GENERATIONS, "storage": Storage.POOL},
}


def written(folder: Path, text: str, name: str = "mine") -> Path:
    """Write a preset file."""
    path = folder / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    return path


def assert_named(folder: Path, text: str, words: list[str]) -> None:
    """Check that a preset is refused, and that the complaint holds the file and these words."""
    path = written(folder, text + "\n")
    with pytest.raises(PresetError) as caught:
        presets.load(path)
    message = str(caught.value)
    assert [word for word in [str(path), *words] if word not in message] == []


def test_the_default_comes_first_and_the_seeds_in_natural_order() -> None:
    """Fourfall's own engine leads the list, and version 2 comes before version 10."""
    assert list(presets.names()) == NAMES
    assert NAMES[0] == presets.DEFAULT


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_loads(name: str) -> None:
    """Every preset has a name, a summary for people, the text it came from, and a configuration of its own."""
    preset = presets.load(name)
    assert preset.name == name
    assert preset.summary
    assert preset.summary in preset.source
    assert preset.config is not presets.load(name).config
    assert Engine(preset).preset is preset


@pytest.mark.parametrize("name", REPORTED)
def test_a_seed_is_what_its_report_says(name: str) -> None:
    """The parameters of the report are those of the preset."""
    facts = facts_of(presets.load(name).config)
    assert {field: facts[field] for field in REPORTED[name]} == REPORTED[name]


@pytest.mark.parametrize("version", ADDED)
def test_a_version_adds_what_the_ladder_says(version: int) -> None:
    """Each version of seed 004 differs from the one before in exactly what its report adds."""
    before = facts_of(presets.load(f"seed-004-v{version - 1}").config)
    after = facts_of(presets.load(f"seed-004-v{version}").config)
    assert {field: value for field, value in after.items() if value != before[field]} == ADDED[version]


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_spelled_out_is_the_same(tmp_path: Path, name: str) -> None:
    """Written down with every key and without a base, a preset loads as it was, kind of search included."""
    preset = presets.load(name)
    again = presets.load(written(tmp_path, presets.spelled_out(preset.config)))
    assert (again.search, facts_of(again.config)) == (preset.search, facts_of(preset.config))


def test_a_file_is_a_preset(tmp_path: Path) -> None:
    """A TOML file says only what differs from the defaults, by path or by text, and an engine takes it."""
    path = written(tmp_path, 'summary = "bold"\n[selection]\nexploration = 2\n[limits]\nsimulations = 50\n')
    for preset in (presets.load(path), presets.load(str(path)), Engine(path).preset):
        assert (preset.name, preset.summary) == (str(path), "bold")
        changed = {"exploration": 2.0, "simulations": 50}
        assert facts_of(preset.config) == facts_of(TreeConfig()) | changed


def test_a_file_may_be_empty(tmp_path: Path) -> None:
    """An empty file is the default configuration of a tree search."""
    assert facts_of(presets.load(written(tmp_path, "")).config) == facts_of(TreeConfig())


@pytest.mark.parametrize(
    ("text", "clash"),
    [
        ('base = "seed-004-v14"\n[reward]\nsums = "single"', 'reward.sums = "single" does not go with memory.graph'),
        ('base = "seed-004-v14"\n[expansion]\nterminal_test = "revisit"', "does not go with memory.graph"),
        ('base = "seed-001"\n[expansion]\nweights = "centre"', 'does not go with expansion.children = "all"'),
        ('base = "seed-004-v17"\n[memory]\nstorage = "heap"', 'does not go with memory.reclaim = "generations"'),
        ('base = "seed-004-v13"\n[memory]\nreclaim = "scan"', "memory.reclaim needs memory.graph = true"),
    ],
)
def test_choices_that_do_not_go_together_are_refused(tmp_path: Path, text: str, clash: str) -> None:
    """A choice that would be ignored beside another, or could not work, is named with its counterpart."""
    with pytest.raises(PresetError, match=re.escape(clash)):
        presets.load(written(tmp_path, text))


def test_a_preset_inherits(tmp_path: Path) -> None:
    """A base, of the package or a file, comes first; the preset's own keys and its own summary count in the end."""
    parent = written(
        tmp_path,
        'summary = "parent"\nbase = "seed-003"\n[selection]\nexploration = 0.6\n[root]\nafter = []\n',
        "parent",
    )
    child = written(tmp_path, f'base = "{parent}"\n[root]\nbefore = ["block"]\n', "child")
    preset = presets.load(child)
    changed = {
        "exploration": 0.6,
        "root_win": False,
        "root_double_threat": False,
        "avoid_gifts": False,
        "avoid_double_threats": False,
    }
    assert facts_of(preset.config) == facts_of(presets.load("seed-003").config) | changed
    assert (preset.name, preset.summary) == (str(child), "")


def test_a_base_is_looked_for_beside_its_file(tmp_path: Path) -> None:
    """A relative base means the same wherever the program was started."""
    written(tmp_path, "[selection]\nexploration = 0.6\n", "parent")
    assert presets.load(written(tmp_path, 'base = "parent.toml"\n')).config.exploration == 0.6


@pytest.mark.parametrize("name", ["seed-04-v12", "sead-002", "Seed-000", "seed-004-v18"])
def test_an_unknown_name_is_answered_with_near_ones(name: str) -> None:
    """The complaint repeats the name and lists presets that exist, the nearest ones only."""
    with pytest.raises(PresetError, match=f"'{name}'") as caught:
        presets.load(name)
    listed = str(caught.value).partition("near ones: ")[2].split(", ")
    assert 0 < len(listed) <= 3
    assert set(listed) <= set(NAMES)


@pytest.mark.parametrize("name", ["", "grandmaster"])
def test_a_strange_name_is_answered_with_all(name: str) -> None:
    """Where nothing is near the complaint lists every preset."""
    with pytest.raises(PresetError) as caught:
        presets.load(name)
    assert all(preset in str(caught.value) for preset in NAMES)


FORMULAS = ['"ucb1"', '"ucb1-two"', '"smoothed"']
SECTIONS = ["selection", "expansion", "rollout", "reward", "proof", "root", "memory", "limits"]
RULES = ['"win"', '"block"', '"double-threat"']
COMPLAINTS = {
    "unknown section": ('[selektion]\nformula = "ucb1"', ["selektion", *SECTIONS]),
    "unknown top key": ("exploration = 1", ["exploration", *SECTIONS]),
    "unknown key": ('[selection]\nformule = "ucb1"', ["selection.formule", "formula", "exploration", "revisit_fresh"]),
    "section no table": ("selection = 1", ["selection", "[selection]"]),
    "section a list": ("[[selection]]\nexploration = 1", ["selection", "[selection]"]),
    "wrong choice": ('[selection]\nformula = "ucb2"', ["selection.formula", *FORMULAS, "'ucb2'"]),
    "choice a number": ("[selection]\nformula = 1", ["selection.formula", *FORMULAS]),
    "choice a list": ('[selection]\nformula = ["ucb1"]', ["selection.formula", *FORMULAS]),
    "choice a table": ('[selection.formula]\nname = "ucb1"', ["selection.formula", *FORMULAS]),
    "number a text": ('[selection]\nexploration = "1"', ["selection.exploration", "number", "0", "100"]),
    "number a switch": ("[selection]\nexploration = true", ["selection.exploration", "number", "0", "100"]),
    "number a list": ("[selection]\nexploration = [1]", ["selection.exploration", "number", "0", "100"]),
    "nan": ("[selection]\nexploration = nan", ["selection.exploration", "nan", "0", "100"]),
    "inf": ("[limits]\nmove_time_s = inf", ["limits.move_time_s", "inf", "0", "86400"]),
    "minus inf": ("[limits]\nmove_time_s = -inf", ["limits.move_time_s", "-inf", "0", "86400"]),
    "nan for a whole number": ("[limits]\nsimulations = nan", ["limits.simulations", "whole number", "nan"]),
    "too small": ("[limits]\nsimulations = 0", ["limits.simulations", "whole number", "1"]),
    "negative": ("[limits]\nmove_time_s = -1", ["limits.move_time_s", "0", "86400", "-1"]),
    "too large": ("[selection]\nexploration = 101", ["selection.exploration", "0", "100", "101"]),
    "far too large": (f"[selection]\nexploration = 1{400 * '0'}", ["selection.exploration", "0", "100"]),
    "too large for exact words": (f"[memory]\ncapacity = {2**40}", ["memory.capacity", str(2**32)]),
    "no whole number": ("[memory]\ncapacity = 1.5", ["memory.capacity", "whole number", "1.5"]),
    "switch a number": ("[memory]\ngraph = 1", ["memory.graph", "true or false"]),
    "switch a text": ('[memory]\ngraph = "yes"', ["memory.graph", "true or false"]),
    "wrong rule": ('[root]\nbefore = ["win", "lose"]', ["root.before", *RULES, "'lose'"]),
    "rule a number": ("[root]\nbefore = 3", ["root.before", *RULES]),
    "rule a list": ('[root]\nbefore = [["win"]]', ["root.before", *RULES]),
    "rule a table": ("[root]\nbefore = { win = true }", ["root.before", *RULES]),
    "summary a number": ("summary = 3", ["summary", "text"]),
    "base a number": ("base = 3", ["base", "text"]),
    "unknown base": ('base = "seed-999"', ["base", "seed-999", "seed-003"]),
    "missing base file": ('base = "/nowhere/x.toml"', ["base", "/nowhere/x.toml"]),
    "bad syntax": ("[selection", ["line 1"]),
    "key given twice": ("[selection]\nexploration = 1\nexploration = 2", ["line 3"]),
}


@pytest.mark.parametrize("case", COMPLAINTS)
def test_a_mistake_is_named(tmp_path: Path, case: str) -> None:
    """The complaint names the file, the key and what is allowed there."""
    assert_named(tmp_path, *COMPLAINTS[case])


def test_a_mistake_in_the_base_is_named_there(tmp_path: Path) -> None:
    """The complaint names the file in which the mistake stands, not the one that inherits it."""
    parent = written(tmp_path, "[selection]\nexploration = -1\n", "parent")
    with pytest.raises(PresetError, match=r"parent\.toml: selection\.exploration"):
        presets.load(written(tmp_path, f'base = "{parent}"\n'))


def test_a_circle_of_bases_is_noticed(tmp_path: Path) -> None:
    """A preset that inherits from itself, at once or by way of others, is refused, and the complaint names the base."""
    ring = [tmp_path / f"{name}.toml" for name in ("a", "b", "c")]
    for path, base in zip(ring, [*ring[1:], ring[0]], strict=True):
        path.write_text(f'base = "{base}"\n', encoding="utf-8")
    own = tmp_path / "own.toml"
    own.write_text(f'base = "{own}"\n', encoding="utf-8")
    for path in (*ring, own):
        with pytest.raises(PresetError, match=r"\.toml: base .*\.toml' leads back to itself"):
            presets.load(path)


@pytest.mark.parametrize("name", ["missing.toml", "folder.toml", "folder/", "binary.toml", "latin.toml"])
def test_what_is_no_text_file_is_refused(tmp_path: Path, name: str) -> None:
    """A missing file, a directory and a file that is not text are PresetErrors that name the path."""
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "folder").mkdir()
    (tmp_path / "binary.toml").write_bytes(bytes(range(256)))
    (tmp_path / "latin.toml").write_bytes('summary = "Größe"'.encode("latin-1"))
    path = f"{tmp_path}/{name}"
    with pytest.raises(PresetError, match=name.rstrip("/")):
        presets.load(path)


def test_a_preset_error_is_a_value_error() -> None:
    """Callers who know no presets catch it as what it is."""
    assert issubclass(PresetError, ValueError)
    with pytest.raises(ValueError, match="no preset"):
        Engine("nobody")


def test_a_preset_does_not_change() -> None:
    """A preset is a value: its fields cannot be set."""
    preset: Preset = presets.load("seed-002")
    with pytest.raises(AttributeError):
        preset.name = "mine"  # type: ignore[misc]
