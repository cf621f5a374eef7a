"""Load of the machine, as far as the system tells it."""

import os
import sys
from pathlib import Path


def read_load() -> float | None:
    """Return the load average of the last minute; None on Windows, which has no such figure."""
    load = None
    if sys.platform != "win32":
        load = round(os.getloadavg()[0], 2)
    return load


def read_core_times() -> dict[int, tuple[int, int]]:
    """Return the idle and the total time of each core since the start of the system, in ticks; empty if unknown."""
    times = {}
    for line in _read_lines("/proc/stat"):
        name, *fields = line.split()
        if name.startswith("cpu") and name[3:].isdigit():
            ticks = [int(field) for field in fields[:8]]
            times[int(name[3:])] = (ticks[3] + ticks[4], sum(ticks))
    return times


def read_cpu_pressure() -> float | None:
    """Return the share of the last 10 s in which tasks waited for a core, in percent; None if unknown."""
    try:
        return float(_read_lines("/proc/pressure/cpu")[0].split()[1].removeprefix("avg10="))
    except (IndexError, ValueError):
        return None


def read_thread_delay_s() -> float:
    """Return for how long the calling thread has waited for a processor so far; 0 if the system has no such figure."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_bytes().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0


def _read_lines(path: str) -> list[str]:
    try:
        return Path(path).read_text(encoding="ascii").splitlines()
    except OSError:
        return []
