"""Gives tasks to the workers of a cluster, and the tasks of lost workers to others.

The driver chooses the worker of each task itself instead of leaving this to Dask's scheduler: so it knows which worker
has which task, a result that arrives after its task was given to another worker is dropped, and a worker gets only
what it may run.
"""

import itertools
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from fourfall.cluster.connection import RECONNECT_S, Connection, ConnectionLostError, Finished, WorkerIdentity
from fourfall.cluster.errors import WorkerError
from fourfall.cluster.outcome import Outcome
from fourfall.cluster.status import ClusterStatus, WorkerState, WorkerStatus
from fourfall.cluster.worker_report import WorkerReport, examine_worker, find_version_problem

T = TypeVar("T")
R = TypeVar("R")

MAX_TRIES = 5
"""If as many workers are lost in one task, the run fails: the task probably ends them."""

SILENCE_S = 30.0
"""A worker without a sign of life for this long counts as lost."""

_WAIT_S = 0.1  # delay until `stopping` and `is_cancelled` take effect
_POLL_S = 0.5  # between two lists of the workers; longer for many workers
_POLL_S_PER_WORKER = 0.002
_USABLE = (WorkerState.OK, WorkerState.SLOW, WorkerState.OVERLOADED)


class RepeatJobError(Exception):
    """A job must be run again, because its result cannot be kept."""


@dataclass
class Job(Generic[T]):
    """A task to run; `lost` counts the workers that were lost in it, `repeats` the results that were not kept.

    `excluded` are the addresses of workers whose results were not kept.
    """

    task: T
    lost: int = 0
    repeats: int = 0
    excluded: set[str] = field(default_factory=set)


class ClusterWorker(Generic[T]):
    """The driver's knowledge of one worker."""

    def __init__(self, identity: WorkerIdentity) -> None:
        self.identity = identity
        self.state = WorkerState.STARTING
        self.reason = ""
        self.report: WorkerReport | None = None
        self.done = 0
        self.jobs: dict[str, Job[T]] = {}  # by key
        self.seen_at = time.monotonic()  # last sign of life
        self.started_at: float | None = None  # first task

    @property
    def is_usable(self) -> bool:
        """Whether the worker may get tasks."""
        return self.state in _USABLE

    def set_state(self, state: WorkerState, reason: str = "") -> None:
        """Change the state; the reason says why it is not ok."""
        self.state, self.reason = state, reason

    def make_status(self) -> WorkerStatus:
        """Return the state as plain data."""
        seconds = 0.0 if self.started_at is None else time.monotonic() - self.started_at
        rate = self.done / seconds if seconds > 0 else 0.0
        name, address = self.identity.name, self.identity.address
        return WorkerStatus(name, address, self.state, self.reason, self.done, len(self.jobs), rate, self.report)


class Dispatcher(Generic[T, R]):
    """Runs a function for tasks on the workers of a cluster; subclasses decide what a worker may run.

    Workers may join and leave at any time. A worker is examined before it gets tasks; if its versions differ from those
    of this process, or if it has several threads, it is refused and the others go on.
    """

    depth = 2  # tasks per worker; one runs, the others wait at the worker, so that it is never idle

    def __init__(
        self,
        connection: Connection,
        function: Callable[..., object],
        *,
        patience_s: float = RECONNECT_S,
        silence_s: float = SILENCE_S,
    ) -> None:
        self.stopping = False  # if set, no further tasks are started
        self.is_cancelled: Callable[[], bool] = lambda: False  # if it returns true, the running tasks are abandoned
        self.workers: dict[str, ClusterWorker[T]] = {}  # by address; lost and refused ones remain
        self._connection = connection
        self._function = function
        self._patience_s = patience_s
        self._silence_s = silence_s
        self._driver = examine_worker()
        self._examined: dict[str, ClusterWorker[T]] = {}  # by key of the call
        self._running: dict[str, ClusterWorker[T]] = {}  # by key of the call
        self._calls: dict[str, ClusterWorker[T]] = {}  # by key of the call
        self._pending: deque[Job[T]] = deque()  # jobs that were taken from the source and have no worker
        self._polled_at = float("-inf")
        self._usable_at = time.monotonic()  # when there was a worker, or hope for one
        self._had_workers = False
        self._message = ""

    @property
    def status(self) -> ClusterStatus:
        """The state of all workers that were seen so far."""
        workers = list(self.workers.values())  # a copy, because another thread may show the status
        return ClusterStatus(tuple(worker.make_status() for worker in workers), self._message)

    def run(self, tasks: Iterable[T]) -> Iterator[tuple[T, R]]:
        """Yield tasks with their results in the order of completion; each task is taken when a worker is free."""
        for results in self.run_batches(tasks):
            yield from results

    def run_batches(self, tasks: Iterable[T]) -> Iterator[list[tuple[T, R]]]:
        """Yield lists of tasks with their results: all that have arrived since the last list, at least one."""
        source = iter(tasks)
        try:
            while not self.is_cancelled():
                self._update_workers()
                is_exhausted = self._assign(source)
                if not self._running and (self.stopping or (is_exhausted and not self._pending)):
                    return
                self._require_workers()
                results: list[tuple[T, R]] = []
                failure: Exception | None = None
                for finished in self._connection.take_finished(_WAIT_S):
                    try:
                        results += self._finish(finished)
                    except Exception as error:
                        failure = error
                if results:
                    yield results
                if failure is not None:
                    raise failure
        finally:
            self.cancel_all()

    def cancel_all(self) -> None:
        """Abandon all tasks; the next run receives the reports of workers whose examination has begun."""
        for calls in (self._running, self._calls):
            self._connection.cancel(list(calls))
            calls.clear()
        for worker in self.workers.values():
            worker.jobs.clear()

    def get_examination(self) -> tuple[Callable[..., WorkerReport], tuple[object, ...]]:
        """Return the function that examines a worker, and its arguments."""
        return examine_worker, ()

    def admit(self, worker: ClusterWorker[T], report: WorkerReport) -> None:
        """Set the state of a worker after its examination; the versions have been checked."""
        worker.set_state(WorkerState.OK)

    def on_poll(self) -> None:
        """Do what is due; called after each list of the workers."""

    def may_run(self, job: Job[T], worker: ClusterWorker[T]) -> bool:
        """Whether a worker may run a job."""
        return True

    def make_arguments(self, job: Job[T], worker: ClusterWorker[T]) -> tuple[object, ...]:
        """Return the arguments of the function for a job."""
        return (job.task,)

    def get_result(self, job: Job[T], worker: ClusterWorker[T], outcome: Outcome[Any]) -> R:
        """Return the result of a job; RepeatJobError if it must be run again."""
        result: R = outcome.get()
        return result

    def refuse(self, worker: ClusterWorker[T], reason: str) -> None:
        """Give a worker no tasks any more; its jobs go to others."""
        worker.set_state(WorkerState.REFUSED, reason)
        self._release(worker, is_lost=False)

    def _update_workers(self) -> None:
        """Compare the workers of the scheduler with those that are known, at intervals."""
        now = time.monotonic()
        if now < self._polled_at + _POLL_S + _POLL_S_PER_WORKER * len(self.workers):
            return
        self._polled_at = now
        try:
            found = self._connection.list_workers()
            for worker in self.workers.values():
                self._check_life(worker, found.get(worker.identity.address))
            for address, identity in found.items():
                if address not in self.workers:
                    self.workers[address] = worker = ClusterWorker(identity)
                    self._examine(worker)
            self.on_poll()
        except ConnectionLostError:
            self._reconnect()

    def _check_life(self, worker: ClusterWorker[T], identity: WorkerIdentity | None) -> None:
        now = time.monotonic()
        if identity is None:
            if worker.state is not WorkerState.LOST:
                worker.set_state(WorkerState.LOST, "the worker left the cluster")
                self._release(worker, is_lost=True)
        elif identity.last_seen != worker.identity.last_seen:
            worker.identity, worker.seen_at = identity, now
            if worker.state is WorkerState.LOST:
                worker.set_state(WorkerState.STARTING)
                self._examine(worker)
        elif now > worker.seen_at + self._silence_s and worker.state is not WorkerState.LOST:
            worker.set_state(WorkerState.LOST, f"no sign of life for {self._silence_s:g} s")
            self._release(worker, is_lost=True)

    def _examine(self, worker: ClusterWorker[T]) -> None:
        threads = worker.identity.threads
        if threads != 1:
            reason = f"has {threads} threads, which would share the time of a core; start it with --nthreads 1"
            worker.set_state(WorkerState.REFUSED, reason)
            return
        function, arguments = self.get_examination()
        key = self._connection.submit(worker.identity.address, function, *arguments)
        self._examined[key] = worker

    def examine_again(self, worker: ClusterWorker[T]) -> None:
        """Examine a worker that is known already; its state does not change until the report arrives."""
        try:
            self._examine(worker)
        except ConnectionLostError:
            self._polled_at = float("-inf")

    def send(self, worker: ClusterWorker[T], function: Callable[..., object], *arguments: object) -> None:
        """Start another call on a worker; if it fails, the worker is refused."""
        try:
            self._calls[self._connection.submit(worker.identity.address, function, *arguments)] = worker
        except ConnectionLostError:
            self._polled_at = float("-inf")

    def _finish_examination(self, worker: ClusterWorker[T], outcome: Outcome[WorkerReport] | None) -> None:
        if outcome is None:  # the next sign of life of the worker starts another examination
            worker.set_state(WorkerState.LOST, "its examination was interrupted")
            self._release(worker, is_lost=False)
            return
        if outcome.error is not None:
            needed = f"install fourfall {self._driver.fourfall} with the extra cluster there"
            worker.set_state(WorkerState.REFUSED, f"cannot run this version of fourfall ({outcome.error}); {needed}")
            return
        worker.report = outcome.get()
        problem = find_version_problem(worker.report, self._driver)
        if problem is not None:
            worker.set_state(WorkerState.REFUSED, problem)
            return
        self.admit(worker, worker.report)

    def _assign(self, source: Iterator[T]) -> bool:
        """Give jobs to workers that have room; return whether the source is exhausted."""
        if self.stopping:
            return False
        usable = sorted(
            (worker for worker in self.workers.values() if worker.is_usable),
            key=lambda worker: worker.state is not WorkerState.OK,
        )
        for count in range(self.depth):
            for worker in usable:
                if len(worker.jobs) > count or not worker.is_usable:
                    continue
                job = self._take_pending(worker)
                if job is None:
                    if len(self._pending) > len(usable):  # jobs that wait for other workers
                        return False
                    task = list(itertools.islice(source, 1))
                    if not task:
                        return True
                    job = Job(task[0])
                    if not self.may_run(job, worker):
                        self._pending.append(job)
                        continue
                if not self._start(job, worker):
                    return False
        return False

    def _take_pending(self, worker: ClusterWorker[T]) -> Job[T] | None:
        for job in self._pending:
            if self.may_run(job, worker):
                self._pending.remove(job)
                return job
        return None

    def _start(self, job: Job[T], worker: ClusterWorker[T]) -> bool:
        """Send a job to a worker; return whether the scheduler is there."""
        try:
            arguments = self.make_arguments(job, worker)
            key = self._connection.submit(worker.identity.address, self._function, *arguments)
        except ConnectionLostError:
            self._pending.appendleft(job)
            self._polled_at = float("-inf")
            return False
        worker.jobs[key] = job
        self._running[key] = worker
        if worker.started_at is None:
            worker.started_at = time.monotonic()
        return True

    def _finish(self, finished: Finished) -> Iterator[tuple[T, R]]:
        """Handle a finished call; yield the task with its result if there is one to keep."""
        if (examined := self._examined.pop(finished.key, None)) is not None:
            self._finish_examination(examined, finished.outcome)
            return
        if (called := self._calls.pop(finished.key, None)) is not None:
            if finished.outcome is not None and finished.outcome.error is not None:
                self.refuse(called, str(finished.outcome.error))
            return
        worker = self._running.pop(finished.key, None)
        if worker is None:
            return
        job = worker.jobs.pop(finished.key)
        if finished.outcome is None:  # the outcome was lost, with the worker or with the scheduler
            self._pending.append(job)
            self._polled_at = float("-inf")
            return
        try:
            result = self.get_result(job, worker, finished.outcome)
        except RepeatJobError:
            self._pending.appendleft(job)
            return
        worker.done += 1
        yield job.task, result

    def _release(self, worker: ClusterWorker[T], *, is_lost: bool) -> None:
        """Take the jobs from a worker."""
        calls = [*self._running.items(), *self._examined.items(), *self._calls.items()]
        keys = [key for key, owner in calls if owner is worker]
        self._connection.cancel(keys)
        for key in keys:
            self._examined.pop(key, None)
            self._calls.pop(key, None)
            if self._running.pop(key, None) is None:
                continue
            job = worker.jobs.pop(key)
            job.lost += is_lost
            if job.lost >= MAX_TRIES:
                raise WorkerError(
                    f"{job.lost} workers were lost in one task ({job.task!r:.200}), the last one "
                    f"{worker.identity.name} ({worker.reason}); what is finished is kept; continue with --resume"
                )
            self._pending.append(job)

    def _reconnect(self) -> None:
        """Wait for the scheduler; all running jobs are run again, by workers that connect to it again."""
        for worker in self.workers.values():
            worker.set_state(WorkerState.LOST, "the scheduler was lost")
            self._release(worker, is_lost=False)
        self._message = f"waiting for the scheduler {self._connection.scheduler}"
        self._connection.reconnect(self._patience_s, self.is_cancelled)
        self._message = ""
        self._polled_at = float("-inf")
        self._usable_at = time.monotonic()

    def _require_workers(self) -> None:
        """Raise WorkerError if no worker can run tasks and none comes."""
        now = time.monotonic()
        states = {worker.state for worker in self.workers.values()}
        if WorkerState.STARTING in states or not states.isdisjoint(_USABLE):
            self._had_workers = self._had_workers or not states.isdisjoint(_USABLE)
            self._usable_at, self._message = now, ""
            return
        refused = [worker for worker in self.workers.values() if worker.state is WorkerState.REFUSED]
        if refused and not self._had_workers:
            reasons = "; ".join(f"{worker.identity.name} {worker.reason}" for worker in refused[:3])
            raise WorkerError(f"no worker of the cluster can be used ({len(refused)} refused): {reasons}")
        self._message = f"waiting for workers at {self._connection.scheduler}"
        if now > self._usable_at + self._patience_s:
            advice = f"start some with: dask worker {self._connection.scheduler} --nthreads 1"
            resume = "; what is finished is kept; continue with --resume" if self._had_workers else ""
            raise WorkerError(f"the cluster has had no workers for {self._patience_s:g} s; {advice}{resume}")
