"""Plays games on the workers of a Dask cluster; needs the extra `cluster`.

The workers play with the same function as the worker processes of one machine, and return the same records. Only the
calling process writes the database. docs/cluster.md describes what workers need, and whom they trust.
"""

import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from fourfall.agents.address import AddressError
from fourfall.agents.base import AgentError, Conditions
from fourfall.agents.registry import is_third_party, open_agent
from fourfall.agents.sandbox import SandboxUnavailable
from fourfall.agents.third_party import ThirdPartyAgent
from fourfall.arena.cluster_game import (
    GameAbandonedError,
    MissingAgentsError,
    PlayedGame,
    examine_game_worker,
    play_on_worker,
)
from fourfall.arena.executor import OnWorker, WorkerError
from fourfall.arena.game import ScheduledGame
from fourfall.arena.judge import Ending
from fourfall.arena.record import GameRecord
from fourfall.arena.timed_games import depends_on_speed, is_timed
from fourfall.cluster.agent_bundle import AgentBundle, make_bundle
from fourfall.cluster.agent_cache import install_agent
from fourfall.cluster.calibration import MIN_LATE_S, TimingPolicy, find_median_speed, judge_worker
from fourfall.cluster.connection import RECONNECT_S, Connection
from fourfall.cluster.dispatcher import SILENCE_S, ClusterWorker, Dispatcher, Job, RepeatJobError
from fourfall.cluster.outcome import Outcome
from fourfall.cluster.status import WorkerState
from fourfall.cluster.worker_report import WorkerReport

_MAX_DELIVERIES = 3  # of the files of one agent to one worker


class ClusterExecutor(Dispatcher[ScheduledGame, GameRecord]):
    """The workers of a cluster, one game per worker at a time.

    Workers may join and leave while games are played. A worker gets games after its examination: version, sandbox,
    speed. It gets the files of an agent when it needs them for the first time. Leaving the context abandons the games
    in progress: workers end them after the next move. `status` shows all workers.
    """

    depth = 1

    def __init__(
        self,
        connection: Connection,
        addresses: Iterable[str] = (),
        *,
        sandbox: bool = True,
        policy: TimingPolicy | None = None,
        patience_s: float = RECONNECT_S,
        silence_s: float = SILENCE_S,
    ) -> None:
        """Collect the files of agents; AddressError or ArchiveError says which one cannot be sent.

        Args:
            connection: the cluster, from `fourfall.cluster.connection.connect`.
            addresses: agents whose files are collected now, so that a problem with them is found before the first
                game; those of others are collected before their first game.
            sandbox: whether third-party agents run in the sandbox; then workers that cannot set it up are refused.
            policy: when timed games are marked or repeated.
            patience_s: how long a lost scheduler, or the first or the last worker, is waited for.
            silence_s: a worker without a sign of life for this long is lost.
        """
        super().__init__(connection, play_on_worker, patience_s=patience_s, silence_s=silence_s)
        self._sandbox = sandbox
        self._policy = policy or TimingPolicy()
        self.on_worker: OnWorker | None = None
        self._bundles: dict[str, AgentBundle] = {}  # by address
        self._archives: dict[str, bytes] = {}  # by hash
        self._deliveries: dict[tuple[str, str], int] = {}  # by address of the worker and hash
        self._reported: dict[str, WorkerReport] = {}  # by address of the worker
        self._needs_sandbox = False
        self._checked_at: dict[str, float] = {}  # last examination, by address of the worker
        for address in addresses:
            self.add_agent(address)

    def __enter__(self) -> "ClusterExecutor":
        return self

    def __exit__(self, *_: object) -> None:
        self.cancel_all()

    def play(self, games: Iterable[ScheduledGame]) -> Generator[GameRecord]:
        """Play the games, one per worker at a time, and yield each record as soon as it arrives."""
        return (record for _, record in self.run(games))

    def play_batches(self, games: Iterable[ScheduledGame]) -> Iterator[list[GameRecord]]:
        """Play the games and yield the records that have arrived since the last batch."""
        for results in self.run_batches(games):
            yield [record for _, record in results]

    def add_agent(self, address: str) -> AgentBundle:
        """Collect the files of an agent unless this has been done."""
        if address not in self._bundles:
            self._bundles[address] = bundle = make_bundle(address)
            self._archives[bundle.agent.digest] = bundle.archive
            if is_third_party(address) and self._sandbox and not self._needs_sandbox:
                self._needs_sandbox = True
                for worker in self.workers.values():
                    if worker.is_usable and worker.report is not None:
                        self.admit(worker, worker.report)
        return self._bundles[address]

    def get_examination(self) -> tuple[Callable[..., WorkerReport], tuple[object, ...]]:
        """Return the examination with protections and calibration."""
        return examine_game_worker, (True,)

    def admit(self, worker: ClusterWorker[ScheduledGame], report: WorkerReport) -> None:
        """Refuse a worker that cannot sandbox, and judge the speeds of all workers with the new one."""
        self._checked_at[worker.identity.address] = time.monotonic()
        if self._needs_sandbox and report.missing_protections:
            names = ", ".join(report.missing_protections)
            self.refuse(worker, f"cannot sandbox third-party agents: the machine lacks protections ({names})")
            return
        worker.set_state(WorkerState.OK)
        # A new worker changes the median, and so the judgement of the others.
        known = [other for other in self.workers.values() if other.is_usable and other.report is not None]
        median = find_median_speed(other.report for other in known if other.report is not None)
        for other in known:
            is_late = other is not worker and other.state is WorkerState.OVERLOADED
            if other.report is not None and not is_late:
                other.set_state(*judge_worker(other.report, median, self._policy))
        if self.on_worker is not None and self._reported.get(worker.identity.address) != report:
            self._reported[worker.identity.address] = report
            self.on_worker(worker.identity.name, report)

    def on_poll(self) -> None:
        """Examine overloaded workers again after some time, when they are idle."""
        for worker in self.workers.values():
            checked_at = self._checked_at.get(worker.identity.address, 0.0)
            is_due = time.monotonic() > checked_at + self._policy.recheck_s
            if worker.state is WorkerState.OVERLOADED and not worker.jobs and is_due:
                self._checked_at[worker.identity.address] = time.monotonic()
                self.examine_again(worker)

    def may_run(self, job: Job[ScheduledGame], worker: ClusterWorker[ScheduledGame]) -> bool:
        """Whether a worker may play a game: a timed one only if it is suitable, or if no worker is."""
        if not (job.excluded or is_timed(job.task)) or self._is_suitable(job, worker):
            return True
        return self._policy.max_repeats == 0 or not self._has_suitable_worker(job)

    def make_arguments(self, job: Job[ScheduledGame], worker: ClusterWorker[ScheduledGame]) -> tuple[object, ...]:
        """Return the game and how its agents are opened at a worker."""
        agents = {seat.address: self.add_agent(seat.address).agent for seat in job.task.seats}
        return job.task, {address: agent for address, agent in agents.items() if agent.digest}

    def get_result(
        self, job: Job[ScheduledGame], worker: ClusterWorker[ScheduledGame], outcome: Outcome[Any]
    ) -> GameRecord:
        """Return the record with the worker and the judgement of its timing; RepeatJobError to play the game again."""
        if isinstance(outcome.error, MissingAgentsError):
            self._deliver(worker, outcome.error.args)
            raise RepeatJobError
        if isinstance(outcome.error, GameAbandonedError):
            raise RepeatJobError
        if isinstance(outcome.error, SandboxUnavailable | OSError):
            self.refuse(worker, str(outcome.error))
            raise RepeatJobError
        if outcome.error is not None:
            raise WorkerError(
                f"worker {worker.identity.name} failed in game {job.task.number} ({job.task.board}): "
                f"{type(outcome.error).__name__}: {outcome.error}; the finished games are stored; continue with "
                "--resume"
            )
        played: PlayedGame = outcome.get()
        timing = self._judge_timing(job.task, worker, played)
        if timing:
            job.excluded.add(worker.identity.address)
            if job.repeats < self._policy.max_repeats and self._has_suitable_worker(job):
                job.repeats += 1
                raise RepeatJobError
        record = replace(played.record, worker=worker.identity.name, timing=timing)
        return _add_advice(record) if self._sandbox else record

    def _deliver(self, worker: ClusterWorker[ScheduledGame], digests: Iterable[str]) -> None:
        """Send files of agents to a worker; the game that needs them comes after them."""
        for digest in digests:
            key = worker.identity.address, digest
            self._deliveries[key] = self._deliveries.get(key, 0) + 1
            if self._deliveries[key] > _MAX_DELIVERIES:
                self.refuse(worker, "loses the files of agents that it gets; check its cache folder")
                return
            self.send(worker, install_agent, digest, self._archives[digest])

    def _judge_timing(self, game: ScheduledGame, worker: ClusterWorker[ScheduledGame], played: PlayedGame) -> str:
        """Return why the timing of a game was not fair, or an empty text; a late game makes its worker overloaded."""
        if not depends_on_speed(game, played.record):
            return ""
        share = played.late_s / played.thinking_s if played.thinking_s else 0.0
        if share > self._policy.max_late_share and played.late_s > MIN_LATE_S:
            self._checked_at[worker.identity.address] = time.monotonic()
            reason = f"in its last game, engines did not run for {100 * share:.0f} % of their thinking time"
            worker.set_state(WorkerState.OVERLOADED, reason)
            return "late"
        return worker.state.value if worker.state in (WorkerState.SLOW, WorkerState.OVERLOADED) else ""

    def _has_suitable_worker(self, job: Job[ScheduledGame]) -> bool:
        return any(self._is_suitable(job, worker) for worker in self.workers.values())

    def _is_suitable(self, job: Job[ScheduledGame], worker: ClusterWorker[ScheduledGame]) -> bool:
        return worker.state is WorkerState.OK and worker.identity.address not in job.excluded


def _add_advice(record: GameRecord) -> GameRecord:
    """Say which file of this machine a failed agent probably misses: a worker has only those that were sent."""
    if record.culprit is None or record.ending not in (Ending.CRASH, Ending.CANNOT_LOAD) or "?read=" in record.detail:
        return record
    advice = ""
    with suppress(AddressError, AgentError):  # its files may have disappeared
        agent = open_agent(record.addresses[record.culprit], Conditions())
        if isinstance(agent, ThirdPartyAgent):
            advice = agent.find_advice(f"{record.stderr}\n{record.detail}")
        agent.close()
    return replace(record, detail=f"{record.detail}; {advice}") if advice else record
