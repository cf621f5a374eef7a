"""Finds experiments by name."""

import difflib
from functools import cache
from importlib import import_module

from fourfall.experiments.experiment import Experiment, ExperimentError

MODULES: tuple[str, ...] = (
    "report_000",
    "report_001",
    "report_002",
    "report_003",
    "report_004",
    "report_004_steps",
    "report_004_speed",
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
002-final-choice, 002-final-choice-causes; fourfall experiments list shows all
    """
    experiments = {experiment.name: experiment for experiment in list_experiments()}
    if name not in experiments:
        near = [each for each in experiments if name and each.startswith(name)]
        near = near or difflib.get_close_matches(name, experiments, n=3, cutoff=0.7)
        similar = f"; similar: {', '.join(near)}" if near else ""
        raise ExperimentError(f"there is no experiment {name!r}{similar}; fourfall experiments list shows all")
    return experiments[name]
