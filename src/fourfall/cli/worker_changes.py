"""Describes what changes among the workers of a cluster: which joined, were lost, refused or became slow."""

from collections.abc import Sequence

from fourfall.cluster.status import ClusterStatus, WorkerState, WorkerStatus

_NAMED = 3  # workers named on one line
_SENTENCES = {
    WorkerState.OK: ("joined", "joined"),
    WorkerState.SLOW: ("is slow", "are slow"),
    WorkerState.OVERLOADED: ("is overloaded", "are overloaded"),
    WorkerState.REFUSED: ("is not used", "are not used"),
    WorkerState.LOST: ("was lost", "were lost"),
}
_TROUBLED = (WorkerState.SLOW, WorkerState.OVERLOADED, WorkerState.LOST)


class WorkerChanges:
    """Compares the states of the workers with those of the last call.

    >>> changes = WorkerChanges()
    >>> changes.describe(ClusterStatus((WorkerStatus("a", "tcp://10.0.0.1:1", WorkerState.OK, running=1),)))
    ['worker a joined']
    >>> lost = WorkerStatus("a", "tcp://10.0.0.1:1", WorkerState.LOST, "the worker left the cluster")
    >>> changes.describe(ClusterStatus((lost,)))
    ['worker a was lost: the worker left the cluster; its game is played again']
    >>> changes.describe(ClusterStatus((lost,), "waiting for workers"))
    ['waiting for workers']
    """

    def __init__(self) -> None:
        self._states: dict[str, tuple[WorkerState, str]] = {}
        self._busy: set[str] = set()  # addresses of the workers that had games
        self._message = ""

    def describe(self, status: ClusterStatus) -> list[str]:
        """Return a line for each change; workers with the same change share a line."""
        changed: dict[tuple[WorkerState, str, bool], list[WorkerStatus]] = {}
        busy = self._busy
        self._busy = {worker.address for worker in status.workers if worker.running}
        for worker in status.workers:
            before = self._states.get(worker.address)
            if worker.state is WorkerState.STARTING or before == (worker.state, worker.reason):
                continue
            self._states[worker.address] = (worker.state, worker.reason)
            is_again = worker.state is WorkerState.OK and before is not None and before[0] in _TROUBLED
            if worker.state is not WorkerState.OK or before is None or is_again:
                changed.setdefault((worker.state, worker.reason, is_again), []).append(worker)
        lines = [
            _describe_change(state, reason, is_again, workers) + _describe_repeats(state, workers, busy)
            for (state, reason, is_again), workers in changed.items()
        ]
        if status.message != self._message:
            self._message = status.message
            lines += [self._message] if self._message else []
        return lines


def _describe_change(state: WorkerState, reason: str, is_again: bool, workers: Sequence[WorkerStatus]) -> str:
    named = list_names([_name_worker(worker) for worker in workers])
    is_one = len(workers) == 1
    subject = f"worker {named}" if is_one else f"{len(workers)} workers"
    verb = ("is" if is_one else "are") + " ok again" if is_again else _SENTENCES[state][not is_one]
    names = "" if is_one else f" ({named})"
    because = f": {reason}" if reason else ""
    return f"{subject} {verb}{names}{because}"


def _describe_repeats(state: WorkerState, workers: Sequence[WorkerStatus], busy: set[str]) -> str:
    if state is not WorkerState.LOST or not any(worker.address in busy for worker in workers):
        return ""
    return "; its game is played again" if len(workers) == 1 else "; their games are played again"


def _name_worker(worker: WorkerStatus) -> str:
    is_known = worker.report is not None and worker.report.host not in worker.name
    return f"{worker.name} on {worker.host}" if is_known else worker.name


def list_names(names: Sequence[str]) -> str:
    """List names, at most three of them.

    >>> list_names(["a", "b", "c", "d", "e"])
    'a, b, c and 2 more'
    """
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
