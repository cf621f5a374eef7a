"""Owns the clock of a run: what takes how long, what is due, and whether there is time for it."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

CAUTION = 2.0
"""Time that is set aside, as a multiple of what the same thing takes."""
AT_LEAST_S = 1.0
REMEMBERED = 3
FIRST_TIME = 0.25
"""The first time contains compiling, which does not come again; about so much of it is the thing itself."""


class Pace:
    """Measures activities by name against a deadline so many seconds from now."""

    def __init__(self, seconds: float) -> None:
        self._deadline = time.monotonic() + seconds
        self._took: dict[str, list[float]] = {}
        self._last: dict[str, float] = {}

    def allows(self, *names: str) -> bool:
        """Say whether these activities, one after the other, end before the deadline; unknown ones count little."""
        needed = AT_LEAST_S + CAUTION * sum(self._usual(name) for name in names)
        return time.monotonic() + needed < self._deadline

    def _usual(self, name: str) -> float:
        """Return how long something takes, compiling left out: the shortest of the last few times."""
        took = self._took.get(name, [])
        return min(took[-REMEMBERED:], default=0.0) * (FIRST_TIME if len(took) == 1 else 1)

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """Measure one activity."""
        began = time.monotonic()
        yield
        self._took.setdefault(name, []).append(time.monotonic() - began)

    def due(self, name: str, every_s: float) -> bool:
        """Say whether so many seconds have passed since this was last due; the first time it is."""
        now = time.monotonic()
        if now - self._last.get(name, -1e9) < every_s:
            return False
        self._last[name] = now
        return True
