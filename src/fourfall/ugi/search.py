"""Runs one search in a thread of its own, while a second thread reports its progress."""

import threading
from collections.abc import Callable

from fourfall import Analysis, Board, Engine, StopToken
from fourfall.ugi.limits import SearchLimit

_REPORT_INTERVAL_S = 0.25
_DEPTH_INTERVAL_S = 0.01


class RunningSearch:
    """A search that runs from its creation until its limit or `stop`.

    `report` gets snapshots of the running search. `finish` is called last, with the result, or with the exception that
    ended the search. Both are called on threads of the search. With `every_column`, all columns get a score.
    """

    def __init__(
        self,
        engine: Engine,
        board: Board,
        limit: SearchLimit,
        *,
        every_column: bool,
        report: Callable[[Analysis], None],
        finish: Callable[[Analysis | Exception], None],
    ) -> None:
        self._engine = engine
        self._board = board.copy()
        self._limit = limit
        self._every_column = every_column
        self._report = report
        self._finish = finish
        self._stop_token = StopToken()
        self._has_ended = threading.Event()
        previous = engine.snapshot()
        self._last_snapshot_s = None if previous is None else previous.seconds
        self._thread = threading.Thread(target=self._run, name="ugi-search", daemon=True)
        self._thread.start()

    @property
    def is_running(self) -> bool:
        """Whether the engine is still searching; `finish` may not have returned yet."""
        return not self._has_ended.is_set()

    def stop(self) -> None:
        """End the search, also before it has begun, and wait until `finish` has returned."""
        self._stop_token.stop()
        self._thread.join()

    def _run(self) -> None:
        observer = threading.Thread(target=self._observe, name="ugi-progress", daemon=True)
        observer.start()
        result = self._search()
        self._has_ended.set()
        observer.join()
        self._finish(result)

    def _search(self) -> Analysis | Exception:
        search = self._engine.analyse if self._every_column else self._engine.search
        if self._limit.depth == 0:
            self._stop_token.stop()
        try:
            return search(self._board, self._limit.limit, stop_token=self._stop_token)
        except (ValueError, MemoryError, RuntimeError) as error:
            return error

    def _observe(self) -> None:
        """Report snapshots at regular intervals, and stop the search at its depth."""
        interval_s = _REPORT_INTERVAL_S if self._limit.depth is None else _DEPTH_INTERVAL_S
        since_report_s = 0.0
        while not self._has_ended.wait(interval_s):
            since_report_s += interval_s
            snapshot = self._take_snapshot()
            if snapshot is None:
                continue
            if self._limit.depth is not None and snapshot.depth >= self._limit.depth:
                self._stop_token.stop()
                return
            if since_report_s >= _REPORT_INTERVAL_S:
                since_report_s = 0.0
                self._report(snapshot)

    def _take_snapshot(self) -> Analysis | None:
        """Return a new snapshot, or None if the engine still has the last one, or that of the search before."""
        snapshot = self._engine.snapshot()
        if snapshot is None or snapshot.seconds == self._last_snapshot_s:
            return None
        self._last_snapshot_s = snapshot.seconds
        return snapshot
