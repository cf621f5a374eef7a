"""Experiments of this group."""

from fourfall.experiments.experiment import Experiment

EXPERIMENTS: tuple[Experiment, ...] = ()
