"""Tables of the workers of a cluster: during a run, and as a summary at its end."""

from collections import Counter
from collections.abc import Iterable, Sequence

from fourfall.arena.record import GameRecord
from fourfall.arena.tables import Grid
from fourfall.cli.progress import format_pace
from fourfall.cluster.status import ClusterStatus, WorkerState, WorkerStatus

_MAX_ROWS = 12
_PLAYING = (WorkerState.OK, WorkerState.SLOW, WorkerState.OVERLOADED)
_TEXT = frozenset({"worker", "machine", "state", "processor"})


def count_states(workers: Iterable[WorkerStatus]) -> str:
    """Count the workers that play, with those that are slow or do not play.

    >>> count_states([WorkerStatus("a", "", WorkerState.OK), WorkerStatus("b", "", WorkerState.SLOW)])
    '2 workers (1 slow)'
    """
    counts = Counter(worker.state for worker in workers)
    playing = sum(counts[state] for state in _PLAYING)
    others = ", ".join(f"{counts[state]} {state}" for state in WorkerState if counts[state] and state != WorkerState.OK)
    return f"{playing} worker{'s' * (playing != 1)}" + (f" ({others})" if others else "")


def format_live_workers(status: ClusterStatus) -> Grid | None:
    """Format the workers that play: one row for each, or for each machine if they are many; None without workers."""
    workers = [worker for worker in status.workers if worker.state in _PLAYING]
    if not workers:
        return None
    if len(workers) <= _MAX_ROWS:
        rows = tuple(
            (worker.name, worker.host, f"{worker.done}", format_pace(worker.per_second), _describe_state(worker))
            for worker in sorted(workers, key=lambda worker: worker.name)
        )
        return Grid(("worker", "machine", "games", "pace", "state"), rows, _TEXT)
    machines = _group_by_machine(workers)
    rows = tuple(
        (name, f"{len(group)}", f"{_sum_games(group)}", _format_total_pace(group), _list_states(group))
        for name, group in sorted(machines.items())[:_MAX_ROWS]
    )
    title = f"{len(machines) - _MAX_ROWS} more machines are not shown" if len(machines) > _MAX_ROWS else ""
    return Grid(("machine", "workers", "games", "pace", "state"), rows, _TEXT, title)


def format_worker_summary(status: ClusterStatus) -> Grid:
    """Format what each machine did in a run; lost and refused workers are counted."""
    rows = []
    for name, group in sorted(_group_by_machine(status.workers).items()):
        report = next((worker.report for worker in group if worker.report is not None), None)
        machine = ("", "") if report is None else (report.processor, report.evaluation)
        rows.append((name, f"{len(group)}", f"{_sum_games(group)}", *machine, _list_states(group)))
    header = ("machine", "workers", "games", "processor", "evaluation", "state")
    return Grid(header, tuple(rows), _TEXT | {"evaluation"}, "Workers of this run")


def describe_timing(records: Sequence[GameRecord]) -> str:
    """Say how many games have a mark because their timing was not fair, with the reasons; empty if there is none.

    >>> from dataclasses import replace
    >>> from fourfall.arena.record import EXAMPLE
    >>> describe_timing([EXAMPLE, replace(EXAMPLE, timing="late"), replace(EXAMPLE, timing="slow")])
    'The timing of 2 of 3 games was not fair (1 late, 1 slow); their records say so.'
    """
    counts = Counter(record.timing for record in records if record.timing)
    if not counts:
        return ""
    reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(counts.items()))
    return f"The timing of {counts.total()} of {len(records)} games was not fair ({reasons}); their records say so."


def _group_by_machine(workers: Iterable[WorkerStatus]) -> dict[str, list[WorkerStatus]]:
    """Group workers by the name of the machine; for those without a report it follows from the network address."""
    workers = list(workers)
    names = {_get_ip(worker): worker.host for worker in workers if worker.report is not None}
    machines: dict[str, list[WorkerStatus]] = {}
    for worker in workers:
        ip = _get_ip(worker)
        name = worker.host if worker.report is not None else names.get(ip, ip)
        machines.setdefault(name, []).append(worker)
    return machines


def _get_ip(worker: WorkerStatus) -> str:
    return worker.address.rpartition("/")[2].rpartition(":")[0]


def _sum_games(workers: Sequence[WorkerStatus]) -> int:
    return sum(worker.done for worker in workers)


def _format_total_pace(workers: Sequence[WorkerStatus]) -> str:
    return format_pace(sum(worker.per_second for worker in workers))


def _list_states(workers: Sequence[WorkerStatus]) -> str:
    counts = Counter(worker.state for worker in workers)
    return ", ".join(f"{counts[state]} {state}" for state in WorkerState if counts[state])


def _describe_state(worker: WorkerStatus) -> str:
    return f"{worker.state}: {worker.reason}" if worker.reason else f"{worker.state}"
