"""Owns the clock of a run: what takes how long, what is due, and whether there is time for it."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

CAUTION = 1.5
"""Time that is set aside, as a multiple of what the same thing took at last."""
AT_LEAST_S = 1.0


class Pace:
    """Measures activities by name against a deadline so many seconds from now."""

    def __init__(self, seconds: float) -> None:
        self._deadline = time.monotonic() + seconds
        self._took: dict[str, float] = {}
        self._last: dict[str, float] = {}

    def allows(self, *names: str) -> bool:
        """Say whether these activities, one after the other, end before the deadline; unknown ones count little."""
        needed = AT_LEAST_S + CAUTION * sum(self._took.get(name, 0.0) for name in names)
        return time.monotonic() + needed < self._deadline

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """Measure one activity."""
        began = time.monotonic()
        yield
        took = time.monotonic() - began
        # The first time contains compiling, which does not come again; the second is forgotten the least readily.
        self._took[name] = took if name not in self._took else max(took, 0.5 * min(self._took[name], took * 4))

    def due(self, name: str, every_s: float) -> bool:
        """Say whether so many seconds have passed since this was last due; the first time it is."""
        now = time.monotonic()
        if now - self._last.get(name, -1e9) < every_s:
            return False
        self._last[name] = now
        return True
