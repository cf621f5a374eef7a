"""Experiments that measure searches instead of playing games; the measurements are stored as JSON."""

import json
import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fourfall.arena.output_file import open_output
from fourfall.arena.ratings import Interval
from fourfall.experiments.experiment import Experiment, ExperimentError, Report
from fourfall.experiments.run import ExperimentRun, RunSettings

MEASUREMENTS_FILE = "measurements.json"
_TAIL = 0.025  # probability of a value beyond each bound of an interval

Measurements = Mapping[str, Sequence[float]]
"""Repeated measurements of each quantity, by a name."""


@dataclass(frozen=True)
class MeasurementSize:
    """Number of rounds, and simulations of each search."""

    rounds: int
    simulations: int


@dataclass(frozen=True)
class MeasurementExperiment(Experiment):
    """An experiment that repeats measurements in rounds and analyses them.

    Attributes:
        measure: Makes one round: measured quantities by name, given the number of simulations and the round.
        analyse: Makes the report from all rounds.
        full: Size of a full run.
        quick: Size of a quick run.
    """

    measure: Callable[[int, int], Mapping[str, float]]
    analyse: Callable[[Measurements], Report]
    full: MeasurementSize
    quick: MeasurementSize

    def check_options(self, settings: RunSettings, workers: int | None, cluster: str | None) -> None:
        """Refuse the options of games."""
        given = {
            "--samples": bool(settings.samples),
            "--workers": workers is not None,
            "--cluster": cluster is not None,
        }
        for option, is_given in given.items():
            if is_given:
                raise ExperimentError(
                    f"{option}: the experiment {self.name} plays no games but measures searches; omit {option}"
                )

    def describe_size(self, settings: RunSettings) -> str:
        """Describe the number of rounds and the simulations of a search."""
        size = self.quick if settings.quick else self.full
        return f"{size.rounds} rounds, {size.simulations:,} simulations per search"

    def run(self, run: ExperimentRun) -> Report:
        """Make the missing rounds; each is stored as soon as it is complete."""
        size = self.quick if run.settings.quick else self.full
        path = run.folder / MEASUREMENTS_FILE
        rounds = _read(path) if path.exists() else {}
        while (done := _count_rounds(rounds)) < size.rounds:
            for key, value in self.measure(size.simulations, done).items():
                rounds.setdefault(key, []).append(value)
            with open_output(path) as file:
                file.write(json.dumps(rounds, indent=2) + "\n")
            run.echo(f"round {done + 1} of {size.rounds}")
        return self.analyse(rounds)

    def load_report(self, folder: Path, settings: RunSettings) -> Report:
        """Analyse the measurements in a folder."""
        return self.analyse(_read(folder / MEASUREMENTS_FILE))


def compute_median_interval(values: Sequence[float]) -> Interval:
    """Return the median of repeated measurements with its 95 % interval between order statistics.

    Rounds that other programs disturb change a median little. With fewer than six values the interval, between the
    smallest and the largest, covers less than 95 %.

    >>> compute_median_interval([5.0, 1.0, 2.0, 3.0, 4.0, 90.0, 6.0, 7.0, 8.0])
    Interval(value=5.0, low=2.0, high=8.0)
    """
    ordered = sorted(values)
    count, rank, below = len(ordered), 0, 0.5 ** len(ordered)
    while below + math.comb(count, rank + 1) * 0.5**count <= _TAIL and rank + 1 <= (count - 1) // 2:
        rank += 1
        below += math.comb(count, rank) * 0.5**count
    return Interval(statistics.median(ordered), ordered[rank], ordered[count - 1 - rank])


def _read(path: Path) -> dict[str, list[float]]:
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        return {str(key): [float(value) for value in measured] for key, measured in values.items()}
    except OSError as error:
        raise ExperimentError(f"{path}: {error.strerror}") from None
    except (ValueError, TypeError, AttributeError):
        raise ExperimentError(f"{path}: not a file of measurements; delete it or choose another folder") from None


def _count_rounds(rounds: Measurements) -> int:
    return min(map(len, rounds.values()), default=0)
