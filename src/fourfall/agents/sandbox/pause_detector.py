"""Detects pauses of the whole machine while a thread waits for events."""

import select
import sys
import time

from fourfall.system.load import read_thread_delay_s

assert sys.platform == "linux"  # noqa: S101 (the type checker skips this module for other systems)

_INTERVAL_S = 0.1
_MIN_PAUSE_S = 0.02


class PauseDetector:
    """Waits for events in short intervals, and adds up the time in which the whole machine stood still.

    A virtual machine or a laptop can be paused. A timer then ends late although this thread did not wait for a
    processor. If it did wait, other processes kept it from running; that is not a pause.
    """

    def __init__(self) -> None:
        self._pause_s = 0.0
        self._delay_s = read_thread_delay_s()

    def poll(self, poll: select.poll, seconds: float) -> list[int]:
        """Return the descriptors with events, after at most so many seconds."""
        end = time.perf_counter() + seconds
        while True:
            begin = time.perf_counter()
            interval_s = max(0.0, min(_INTERVAL_S, end - begin))
            events = [descriptor for descriptor, _ in poll.poll(1000 * interval_s)]
            now = time.perf_counter()
            if now - begin - interval_s > _MIN_PAUSE_S:
                self._add_pause(now - begin - interval_s)
            if events or now >= end:
                return events

    def take(self) -> float:
        """Return the seconds of all pauses since the last call."""
        pause_s, self._pause_s = self._pause_s, 0.0
        return pause_s

    def _add_pause(self, late_s: float) -> None:
        before, self._delay_s = self._delay_s, read_thread_delay_s()
        waited_s = self._delay_s - before
        if late_s - waited_s > _MIN_PAUSE_S:
            self._pause_s += late_s - waited_s
