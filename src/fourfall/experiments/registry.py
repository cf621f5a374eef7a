"""Finds experiments by name."""

from functools import cache
from importlib import import_module

from fourfall.arena.name_suggestions import suggest_names
from fourfall.experiments.experiment import Experiment, ExperimentError

MODULES: tuple[str, ...] = (
    "report_000",
    "report_001",
    "report_002",
    "report_003",
    "systems",
    "census",
)
"""Modules of this package with experiments: each has a tuple `EXPERIMENTS`."""


@cache
def list_experiments() -> tuple[Experiment, ...]:
    """List all experiments in the order of the reports.

    >>> [experiment.name for experiment in list_experiments()][:2]
    ['000-steps', '001-opponents']
    """
    found: list[Experiment] = []
    for module in MODULES:
        found += import_module(f"fourfall.experiments.{module}").EXPERIMENTS
    return tuple(found)


def get_experiment(name: str) -> Experiment:
    """Return an experiment by its name.

    >>> get_experiment("002-final-choise")
    Traceback (most recent call last):
    fourfall.experiments.experiment.ExperimentError: there is no experiment '002-final-choise'; similar: \
002-final-choice, 002-final-choice-causes, 002-informed-rollouts; fourfall experiments list shows all
    """
    experiments = {experiment.name: experiment for experiment in list_experiments()}
    if name not in experiments:
        raise ExperimentError(
            f"there is no experiment {name!r}{suggest_names(name, list(experiments))}; "
            "fourfall experiments list shows all"
        )
    return experiments[name]
