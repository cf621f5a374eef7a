"""Finds free CPU cores and reports load that distorts measured thinking times."""

import time

from fourfall.system.cores import list_cores
from fourfall.system.load import read_core_times, read_cpu_pressure

_SAMPLE_S = 0.3
_BUSY_SHARE = 0.5  # a core that is busy for a larger share of the time is not free
_PRESSURE_PERCENT = 10.0  # share of the time in which some task waits for a core


def find_free_cores(sample_s: float = _SAMPLE_S) -> list[int]:
    """List the allowed cores that are mostly idle now, the idlest first; at least one core."""
    before = read_core_times()
    time.sleep(sample_s)
    after = read_core_times()
    busy = {core: _compute_busy_share(before.get(core), after.get(core)) for core in list_cores()}
    ranked = sorted(busy, key=lambda core: busy[core])
    return [core for core in ranked if busy[core] < _BUSY_SHARE] or ranked[:1]


def describe_overload(workers: int, free: int) -> str | None:
    """Return a warning if more games run at once than cores are free, else None."""
    if workers > free:
        games = "one game" if workers == 1 else f"{workers} games at once"
        cores = "one core is" if free == 1 else f"{free} cores are"
        return f"{games}, but only {cores} free: thinking times will be distorted"
    return None


def describe_cpu_pressure() -> str | None:
    """Return a warning if tasks had to wait for a core in the last 10 s; None also if the system has no such figure."""
    percent = read_cpu_pressure()
    if percent is None or percent < _PRESSURE_PERCENT:
        return None
    return f"the machine is busy: tasks wait for a core {percent:.0f} % of the time, so thinking times are distorted"


def _compute_busy_share(before: tuple[int, int] | None, after: tuple[int, int] | None) -> float:
    if before is None or after is None or after[1] == before[1]:
        return 0.0
    return 1 - (after[0] - before[0]) / (after[1] - before[1])
