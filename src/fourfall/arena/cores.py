"""Owns the question how many games can go on at once: which cores are free, and whether the clock can be trusted."""

import os
import time
from pathlib import Path

_SAMPLE_S = 0.3
_BUSY = 0.5  # of its time: a core that works more is not free
_WAITING = 10.0  # per cent of the time in which some task waits for a core


def free_cores(sample_s: float = _SAMPLE_S) -> list[int]:
    """List the cores that we may use and that nobody else is using much right now; at least one, the idlest first."""
    before = _times()
    time.sleep(sample_s)
    after = _times()
    busy = {core: _busy_share(before.get(core), after.get(core)) for core in sorted(os.sched_getaffinity(0))}
    ranked = sorted(busy, key=lambda core: busy[core])
    return [core for core in ranked if busy[core] < _BUSY] or ranked[:1]


def load_warning(workers: int, free: int) -> str | None:
    """Say what would distort the clock when so many games go on at once, or None."""
    if workers > free:
        games = "one game" if workers == 1 else f"{workers} games at once"
        cores = "one core is" if free == 1 else f"{free} cores are"
        return f"{games}, but only {cores} free: thinking times will be distorted"
    return None


def waiting_warning() -> str | None:
    """Say so when tasks have had to wait for a core in the last seconds; None also where the system does not tell."""
    try:
        some = Path("/proc/pressure/cpu").read_text(encoding="ascii").split()
        share = float(some[1].removeprefix("avg10="))
    except (OSError, IndexError, ValueError):
        return None
    if share < _WAITING:
        return None
    return f"the machine is busy: some task waits for a core {share:.0f} % of the time, so thinking times are distorted"


def _times() -> dict[int, tuple[int, int]]:
    """Return how long each core has been idle, and in all, since the system was started."""
    times = {}
    try:
        lines = Path("/proc/stat").read_text(encoding="ascii").splitlines()
    except OSError:
        return {}
    for line in lines:
        name, *fields = line.split()
        if name.startswith("cpu") and name[3:].isdigit():
            ticks = [int(field) for field in fields[:8]]
            times[int(name[3:])] = (ticks[3] + ticks[4], sum(ticks))
    return times


def _busy_share(before: tuple[int, int] | None, after: tuple[int, int] | None) -> float:
    if before is None or after is None or after[1] == before[1]:
        return 0.0
    return 1 - (after[0] - before[0]) / (after[1] - before[1])
