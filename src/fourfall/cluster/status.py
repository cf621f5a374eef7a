"""State of the workers of a cluster as plain data, for progress displays."""

import enum
from dataclasses import dataclass

from fourfall.cluster.worker_report import WorkerReport


class WorkerState(enum.StrEnum):
    """What a worker does; only workers that are ok, slow or overloaded get work."""

    STARTING = "starting"
    OK = "ok"
    SLOW = "slow"
    OVERLOADED = "overloaded"
    REFUSED = "refused"
    LOST = "lost"


@dataclass(frozen=True)
class WorkerStatus:
    """One worker: its name at the scheduler, its state with the reason, and its tasks.

    `per_second` is the number of finished tasks per second since the worker got its first one.
    """

    name: str
    address: str
    state: WorkerState
    reason: str = ""
    done: int = 0
    running: int = 0
    per_second: float = 0.0
    report: WorkerReport | None = None

    @property
    def host(self) -> str:
        """The name of the machine; until the worker has reported, its network address."""
        return self.address if self.report is None else self.report.host


@dataclass(frozen=True)
class ClusterStatus:
    """All workers that a run has seen, the lost ones included; `message` says what the run waits for, if anything."""

    workers: tuple[WorkerStatus, ...] = ()
    message: str = ""

    def count(self, *states: WorkerState) -> int:
        """Count the workers in one of these states.

        >>> ClusterStatus((WorkerStatus("a", "tcp://10.0.0.1:1", WorkerState.OK),)).count(WorkerState.OK)
        1
        """
        return sum(worker.state in states for worker in self.workers)
