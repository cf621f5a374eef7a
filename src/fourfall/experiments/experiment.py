"""Interface of an experiment: its claim, how it is run, and the report that it returns."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fourfall.arena.tables import Grid

if TYPE_CHECKING:
    from fourfall.experiments.run import ExperimentRun, RunSettings


class ExperimentError(ValueError):
    """An unknown experiment, or an output folder that cannot be used; the message says what to do."""


@dataclass(frozen=True)
class Report:
    """Result of a run: everything in it is computed from the figures of this run.

    Attributes:
        conditions: Sentences about opponents, limits, boards and numbers of games.
        tables: Tables, the first one with the claim beside our figures.
        readings: Sentences that compare our figures with the claim.
        missing: What is still to do, for example "120 of 400 games played"; empty if the run is complete.
    """

    conditions: tuple[str, ...]
    tables: tuple[Grid, ...]
    readings: tuple[str, ...]
    missing: str = ""


@dataclass(frozen=True)
class Experiment(ABC):
    """A claim, and the way to repeat it.

    Attributes:
        name: Name on the command line and of the folder with its results.
        title: What is compared, in a few words.
        source: The report that makes the claim, and its words.
        claim: The figures of the report, with numbers of games as far as the report has them.
    """

    name: str
    title: str
    source: str
    claim: Grid

    @abstractmethod
    def describe_size(self, settings: "RunSettings") -> str:
        """Describe the size of a run, for example "800 games of 2,000 simulations per move"."""

    def check_options(self, settings: "RunSettings", workers: int | None, cluster: str | None) -> None:  # noqa: B027
        """Raise ExperimentError if an option has no meaning for this experiment."""

    @abstractmethod
    def run(self, run: "ExperimentRun") -> Report:
        """Do what is missing in the run's folder and return the report; an interrupted run has `Report.missing`."""

    @abstractmethod
    def load_report(self, folder: Path, settings: "RunSettings") -> Report:
        """Compute the report again from the results in a folder, without playing."""
