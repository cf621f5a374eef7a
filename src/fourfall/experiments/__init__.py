"""Experiments that repeat claims of the five reports: specs, runs that can be resumed, and reports with intervals.

>>> from fourfall.experiments import get_experiment
>>> get_experiment("002-final-choice").title
'Final choice by visits or by value'
"""

from fourfall.experiments.experiment import Experiment, ExperimentError, Report
from fourfall.experiments.registry import get_experiment, list_experiments
from fourfall.experiments.run import ExperimentRun, RunSettings, open_run

__all__ = [
    "Experiment",
    "ExperimentError",
    "ExperimentRun",
    "Report",
    "RunSettings",
    "get_experiment",
    "list_experiments",
    "open_run",
]
