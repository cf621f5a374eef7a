"""Measures the speed of a worker with a fixed search, and decides whether timed games on it are fair."""

import statistics
import time
from collections.abc import Iterable
from dataclasses import dataclass

from fourfall._core import Board, Limit
from fourfall.cluster.status import WorkerState
from fourfall.cluster.worker_report import WorkerReport
from fourfall.engine import Engine

_POSITION = "9x9@4,4:12"
_SIMULATIONS = 500  # about 0.05 s
_RUNS = 3
MIN_LATE_S = 0.05
"""Shorter delays in a game are always there, and do not count."""


@dataclass(frozen=True)
class Speed:
    """Result of the calibration: simulations per second, and the share of the time in which the search did not run."""

    simulations_per_s: float
    late_share: float


@dataclass(frozen=True)
class TimingPolicy:
    """When timed games on a worker are not fair, and what happens with them.

    Args:
        max_slowdown: a worker is slow if the median of all workers is more than this many times as fast.
        max_late_share: a worker is overloaded, and a game late, if more than this share of the thinking time passed
            while the engine was ready to run, but did not.
        max_load: a worker is overloaded if the load average of its machine exceeds this many times its cores.
        max_repeats: how often a game is played again on another worker; then, or if there is no other suitable worker,
            it is kept and its record is marked. 0: games are never repeated, only marked.
        recheck_s: time after which an overloaded worker is examined again.
    """

    max_slowdown: float = 1.5
    max_late_share: float = 0.2
    max_load: float = 1.5
    max_repeats: int = 2
    recheck_s: float = 30.0


def measure_speed() -> Speed:
    """Search a fixed position a few times; takes about 0.2 s.

    >>> measure_speed().simulations_per_s > 0
    True
    """
    _search()  # the first search loads the network
    begin, cpu = time.perf_counter(), time.thread_time()
    for _ in range(_RUNS):
        _search()
    wall_s, cpu_s = time.perf_counter() - begin, time.thread_time() - cpu
    return Speed(_RUNS * _SIMULATIONS / wall_s, max(0.0, 1 - cpu_s / wall_s))


def find_median_speed(reports: Iterable[WorkerReport]) -> float | None:
    """Return the median of the speeds, of two in the middle the greater; None without any."""
    speeds = [report.simulations_per_s for report in reports if report.simulations_per_s is not None]
    return statistics.median_high(speeds) if speeds else None


def judge_worker(report: WorkerReport, median: float | None, policy: TimingPolicy) -> tuple[WorkerState, str]:
    """Return whether a worker is ok, slow or overloaded, and why."""
    if report.late_share > policy.max_late_share:
        return WorkerState.OVERLOADED, f"its search did not run for {100 * report.late_share:.0f} % of the time"
    if report.load is not None and report.load > policy.max_load * report.machine_cores:
        return WorkerState.OVERLOADED, f"load average {report.load:g} on {report.machine_cores} cores"
    if median is not None and report.simulations_per_s is not None:
        slowdown = median / report.simulations_per_s
        if slowdown > policy.max_slowdown:
            return WorkerState.SLOW, f"the median of the workers is {slowdown:.1f} times as fast"
    return WorkerState.OK, ""


def _search() -> None:
    engine = Engine("fourfall", seed=1, memory_mb=16, threads=1)
    engine.search(Board.parse(_POSITION), Limit(simulations=_SIMULATIONS, stop_early=False))
