"""Time budget of a run: measures how long activities take and whether the next one ends before the deadline."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

SAFETY_FACTOR = 2.0
"""Time reserved for an activity, as a multiple of its usual duration."""
RESERVE_S = 1.0
RECENT = 3
"""Number of recent durations that are considered."""
FIRST_DURATION_FACTOR = 0.25
"""The first duration includes compilation, which does not recur; about this fraction is the activity itself."""


class TimeBudget:
    """Durations of named activities, and a deadline `seconds` from now."""

    def __init__(self, seconds: float) -> None:
        self._deadline = time.monotonic() + seconds
        self._durations: dict[str, list[float]] = {}
        self._last_due: dict[str, float] = {}

    def has_time_for(self, *names: str) -> bool:
        """Return whether these activities in sequence end before the deadline; unknown ones count as 0 s."""
        needed = RESERVE_S + SAFETY_FACTOR * sum(self._estimate(name) for name in names)
        return time.monotonic() + needed < self._deadline

    def _estimate(self, name: str) -> float:
        """Return the usual duration without compilation: the shortest of the recent ones."""
        durations = self._durations.get(name, [])
        return min(durations[-RECENT:], default=0.0) * (FIRST_DURATION_FACTOR if len(durations) == 1 else 1)

    @contextmanager
    def measure(self, name: str) -> Iterator[None]:
        """Measure the duration of one activity."""
        start = time.monotonic()
        yield
        self._durations.setdefault(name, []).append(time.monotonic() - start)

    def is_due(self, name: str, interval_s: float) -> bool:
        """Return whether `interval_s` has passed since this method last returned True for `name`; True at first."""
        now = time.monotonic()
        if now - self._last_due.get(name, -1e9) < interval_s:
            return False
        self._last_due[name] = now
        return True
