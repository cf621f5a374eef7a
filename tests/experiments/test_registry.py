"""Tests of the list of experiments, their specs and the presets with one change that they use."""

from pathlib import Path

import pytest

from fourfall import presets
from fourfall.agents.registry import check_address
from fourfall.arena.schedule import count_games
from fourfall.experiments import ExperimentError, RunSettings, get_experiment, list_experiments
from fourfall.experiments import event_experiment as module
from fourfall.experiments.event_experiment import FIELD, EventExperiment, QuickSize

EVENT_EXPERIMENTS = [experiment for experiment in list_experiments() if isinstance(experiment, EventExperiment)]
SPECS = Path(module.__file__).parent / "specs"


def test_names_are_unique_and_described() -> None:
    """Every experiment has its own name, a title, a source, a claim and a size."""
    names = [experiment.name for experiment in list_experiments()]
    assert len(set(names)) == len(names)
    for experiment in list_experiments():
        assert experiment.title
        assert experiment.source.endswith(".")
        assert experiment.claim.rows
        assert experiment.describe_size(RunSettings())


def test_every_spec_belongs_to_one_experiment() -> None:
    """No spec of the package is unused or used twice."""
    used = [name for experiment in EVENT_EXPERIMENTS for name in experiment.specs]
    assert sorted(used) == sorted(path.stem for path in SPECS.glob("*.toml"))


@pytest.mark.parametrize("experiment", EVENT_EXPERIMENTS, ids=lambda experiment: experiment.name)
def test_agents_exist_without_paths(experiment: EventExperiment) -> None:
    """All addresses are valid on every machine, and a quick run has fewer games of fewer simulations."""
    full, quick = (experiment.load_specs(RunSettings(quick=quick)) for quick in (False, True))
    for name, spec in full.items():
        for agent in (*spec.agents, *quick[name].agents):
            assert "/" not in agent.address
            check_address(agent.address)
        assert count_games(quick[name]) < count_games(spec)
    assert "20,000 simulations" not in experiment.describe_size(RunSettings(quick=True))


def test_samples_replace_the_levels() -> None:
    """The samples play each variant once with each side at 3 s per move; matches between variants are unchanged."""
    samples = tuple(f"library:/course/{number}.so" for number in range(2, 21, 2))
    experiment = get_experiment("002-final-choice")
    assert isinstance(experiment, EventExperiment)
    spec = experiment.load_specs(RunSettings(samples=samples, sandbox=False))["002-final-choice"]
    before = experiment.load_specs(RunSettings())["002-final-choice"]
    field = next(group for group in spec.groups if group.name == FIELD)
    assert field.agents == ("visits", "value", *(str(number) for number in range(2, 21, 2)))
    assert field.pairs == 1
    assert not spec.sandbox
    assert spec.find_entrant("20").move_time_s == 3.0
    assert not any(agent.name.startswith("level-") for agent in spec.agents)
    assert spec.groups[0] == before.groups[0]
    quick = experiment.load_specs(RunSettings(quick=True, samples=samples))["002-final-choice"]
    assert next(group for group in quick.groups if group.name == FIELD).agents[2:] == ("2", "10", "20")


def test_quick_size_limits_each_number() -> None:
    """A quick run never raises pairs, simulations or opponents."""
    experiment = EventExperiment(
        "toy",
        "",
        "",
        get_experiment("000-steps").claim,
        ("000-steps",),
        lambda records, settings: pytest.fail("no analysis is needed"),
        QuickSize(pairs=1000, simulations=10**6, opponents=100),
    )
    assert experiment.load_specs(RunSettings(quick=True)) == experiment.load_specs(RunSettings())


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("002-final-choise", "similar: 002-final-choice"),
        ("", "there is no experiment ''"),
        ("../secret", "there is no experiment '../secret'"),
    ],
)
def test_unknown_name(name: str, words: str) -> None:
    """The message names similar experiments and the command that lists all."""
    with pytest.raises(ExperimentError) as caught:
        get_experiment(name)
    assert words in str(caught.value)
    assert "fourfall experiments list" in str(caught.value)


def find_base(name: str) -> str:
    """Return the base that the file of a preset names."""
    return next(line for line in presets.load(name).source.splitlines() if line.startswith("base")).split('"')[1]


@pytest.mark.parametrize("name", presets.list_variants())
def test_variant_changes_its_base(name: str) -> None:
    """A variant belongs to the seed in its name, differs from it, and is not in the list of engines."""
    variant = presets.load(name)
    base = seed = find_base(name)
    while seed in presets.list_variants():
        seed = find_base(seed)
    assert name.startswith(f"{seed}-")
    assert presets.to_toml(variant.config) != presets.to_toml(presets.load(base).config)
    assert variant.summary
    assert name not in presets.list_names()
